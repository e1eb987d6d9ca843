"""The one settings file. Every variable it reads is explained in .env.example."""

import re
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF

from annotation.storage_urls import download_origins
from hardbench_web.environment import Environment
from hardbench_web.logs import logging_config

env = Environment()
BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = re.search(r"^## (\S+)", (BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)[1]  # type: ignore[index]

DEBUG = env.boolean("DEBUG")
DEMO = env.boolean("DEMO")  # the log-in page says where the log-ins of the seeded people are printed
SECRET_KEY = env.secret("SECRET_KEY") or ("only-for-debugging-" * 3 if DEBUG else env.required_secret("SECRET_KEY", least=32))
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "127.0.0.1,localhost" if DEBUG else "")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
STATE_DIR = env.folder("STATE_DIR", BASE_DIR / ".state" / "local")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "django_structlog",
    "rest_framework",
    "drf_spectacular",
    "hardbench_web",
    "annotation",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "annotation.pages.iiif.Pictures",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotation.pages.middleware.RequestLog",
    "annotation.pages.middleware.Unkept",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "annotation.pages.middleware.LoginRequired",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "annotation.pages.middleware.DomainErrorMiddleware",
]

ROOT_URLCONF = "hardbench_web.urls"
WSGI_APPLICATION = "hardbench_web.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "annotation.pages.context.shell",
                "annotation.demo.context.demonstration",
            ],
        },
    }
]

# `default` is what the product runs as: role `app`, which owns nothing. `owner` migrates.
DATABASE_URL = env.text("DATABASE_URL", "postgresql://app@127.0.0.1:5432/hardbench")
OWNER_URL = env.text("DATABASE_OWNER_URL", DATABASE_URL.replace("://app", "://owner", 1))
DATABASES: dict[str, Any] = {
    "default": {**dj_database_url.parse(DATABASE_URL), "CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True},
    "owner": {**dj_database_url.parse(OWNER_URL), "TEST": {"MIRROR": ""}},
}
DATABASE_ROUTERS: list[str] = []
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["annotation.access.PersonBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "annotation.pages.accounts.ClosedSignUp"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
SESSION_COOKIE_AGE = 12 * 3600
# allauth's log-in limits live here: shared by all web processes, and no vote waits for it.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache_entry"}}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "annotation" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = STATE_DIR / "static"
WHITENOISE_USE_FINDERS = True
STORAGE_URL = env.text("STORAGE_URL", f"file://{STATE_DIR / 'storage'}")
# Pieces of remote pyramids are kept on each web machine; only for storage in a bucket.
STORAGE_CACHE_DIR = env.folder("STORAGE_CACHE_DIR", STATE_DIR / "cache")
STORAGE_CACHE_BYTES = env.number("STORAGE_CACHE_MB", 2048) << 20
# django-storages reads these two; the environment is the only place they come from.
AWS_ACCESS_KEY_ID = env.secret("AWS_ACCESS_KEY_ID")
AWS_SECRET_ACCESS_KEY = env.secret("AWS_SECRET_ACCESS_KEY")

REDIS_URL = env.text("REDIS_URL", "redis://127.0.0.1:6379/0")
# Fetching pictures by their addresses: see annotation/outbound. Nothing is let through unless it is named here.
OUTBOUND_ALLOW = env.words("OUTBOUND_ALLOW")
OUTBOUND_CONTACT = env.text("OUTBOUND_CONTACT")
LLM_BASE_URL = env.text("LLM_BASE_URL")
LLM_API_KEY = env.secret("LLM_API_KEY")
LLM_MODEL = env.text("LLM_MODEL")

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["annotation.api.authentication.SessionLogIn"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation.api.parsing.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "annotation.api.errors.problem",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {"TITLE": "HARDBench web", "VERSION": VERSION, "OAS_VERSION": "3.1.1", "SERVE_INCLUDE_SCHEMA": False}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF, *download_origins(STORAGE_URL)],
        "frame-ancestors": [NONE],
    }
}
CSRF_FAILURE_VIEW = "annotation.pages.errors.forged"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
# Only the supervisor's own loopback server sets this: there is no TLS on 127.0.0.1.
LOOPBACK = env.boolean("INSECURE_LOOPBACK") or DEBUG
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = not LOOPBACK
SECURE_HSTS_SECONDS = 0 if LOOPBACK else 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not LOOPBACK
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.boolean("BEHIND_TLS_PROXY") else None
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

LOGGING = logging_config(level=env.text("LOG_LEVEL", "INFO"), as_json=not DEBUG)
# Naming the user in each line would cost two queries on every tile.
DJANGO_STRUCTLOG_USER_ID_FIELD = None
