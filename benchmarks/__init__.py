"""Speed, measured: each figure beside a target, a rival or a floor. Run by `make bench`, never by the tests."""

import os

import django

# Here, because the measuring processes that are spawned import this package before anything else.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hardbench_web.settings")
os.environ.setdefault("INSECURE_LOOPBACK", "1")
os.environ.setdefault("ALLOWED_HOSTS", "127.0.0.1")
django.setup()
