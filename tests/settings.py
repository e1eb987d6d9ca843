"""Settings of the suite: the product's own, with a watcher that reads every response for planted canaries."""

import tempfile
from pathlib import Path

from hardbench_web.settings import *  # noqa: F403
from hardbench_web.settings import MIDDLEWARE as PRODUCT_MIDDLEWARE

MIDDLEWARE = ["tests.canary.CanaryMiddleware", *PRODUCT_MIDDLEWARE]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
FOLDERS = tempfile.TemporaryDirectory(prefix="hardbench-tests-")  # removed when the process ends
STORAGE_URL = f"file://{FOLDERS.name}/storage"
STORAGE_CACHE_DIR = Path(FOLDERS.name) / "cache"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = False
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
STATIC_ROOT = FOLDERS.name
