"""A stand-in for web, worker or scheduler: `fake_part.py NAME JOURNAL [PORT]` writes down what happens to it.

It keeps a child of its own, as a prefork worker does; both write down the signals they get. With a port it answers /healthz.
When told to stop it writes which stores it could still reach.
"""

import os
import signal
import socket
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any
from urllib.parse import unquote

name, journal = sys.argv[1:3]
port = int(sys.argv[3]) if len(sys.argv) > 3 else 0


def note(words: str) -> None:
    with open(journal, "a") as file:
        file.write(f"{words}\n")


def reachable(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(path) == 0


def stores() -> str:
    database = unquote(os.environ["DATABASE_URL"].split("@")[1].split(":")[0]) + "/.s.PGSQL.5432"
    broker = os.environ["REDIS_URL"].split("//")[1].split("?")[0]
    return " ".join(word for word, path in (("postgres", database), ("valkey", broker)) if reachable(path))


class Healthy(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *words: Any) -> None:
        """Silence."""


def leave(*_: Any) -> None:
    note(f"child of {name} told")
    os._exit(0)


def child() -> None:
    """Lives until its parent closes the pipe, as prefork children do; one of the web goes on serving until it is told."""
    signal.signal(signal.SIGTERM, leave)
    os.close(writing)
    os.read(reading, 1)
    while port:
        signal.pause()
    os._exit(0)


def stop(*_: Any) -> None:
    note(f"{name} stopped beside {stores()}")
    os.kill(forked, signal.SIGKILL)
    sys.exit(0)


reading, writing = os.pipe()
forked = os.fork()
if forked == 0:
    child()
signal.signal(signal.SIGTERM, stop)
if port:
    Thread(target=HTTPServer(("127.0.0.1", port), Healthy).serve_forever, daemon=True).start()
note(f"{name} started {os.environ['DEMO']}{os.environ['INSECURE_LOOPBACK']}{os.environ['DEBUG']}")
while True:
    signal.pause()
