"""Hosts on loopback that behave as hosts do, and as they should not. Real sockets, one thread per visit."""

import datetime
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

Answer = Callable[["Visit"], None]


class Visit:
    """One request: its path and header lines, and the connection to answer on as one likes."""

    def __init__(self, line: socket.socket, stop: Event) -> None:
        self.line, self.stop = line, stop
        head = b""
        while b"\r\n\r\n" not in head and (piece := line.recv(65536)):
            head += piece
        self.lines = head.decode("latin-1").split("\r\n")
        self.path = self.lines[0].split(" ")[1]

    def headers(self) -> dict[str, str]:
        return dict(line.split(": ", 1) for line in self.lines[1:] if ": " in line)

    def say(self, text: str | bytes) -> None:
        self.line.sendall(text.encode("latin-1") if isinstance(text, str) else text)

    def answer(self, status: str = "200 OK", body: bytes = b"", **headers: object) -> None:
        """A whole answer; the length is added unless the headers tell one."""
        told = {"Content-Length": len(body)} | {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{name}: {value}" for name, value in told.items() if value is not None]
        self.say("\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]))
        self.say(body)

    def drip(self, piece: bytes, seconds: float) -> None:
        """The same few bytes for ever, or until the visitor leaves."""
        while not self.stop.wait(seconds):
            self.say(piece)


class Host:
    """A host that answers by path, and remembers who came for what."""

    def __init__(self, trust: ssl.SSLContext | None = None) -> None:
        self.answers: dict[str, Answer] = {}
        self.visits: list[Visit] = []
        self._stop, self._trust = Event(), trust
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._threads = [Thread(target=self._serve)]
        self._threads[0].start()

    def url(self, path: str = "/a.jpg", host: str = "127.0.0.1") -> str:
        return f"{'https' if self._trust else 'http'}://{host}:{self.port}{path}"

    def says(self, path: str, status: str = "200 OK", body: bytes = b"", **headers: object) -> str:
        """Let this path have this answer; the URL of it."""
        self.answers[path] = lambda visit: visit.answer(status, body, **headers)
        return self.url(path)

    def does(self, path: str, answer: Answer) -> str:
        self.answers[path] = answer
        return self.url(path)

    def close(self) -> None:
        self._stop.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in self._threads:
            thread.join(10)

    def _serve(self) -> None:
        while not self._stop.is_set():
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            self._threads.append(Thread(target=self._meet, args=(line,)))
            self._threads[-1].start()

    def _meet(self, line: socket.socket) -> None:
        # The visitor may leave at any time; that is what these tests are about.
        with suppress(OSError, IndexError):
            with self._trust.wrap_socket(line, server_side=True) if self._trust else line as opened:
                visit = Visit(opened, self._stop)
                self.visits.append(visit)
                self.answers.get(visit.path, lambda unknown: unknown.answer("404 Not Found"))(visit)


@contextmanager
def host(trust: ssl.SSLContext | None = None) -> Iterator[Host]:
    found = Host(trust)
    try:
        yield found
    finally:
        found.close()


def certificate(folder: Path, *names: str) -> Path:
    """A self-signed certificate with its key for these names, in one PEM file."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0])])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(called, called, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([_name(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / f"{names[0]}.pem"
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


def _name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
