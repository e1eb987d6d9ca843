"""The door itself: one request at a time, to an address that was checked, within limits.

The host's name is resolved once; if any of its addresses is closed the host is refused; the connection goes to one of
exactly these addresses, so that an answer that changes (rebinding) finds nobody who asks again. TLS is checked against
the name. Redirects come back here, and pass the same checks.
"""

import hashlib
import http.client
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from queue import Empty, Queue
from threading import Event, Thread, Timer
from typing import BinaryIO
from urllib.parse import urljoin

from annotation.outbound.addresses import FORBIDDEN, Policy, RefusedAddress, Target, as_ip, check, check_ip, target
from annotation.outbound.replies import REDIRECTS, Outcome, Reply, declared_length, judged

CHUNK = 1 << 16
ADDRESSES_TRIED = 4

Resolver = Callable[[str, int], list[str]]


def resolved(host: str, port: int) -> list[str]:
    """All addresses of a host by the system's resolver. Raises OSError."""
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds to resolve a name and to connect (`connect` each), between two pieces of an answer, and for all together;
    redirects followed at most."""

    connect: float = 10
    read: float = 15
    total: float = 150
    redirects: int = 4


@dataclass(frozen=True, slots=True)
class Expected:
    """What the source promises about the bytes (empty or None where it does not), and how many are taken at most."""

    most_bytes: int
    sha256: str = ""
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Door:
    """Fetches by the rules of one installation. `resolve` gives all addresses of a name; it is asked once per hop."""

    rules: Policy
    agent: str
    resolve: Resolver = resolved
    limits: Limits = field(default_factory=Limits)
    trust: ssl.SSLContext = field(default_factory=ssl.create_default_context)

    def fetch(self, url: str, out: BinaryIO, expected: Expected) -> Reply:
        """Write what is behind a URL to `out`, from its beginning; `out` is worthless unless the outcome is `fetched`."""
        until = time.monotonic() + self.limits.total
        try:
            where = target(url)
            for _ in range(self.limits.redirects + 1):
                check(where, self.rules)
                answer = self._ask(where, out, expected, until)
                if isinstance(answer, Reply):
                    return answer
                where = answer
        except RefusedAddress as refusal:
            return Reply(Outcome.REFUSED, refusal.message)
        return Reply(Outcome.REFUSED, f"The host redirects more than {self.limits.redirects} times.")

    def _ask(self, where: Target, out: BinaryIO, expected: Expected, until: float) -> Reply | Target:
        """One request: its reply, or where it redirects to."""
        try:
            opened = self._connect(self._addresses(where), where.port, until)
            with opened, _cut_at(opened, until) as late:
                try:
                    return self._talk(opened, where, out, expected)
                finally:
                    # A connection that we cut ourselves ends like one that is complete.
                    if late.is_set():
                        raise TimeoutError
        except ssl.SSLCertVerificationError as error:
            return Reply(Outcome.REFUSED, f"The host's certificate does not hold: {error.verify_message}.")
        except TimeoutError:
            return Reply(Outcome.FAILED, "The host was too slow.")
        except (OSError, http.client.HTTPException) as error:
            return Reply(Outcome.FAILED, f"The connection failed: {_shown(error)}.")

    def _addresses(self, where: Target) -> list[str]:
        literal = as_ip(where.host)
        found = [str(literal)] if literal else self._resolved(where)
        for address in found:
            check_ip(address, where.port, self.rules)
        if not found:
            raise OSError("its name has no address")
        return list(dict.fromkeys(found))

    def _resolved(self, where: Target) -> list[str]:
        """The resolver's answer within the limit for connecting: it has none of its own. Raises OSError."""
        answers: Queue[list[str] | OSError] = Queue()

        def ask() -> None:
            try:
                answers.put(self.resolve(where.host, where.port))
            except OSError as error:
                answers.put(error)

        Thread(target=ask, daemon=True).start()
        try:
            found = answers.get(timeout=self.limits.connect)
        except Empty:
            raise TimeoutError from None
        if isinstance(found, OSError):
            raise found
        return found

    def _connect(self, addresses: list[str], port: int, until: float) -> socket.socket:
        failure: OSError = TimeoutError()
        for address in addresses[:ADDRESSES_TRIED]:
            seconds = min(self.limits.connect, until - time.monotonic())
            if seconds <= 0:
                raise TimeoutError
            try:
                return socket.create_connection((address, port), timeout=seconds)
            except OSError as error:
                failure = error
        raise failure

    def _talk(self, opened: socket.socket, where: Target, out: BinaryIO, expected: Expected) -> Reply | Target:
        opened.settimeout(self.limits.read)
        line = self.trust.wrap_socket(opened, server_hostname=where.host) if where.scheme == "https" else opened
        connection = http.client.HTTPConnection(where.host, where.port)
        connection.auto_open = 0  # never connects by itself: it would resolve the name again
        connection.sock = line
        try:
            headers = {"Host": where.authority, "User-Agent": self.agent, "Accept": "image/*", "Accept-Encoding": "identity"}
            connection.request("GET", where.path, headers={**headers, "Connection": "close"})
            response = connection.getresponse()
            if response.status in REDIRECTS:
                return _redirected(where, response)
            return judged(response.status, response.headers) or _received(response, out, expected)
        finally:
            connection.close()


def _redirected(where: Target, response: http.client.HTTPResponse) -> Target:
    """Where a redirect leads. Raises RefusedAddress."""
    location = response.headers.get("Location", "").encode("latin-1", "replace").decode("utf-8", "replace")
    if not location or FORBIDDEN.search(location):
        raise RefusedAddress(f"The host answered {response.status} and does not say where the picture is.")
    try:
        found = target(urljoin(where.url, location))
    except ValueError as error:
        raise RefusedAddress("The host redirects to something that is no address.") from error
    if where.scheme == "https" and found.scheme == "http":
        raise RefusedAddress("The host redirects from https to http.")
    return found


def _received(response: http.client.HTTPResponse, out: BinaryIO, expected: Expected) -> Reply:
    """Read the body as it comes, and stop as soon as it cannot be the picture."""
    length = declared_length(response.headers) if response.length is not None else None
    nothing = Reply(Outcome.FETCHED, status=response.status)
    if max(length or 0, expected.size or 0) > expected.most_bytes:
        return _too_large(nothing, expected)
    if length is not None and expected.size not in {None, length}:
        return _other(nothing, f"The host announces {length} bytes", f"{expected.size} bytes")
    most = expected.most_bytes if expected.size is None else expected.size
    out.seek(0)
    out.truncate()
    digest, received = hashlib.sha256(), 0
    while piece := response.read1(CHUNK):
        received += len(piece)
        if received > most:
            break
        digest.update(piece)
        out.write(piece)
    found = replace(nothing, bytes=received, sha256=digest.hexdigest())
    return _judged_body(found, length, expected)


def _judged_body(found: Reply, length: int | None, expected: Expected) -> Reply:
    if found.bytes > expected.most_bytes:
        return _too_large(found, expected)
    if length is not None and found.bytes < length:
        return replace(found, outcome=Outcome.FAILED, reason=f"The connection ended after {found.bytes} of {length} bytes.")
    if expected.size not in {None, found.bytes}:
        more = "more than " if found.bytes > (expected.size or 0) else ""
        return _other(found, f"The host sent {more}{min(found.bytes, expected.size or 0)} bytes", f"{expected.size} bytes")
    if expected.sha256 not in {"", found.sha256}:
        return _other(found, f"The file has sha256 {found.sha256}", expected.sha256)
    return found


def _too_large(found: Reply, expected: Expected) -> Reply:
    return replace(found, outcome=Outcome.REFUSED, reason=f"The file is larger than {expected.most_bytes // 10**6} MB.")


def _other(found: Reply, has: str, promised: str) -> Reply:
    return replace(found, outcome=Outcome.MISMATCH, reason=f"{has}; the source promises {promised}.")


@contextmanager
def _cut_at(opened: socket.socket, until: float) -> Iterator[Event]:
    """Cut the connection at a moment, whoever waits for it then: limits between two pieces do not bound their number."""
    late, line = Event(), opened.dup()

    def cut() -> None:
        late.set()
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    timer = Timer(max(0.0, until - time.monotonic()), cut)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
        line.close()


def _shown(error: Exception) -> str:
    return (str(error) or type(error).__name__)[:200]
