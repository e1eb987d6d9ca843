"""The same work over HTTP, served as the product serves it: the figure that compares with what rivals were measured at.

The rivals' numbers come from the same kind of run on the same kind of machine: two cores for server, database and load
together, eight annotators without think time, ten thousand tasks.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

from benchmarks import databases
from benchmarks.harness import Figure, RemoteBrowser, cookies_of, figure, percentile
from benchmarks.review import DOCCANO_VOTES, FIRST_MEASURED, LABEL_STUDIO_NEXT_MS, RIVALS, rate_of, sum_of, timed_work

CLIENTS, WORKERS, BLOCKING_THREADS = 8, 2, 4
START_WITHIN = 30.0


def votes_over_http() -> list[Figure]:
    """Votes a second and latency of eight clients against Granian with two workers of four threads."""
    name = databases.ensure(databases.TEN_THOUSAND, anew=True)
    databases.use(name, "default")
    cookies = [cookies_of(FIRST_MEASURED + number) for number in range(CLIENTS)]
    with served(name) as port, ThreadPoolExecutor(CLIENTS) as pool:
        times = sum_of(list(pool.map(lambda cookie: timed_work(RemoteBrowser(cookie, port)), cookies)))
    rate = rate_of(times)
    next_p50 = percentile(times.next, 0.5)
    return [
        figure("votes a second over HTTP, 8 clients, 10,000 items", rate, "votes/s", rival=RIVALS, ratio=rate / DOCCANO_VOTES),
        figure(
            "next over HTTP, 8 clients, p50", next_p50, "ms",
            rival=f"Label Studio 1.23: {LABEL_STUDIO_NEXT_MS} ms", ratio=next_p50 / LABEL_STUDIO_NEXT_MS,
        ),
        figure("next over HTTP, 8 clients, p95", percentile(times.next, 0.95), "ms"),
        figure("vote over HTTP, 8 clients, p50", percentile(times.vote, 0.5), "ms"),
        figure("vote over HTTP, 8 clients, p95", percentile(times.vote, 0.95), "ms"),
    ]  # fmt: skip


@contextmanager
def served(database: str) -> Iterator[int]:
    """The product on a free port of this machine, with this database; stopped at the end."""
    port = free_port()
    env = {**os.environ, "DATABASE_URL": on_database(os.environ["DATABASE_URL"], database)}
    command = [sys.executable, "-W", "ignore", "-m", "granian", "--interface", "wsgi", "hardbench_web.wsgi:application"]
    options = ["--host", "127.0.0.1", "--port", str(port), "--workers", str(WORKERS), "--blocking-threads", str(BLOCKING_THREADS)]
    server = subprocess.Popen([*command, *options], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=30)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def on_database(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def wait_for(port: int) -> None:
    deadline = time.monotonic() + START_WITHIN
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"The web server did not answer on port {port} within {START_WITHIN:.0f} s.")


MEASURES = {"web": votes_over_http}
