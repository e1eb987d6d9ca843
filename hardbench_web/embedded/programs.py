"""The product's own processes: how each is started, and what a stop means to it."""

import http.client
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from hardbench_web.embedded.children import Service
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.folders import StateFolder

QUEUES = "io,image,llm,release"
CELERY = (sys.executable, "-m", "celery", "-A", "hardbench_web")
GRANIAN = (sys.executable, "-m", "granian", "--interface", "wsgi", "hardbench_web.wsgi:application")
MANAGE = (sys.executable, "manage.py")


@dataclass(frozen=True)
class Site:
    """The commands of a whole site.

    `migrate` and `prepare` run to their end, the latter when everything serves; `announce` prints what a visitor needs.
    """

    port: int
    migrate: Sequence[str]
    scheduler: Sequence[str]
    worker: Sequence[str]
    web: Sequence[str]
    prepare: Sequence[Sequence[str]] = ()
    announce: Sequence[str] = ()

    @classmethod
    def standard(cls, port: int, state: StateFolder) -> Self:
        """No pid file for the scheduler: the supervisor knows whether it runs, and a stale one would refuse its start."""
        quiet = ("--without-gossip", "--without-mingle")
        return cls(
            port=port,
            migrate=(*MANAGE, "migrate", "--database", "owner", "--no-input"),
            scheduler=(*CELERY, "beat", "--loglevel", "INFO", "--pidfile=", "--schedule", str(state.path / "schedule")),
            worker=(*CELERY, "worker", "--loglevel", "INFO", "--concurrency", "2", "--queues", QUEUES, *quiet),
            web=(*GRANIAN, "--host", "127.0.0.1", "--port", str(port), "--workers", "2", "--blocking-threads", "4"),
            prepare=((*MANAGE, "seed_demo"),),
            announce=(*MANAGE, "seed_demo", "--print-logins"),
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def background(self, state: StateFolder, env: Mapping[str, str]) -> list[Service]:
        """Scheduler and worker, in the order of their starts.

        SIGTERM lets the worker finish its tasks, SIGQUIT gives it a last moment and hands the rest back to the broker.
        Children of a worker that was killed finish their task by themselves.
        """
        worker = Service("worker", self.worker, state.log("worker"), env)
        return [
            Service("scheduler", self.scheduler, state.log("scheduler"), env),
            replace(worker, stops=((signal.SIGTERM, 90.0), (signal.SIGQUIT, 30.0)), orphans=(0, 30.0)),
        ]

    def frontend(self, state: StateFolder, env: Mapping[str, str]) -> Service:
        """Children of a killed main process would go on serving on its port, so they are told to finish."""
        web = Service("web", self.web, state.log("web"), env)
        return replace(web, ready=lambda: is_healthy(self.port), patience=60.0, orphans=(signal.SIGTERM, 15.0))


def is_healthy(port: int) -> bool:
    """Whether /healthz on this machine answers 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def refuse_taken(port: int) -> None:
    """Raises EmbeddedError if somebody else serves on the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            remedy = f"Choose another one: make demo PORT={port + 1} (or --port {port + 1})"
            raise EmbeddedError(f"Port {port} cannot be used: {error.strerror}.\n{remedy}") from None
