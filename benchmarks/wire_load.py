"""Load over kept connections by a client that does as little as it can, for it shares the cores with the server."""

import multiprocessing
import socket
import time
from concurrent.futures import ProcessPoolExecutor

CLIENTS, PROCESSES, PER_CLIENT, WARM_UP = 8, 2, 1500, 100
CHUNK = 1 << 18
END = b"\r\n\r\n"
LAST = b"0\r\n\r\n"


def rate(port: int, addresses: list[str]) -> float:
    """Requests a second of CLIENTS connections in PROCESSES processes; each connection has one request under way."""
    requests = [_request(address) for address in addresses]
    with ProcessPoolExecutor(PROCESSES, mp_context=multiprocessing.get_context("fork")) as pool:
        spans = list(pool.map(_load, [port] * PROCESSES, [requests] * PROCESSES))
    return CLIENTS * PER_CLIENT / (max(end for _, end in spans) - min(start for start, _ in spans))


def _request(address: str) -> bytes:
    return f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: image/*\r\n\r\n".encode()


def _load(port: int, requests: list[bytes]) -> tuple[float, float]:
    """When the measured part began and ended, by the clock that all processes share."""
    links = [socket.create_connection(("127.0.0.1", port)) for _ in range(CLIENTS // PROCESSES)]
    _rounds(links, requests, WARM_UP)
    start = time.monotonic()
    _rounds(links, requests, PER_CLIENT)
    end = time.monotonic()
    for link in links:
        link.close()
    return start, end


def _rounds(links: list[socket.socket], requests: list[bytes], count: int) -> None:
    """All links ask at once; then their answers are read in turn."""
    buffer = bytearray(CHUNK)
    for number in range(count):
        for place, link in enumerate(links):
            link.sendall(requests[(number * len(links) + place) % len(requests)])
        for link in links:
            _read_answer(link, buffer)


def _read_answer(link: socket.socket, buffer: bytearray) -> None:
    got, view = 0, memoryview(buffer)
    while (end := buffer.find(END, 0, got)) < 0:
        got += _received(link, view[got:])
    head = bytes(buffer[:end]).lower()
    if not head.startswith(b"http/1.1 200"):
        raise RuntimeError(f"A tile answered {head[:20]!r}.")
    size = head.partition(b"content-length:")[2].split(b"\r\n", 1)[0]
    if size:
        left = int(size) - (got - end - len(END))
        while left > 0:
            left -= _received(link, view[: min(left, CHUNK)])
        return
    # Granian sends files in chunks of unknown number; the last one is empty.
    while buffer[got - len(LAST) : got] != LAST:
        got += _received(link, view[got:])


def _received(link: socket.socket, into: memoryview) -> int:
    count = link.recv_into(into)
    if not count:
        raise RuntimeError("The server closed the connection, or its answer is too long.")
    return count
