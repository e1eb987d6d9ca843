"""HARDBench web: settings, URLs, Celery and the embedded servers."""

import os

# The launcher of the embedded servers starts before there is a database, a broker or a secret to configure Django with.
if "DJANGO_SETTINGS_MODULE" in os.environ:
    from hardbench_web.celery import app as celery_app

    __all__ = ["celery_app"]
