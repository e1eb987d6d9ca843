"""Celery: a message is a hint to look at a WorkUnit; Postgres holds the work itself."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hardbench_web.settings")

app = Celery("hardbench_web")
app.config_from_object("hardbench_web.queues")
app.autodiscover_tasks(["annotation.tasks"], related_name="work")
