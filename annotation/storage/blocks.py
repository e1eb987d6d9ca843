"""Pieces of remote pyramids, kept on this machine for a while, so that a tile rarely waits for the bucket.

A pyramid is read in blocks of one MiB: the tiles that are looked at together lie together. Each block is a file of its
own, made aside and renamed, so that any number of processes may share the folder. What was asked for longest ago goes
first when the folder grows beyond its bound. Whether a pyramid still is the one whose blocks are kept is asked again
after a minute: one that was taken down is gone from every machine by then.
"""

import fcntl
import hashlib
import logging
import os
import tempfile
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from annotation.storage.door import NoSuchKey, Stored
from annotation.storage.s3 import S3Storage
from annotation.storage.streams import stream

log = logging.getLogger(__name__)

BLOCK = 1 << 20
FRESH_SECONDS = 60
MOST_REMEMBERED = 20_000
LOW_WATER = 0.9
KEPT_BELOW = "pyramids/"
SWEEP_LOCK = ".sweep"


class Blocks:
    """A folder of blocks of at most `limit` bytes, plus what each process adds before it looks again (a 32nd of it)."""

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder = folder
        self.limit = limit
        self._unswept = limit  # so that the first write of a process looks once
        self._lock = Lock()

    def get(self, name: str, start: int, stop: int) -> bytes | None:
        """Some bytes of a block; None unless all of them are kept."""
        path = self._path(name)
        try:
            with path.open("rb") as block:
                content = os.pread(block.fileno(), stop - start, start)
            os.utime(path)
        except OSError:
            return None
        return content if len(content) == stop - start else None

    def put(self, name: str, content: bytes) -> None:
        """Keep a block. A full disk costs speed, nothing else."""
        path = self._path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as part:
                part.write(content)
            Path(part.name).replace(path)
        except OSError as error:
            log.warning("A piece of a pyramid cannot be kept in %s: %s", self.folder, error.strerror)
            return
        self._note(len(content))

    def _path(self, name: str) -> Path:
        digest = hashlib.sha256(name.encode()).hexdigest()
        return self.folder / digest[:2] / digest

    def _note(self, size: int) -> None:
        with self._lock:
            self._unswept += size
            if self._unswept < self.limit // 32:
                return
            self._unswept = 0
        self.sweep()

    def sweep(self) -> None:
        """Remove what was asked for longest ago, down to nine tenths of the bound; one process at a time does it."""
        with self._alone() as mine:
            if not mine:
                return
            found = sorted(self._files())
            left = sum(size for _, size, _ in found)
            if left <= self.limit:
                return
            for _, size, path in found:
                if left <= self.limit * LOW_WATER:
                    break
                path.unlink(missing_ok=True)
                left -= size

    def size(self) -> int:
        """How many bytes are kept now."""
        return sum(size for _, size, _ in self._files())

    def _files(self) -> Iterator[tuple[float, int, Path]]:
        """When each file was last asked for, its size and its path; half-written ones of killed processes, too."""
        for folder in self.folder.glob("??"):
            with suppress(FileNotFoundError), os.scandir(folder) as inside:
                for one in inside:
                    with suppress(FileNotFoundError):
                        facts = one.stat(follow_symlinks=False)
                        yield facts.st_mtime, facts.st_size, Path(one.path)

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        with (self.folder / SWEEP_LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True


@dataclass(frozen=True, slots=True)
class _Version:
    """What the bucket said about a key, and when (seconds of this process's own clock)."""

    tag: str
    size: int
    asked: float


class WithBlocks:
    """A bucket whose pyramids are read through Blocks. Everything else goes straight to the bucket."""

    def __init__(self, inner: S3Storage, blocks: Blocks) -> None:
        self.inner = inner
        self.blocks = blocks
        self._versions: OrderedDict[str, _Version] = OrderedDict()
        self._lock = Lock()

    @property
    def where(self) -> str:
        return self.inner.where

    def write(self, key: str, content: bytes | Path) -> None:
        self.forget(key)
        self.inner.write(key, content)

    def open(self, key: str) -> BinaryIO:
        if not key.startswith(KEPT_BELOW):
            return self.inner.open(key)
        return stream(lambda offset, length: self.read_range(key, offset, length), self.size(key), window=1 << 16)

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        if not key.startswith(KEPT_BELOW):
            return self.inner.read_range(key, offset, length)
        version = self._version(key)
        end = min(offset + length, version.size)
        spans = _spans(offset, end)
        return b"".join(self._piece(key, version, number, start, stop) for number, start, stop in spans)

    def local_copy(self, key: str) -> AbstractContextManager[Path]:
        return self.inner.local_copy(key)

    def exists(self, key: str) -> bool:
        return self.inner.exists(key)

    def size(self, key: str) -> int:
        return self._version(key).size if key.startswith(KEPT_BELOW) else self.inner.size(key)

    def entries(self, prefix: str = "") -> Iterator[Stored]:
        return self.inner.entries(prefix)

    def delete(self, key: str) -> None:
        self.forget(key)
        self.inner.delete(key)

    def erase(self, key: str) -> None:
        self.forget(key)
        self.inner.erase(key)

    def signed_address(self, key: str, *, file_name: str, seconds: int) -> str:
        return self.inner.signed_address(key, file_name=file_name, seconds=seconds)

    def forget(self, key: str) -> None:
        """Ask the bucket about this key next time."""
        with self._lock:
            self._versions.pop(key, None)

    def _version(self, key: str) -> _Version:
        now = time.monotonic()
        with self._lock:
            known = self._versions.get(key)
        if known and now - known.asked < FRESH_SECONDS:
            return known
        head = self.inner.head(key)
        version = _Version(str(head["ETag"]), int(head["ContentLength"]), now)
        with self._lock:
            self._versions[key] = version
            self._versions.move_to_end(key)
            while len(self._versions) > MOST_REMEMBERED:
                self._versions.popitem(last=False)
        return version

    def _piece(self, key: str, version: _Version, number: int, start: int, stop: int) -> bytes:
        """Some bytes of a block, from the folder, else from the bucket."""
        name = "\n".join((self.where, key, version.tag, str(number)))
        size = min(BLOCK, version.size - number * BLOCK)
        if (kept := self.blocks.get(name, start, stop)) is not None:
            return kept
        content = self.inner.read_range(key, number * BLOCK, size)
        if len(content) != size:
            self.forget(key)
            raise NoSuchKey(f"{key} was replaced while it was read: ask again.")
        self.blocks.put(name, content)
        return content[start:stop]


def _spans(offset: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The blocks between two offsets, each with the part of it that lies between them."""
    while offset < end:
        number, start = divmod(offset, BLOCK)
        stop = min(BLOCK, start + end - offset)
        yield number, start, stop
        offset += stop - start
