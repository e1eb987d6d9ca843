"""The product's own processes: how web, worker and scheduler are started and what a stop means to each."""

import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from hardbench_web.embedded.children import ROOT, Service, tail
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.folders import StateFolder
from hardbench_web.embedded.supervisor import Supervisor

CELERY = (sys.executable, "-m", "celery", "-A", "hardbench_web")

QUEUES = "io,image,llm,release"


def manage(*arguments: str) -> list[str]:
    return [sys.executable, "manage.py", *arguments]


def migrate(supervisor: Supervisor, state: StateFolder, env: Mapping[str, str]) -> None:
    """Raises EmbeddedError with the end of the log if a migration fails."""
    log = state.log("migrate")
    if supervisor.run(manage("migrate", "--database", "owner", "--no-input"), env=env, cwd=ROOT, log=log):
        raise EmbeddedError(f"The migrations failed. {log} ends with\n{tail(log)}")


def worker(state: StateFolder, env: Mapping[str, str]) -> Service:
    """SIGTERM lets its children finish their tasks; SIGQUIT gives them a last moment and hands the rest back to the broker."""
    return Service(
        name="worker",
        command=[
            *CELERY,
            "worker",
            "--loglevel",
            "INFO",
            "--concurrency",
            "2",
            "--queues",
            QUEUES,
            "--without-gossip",
            "--without-mingle",
        ],
        log=state.log("worker"),
        env=env,
        stops=((signal.SIGTERM, 90.0), (signal.SIGQUIT, 30.0)),
        remains=10.0,
    )


def scheduler(state: StateFolder, env: Mapping[str, str]) -> Service:
    """Without a pid file: the supervisor knows whether it runs, and a stale file would refuse the next start."""
    return Service(
        name="scheduler",
        command=[*CELERY, "beat", "--loglevel", "INFO", "--pidfile=", "--schedule", str(state.path / "schedule")],
        log=state.log("scheduler"),
        env=env,
    )
