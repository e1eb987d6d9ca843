"""Celery's settings, loaded by `hardbench_web.celery` on first use: how messages travel and how long tasks may run."""

from django.conf import settings

HARD_LIMIT = 300
"""Seconds the longest task may run. Leases of work units are longer, the visibility timeout longer still."""
QUEUES = ("io", "image", "llm", "release")
SWEEP_SECONDS = 5

broker_url = settings.REDIS_URL
broker_transport_options = {
    "visibility_timeout": 3 * HARD_LIMIT,
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "unacked_mutex_expire": 5,
    "socket_timeout": 30,
    # A page that tells workers to look must not wait for a broker that is gone: the sweep tells them again.
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
}
visibility_timeout = 3 * HARD_LIMIT
broker_connection_retry_on_startup = True
task_publish_retry = False
task_acks_late = True
task_reject_on_worker_lost = True
task_ignore_result = True
task_time_limit = HARD_LIMIT
task_soft_time_limit = HARD_LIMIT - 10
task_default_queue = "io"
task_serializer = "json"
accept_content = ["json"]
worker_prefetch_multiplier = 1
worker_soft_shutdown_timeout = 20
worker_max_tasks_per_child = 200
worker_max_memory_per_child = 400_000
worker_hijack_root_logger = False
beat_schedule = {"sweep": {"task": "annotation.tasks.work.sweep", "schedule": SWEEP_SECONDS}}
timezone = "UTC"
