"""HARDBench web: settings, URLs, Celery and the embedded servers."""

from hardbench_web.celery import app as celery_app

__all__ = ["celery_app"]
