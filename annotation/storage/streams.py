"""A stream over bytes that are read piece by piece from elsewhere."""

import io
from collections.abc import Callable
from typing import BinaryIO, cast

WINDOW = 4 << 20


class Ranges(io.RawIOBase):
    """Seekable, read-only; each read asks for one range."""

    def __init__(self, read: Callable[[int, int], bytes], size: int) -> None:
        super().__init__()
        self._read = read
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]
        wanted = min(len(buffer), self._size - self._at)
        if wanted <= 0:
            return 0
        piece = self._read(self._at, wanted)
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


def stream(read: Callable[[int, int], bytes], size: int, window: int = WINDOW) -> BinaryIO:
    """A stream of `size` bytes; `read(offset, length)` is asked for at most `window` bytes ahead."""
    return cast(BinaryIO, io.BufferedReader(Ranges(read, size), max(1, min(window, size))))
