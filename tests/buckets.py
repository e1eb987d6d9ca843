"""A real S3-compatible server for tests: moto's, over HTTP on a free port, one per process; a bucket per test.

It does not compare log-in data and signatures, so what our own addresses are worth is tested on ours. `Middleman`
stands between product and server, and spoils what passes.
"""

import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import boto3
import urllib3

LOGIN = {"AWS_ACCESS_KEY_ID": "AKIATESTINGHARDBENCH", "AWS_SECRET_ACCESS_KEY": "canary-of-a-secret-key/0123456789"}
numbers = itertools.count(1)


@lru_cache(maxsize=1)
def server() -> str:
    """The address of this process's server. Its threads are daemons: it ends with the process."""
    from moto.server import ThreadedMotoServer  # a second, which other tests are spared

    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    host, port = moto.get_host_and_port()
    return f"http://{host}:{port}"


def s3() -> Any:
    """The owner's own client, which knows nothing of the product."""
    return boto3.client(
        "s3",
        endpoint_url=server(),
        region_name="us-east-1",
        aws_access_key_id="owner",
        aws_secret_access_key="owner",
    )


def new_bucket() -> str:
    name = f"hardbench-{os.getpid()}-{next(numbers)}"
    s3().create_bucket(Bucket=name)
    return name


def fill(bucket: str, keys: Iterable[str]) -> None:
    """Very many objects of no bytes, laid straight into the server's memory: it runs in this process."""
    from moto.s3.models import s3_backends

    for key in keys:
        s3_backends["123456789012"]["aws"].put_object(bucket, key, b"")


def url_of(bucket: str, prefix: str = "kept", *, endpoint: str = "", more: str = "") -> str:
    return f"s3://{bucket}/{prefix}?endpoint={endpoint or server()}{more}"


def names(bucket: str) -> list[str]:
    return [one["Key"] for one in s3().list_objects_v2(Bucket=bucket).get("Contents", [])]


class Middleman(ThreadingHTTPServer):
    """Passes requests on to the server. `spoil(method, path, body)` gives another body, or an answer (status, code).

    Where it is `closed`, it lists for nobody who does not sign, as servers do and moto's does not.
    """

    daemon_threads = True

    def __init__(self, spoil: Callable[[str, str, bytes], bytes | tuple[int, str]]) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.spoil = spoil
        self.seen = list[tuple[str, str]]()
        self.closed = False
        self.pool = urllib3.PoolManager(retries=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def count(self, method: str, part: str = "") -> int:
        return sum(one == method and part in path for one, path in self.seen)


@contextmanager
def middleman(spoil: Callable[[str, str, bytes], bytes | tuple[int, str]]) -> Iterator[Middleman]:
    between = Middleman(spoil)
    thread = threading.Thread(target=between.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield between
    between.shutdown()
    between.server_close()
    thread.join(5)


class _Passing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Middleman

    def _pass(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.seen.append((self.command, self.path))
        spoilt = self.server.spoil(self.command, self.path, body)
        if self.server.closed and "list-type" in self.path and "Authorization" not in self.headers:
            spoilt = (403, "AccessDenied")
        if isinstance(spoilt, tuple):
            status, code = spoilt
            error = f"<Error><Code>{code}</Code><Message>no</Message></Error>".encode()
            return self._answer(status, {}, b"" if self.command == "HEAD" else error)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "expect")}
        answer = self.server.pool.request(
            self.command, server() + self.path, body=spoilt, headers=headers, preload_content=True, decode_content=False
        )
        return self._answer(answer.status, dict(answer.headers), answer.data)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self._pass
        raise AttributeError(name)

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in ("connection", "transfer-encoding", "content-length", "date", "server"):
                self.send_header(name, value)
        length = headers.get("Content-Length", "0") if self.command == "HEAD" else str(len(body))
        self.send_header("Content-Length", length)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""
