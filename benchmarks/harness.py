"""What measuring needs: figures, percentiles, a browser that calls the WSGI application in process, statements on the wire."""

import http.client
import io
import json
import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypedDict

from django.conf import settings
from django.db import connection
from django.test import Client

from annotation.models import Person
from hardbench_web.wsgi import application

CSRF = "b" * 32


class Figure(TypedDict):
    """One measured number. `target` and `rival` are said in words; `ratio` is our value divided by the rival's (or the
    floor's), None where nothing is compared."""

    name: str
    value: float
    unit: str
    target: str
    rival: str
    ratio: float | None


def figure(name: str, value: float, unit: str, *, target: str = "", rival: str = "", ratio: float | None = None) -> Figure:
    """A figure, rounded to what the measurement carries."""
    rounded = None if ratio is None else _rounded(ratio)
    return Figure(name=name, value=_rounded(value), unit=unit, target=target, rival=rival, ratio=rounded)


def _rounded(value: float) -> float:
    return round(value, 3 - math.floor(math.log10(abs(value)))) if value else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed (nearest rank)."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def cookies_of(person_id: int) -> str:
    """The Cookie header of this person, freshly logged in."""
    user = Person.objects.select_related("user").get(pk=person_id).user
    assert user is not None
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={CSRF}"


class Poster(Protocol):
    """Whoever can send a JSON body and tell status, parsed answer, and milliseconds."""

    def post(self, path: str, body: dict[str, Any], *, key: str = "") -> tuple[int, Any, float]: ...


class Browser:
    """A logged-in person who calls the product's WSGI application as a web server's thread does: middleware, session,
    CSRF check and connection care included, only HTTP parsing and the socket left out."""

    def __init__(self, person_id: int) -> None:
        self.cookies = cookies_of(person_id)

    def post(self, path: str, body: dict[str, Any], *, key: str = "") -> tuple[int, Any, float]:
        """As in Poster; the time ends when the response is closed."""
        payload = json.dumps(body).encode()
        environ = self._environ(path, payload, key)
        start = time.perf_counter()
        response = application(environ, lambda status, headers, *fault: io.BytesIO().write)
        answer = b"".join(response)
        response.close()
        took = (time.perf_counter() - start) * 1000
        return response.status_code, json.loads(answer or b"null"), took

    def _environ(self, path: str, payload: bytes, key: str) -> dict[str, Any]:
        return {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": path,
            "SCRIPT_NAME": "",
            "QUERY_STRING": "",
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "127.0.0.1",
            "HTTP_COOKIE": self.cookies,
            "HTTP_X_CSRFTOKEN": CSRF,
            **({"HTTP_IDEMPOTENCY_KEY": key} if key else {}),
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(payload)),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(payload),
            "wsgi.errors": io.StringIO(),
        }


class RemoteBrowser:
    """A logged-in person on the other side of a real HTTP connection, which is kept."""

    def __init__(self, cookies: str, port: int) -> None:
        self.cookies = cookies
        self.link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def post(self, path: str, body: dict[str, Any], *, key: str = "") -> tuple[int, Any, float]:
        """As in Poster; the time ends when the whole answer is here."""
        payload = json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Cookie": self.cookies, "X-CSRFToken": CSRF, "Idempotency-Key": key}
        start = time.perf_counter()
        self.link.request("POST", path, payload, headers)
        response = self.link.getresponse()
        answer = response.read()
        took = (time.perf_counter() - start) * 1000
        return response.status, json.loads(answer or b"null"), took


@contextmanager
def wire() -> Iterator[list[str]]:
    """All statements that this thread's connection sends, whoever sends them, read from libpq's own trace: also those
    that no layer of Django sees. The list is filled at the end."""
    connection.ensure_connection()
    sent: list[str] = []
    with tempfile.TemporaryFile() as trace:
        link = connection.connection.pgconn
        link.trace(trace.fileno())
        try:
            yield sent
        finally:
            link.untrace()
            trace.seek(0)
            sent.extend(_statements(trace.read().decode("utf-8", "replace")))


def _statements(trace: str) -> list[str]:
    """Lines of frontend messages that carry SQL: time, F, length, Query or Parse, text in quotes."""
    lines = [line.split("\t") for line in trace.splitlines()]
    return [line[4].strip() for line in lines if len(line) > 4 and line[1] == "F" and line[3] in ("Query", "Parse")]


BOOKKEEPING = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
HEALTH_CHECK = "SELECT 1"


def asking(statements: Sequence[str]) -> int:
    """How many of them ask or write rows: without BEGIN and COMMIT, and without the ping that a kept connection gets
    once per request."""
    texts = [statement.strip(' "') for statement in statements]
    return sum(not text.startswith(BOOKKEEPING) and text != HEALTH_CHECK for text in texts)
