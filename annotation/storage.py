"""The one door to stored bytes: originals, pyramids, release files.

Keys are made by the product (hashes and random words), never from what somebody typed; they are checked all the same.
What is stored under a key never changes: writing the same bytes again is fine, other bytes are refused.
"""

import filecmp
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Protocol
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from annotation.errors import Conflict, Invalid, Missing

KEY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
LONGEST_KEY = 120
INCOMING = ".incoming"  # no key can begin with a dot, so half-written files are out of every key's reach


class BadKey(Invalid):
    """A storage key of a shape that the product never makes."""

    code = "bad-storage-key"


class NoSuchKey(Missing):
    """Nothing is stored under this key."""

    code = "nothing-stored"


class KeyTaken(Conflict):
    """Other bytes are stored under this key already."""

    code = "storage-key-taken"


class Storage(Protocol):
    """What every kind of storage can do. Faults of the medium itself (full, unreachable) stay OSError: they may pass."""

    def write(self, key: str, content: bytes | Path) -> None:
        """Store bytes, or a copy of a file: visible whole or not at all. Raises KeyTaken."""

    def open(self, key: str) -> BinaryIO:
        """A seekable stream of what is stored. Raises NoSuchKey."""

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        """At most `length` bytes from `offset`; fewer at the end. Raises NoSuchKey."""

    def local_copy(self, key: str) -> AbstractContextManager[Path]:
        """A path that other programs may read while the context lasts. Raises NoSuchKey."""

    def exists(self, key: str) -> bool:
        """Whether something is stored under the key."""

    def size(self, key: str) -> int:
        """Size in bytes. Raises NoSuchKey."""

    def delete(self, key: str) -> None:
        """Forget the bytes; fine if there are none."""


class LocalStorage:
    """Storage in one folder. A write is made elsewhere, synced and linked into place, so readers never see a part."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, key: str, content: bytes | Path) -> None:
        target = self._path(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        incoming = self.root / INCOMING
        incoming.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=incoming) as part:
            _pour(content, part)
            part.flush()
            os.fsync(part.fileno())
            _settle(Path(part.name), target)

    def open(self, key: str) -> BinaryIO:
        path = self._path(key)
        try:
            return path.open("rb")
        except FileNotFoundError as error:
            raise _missing(key) from error

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        with self.open(key) as stream:
            return os.pread(stream.fileno(), length, offset)

    @contextmanager
    def local_copy(self, key: str) -> Iterator[Path]:
        if not self.exists(key):
            raise _missing(key)
        yield self._path(key)

    def exists(self, key: str) -> bool:
        return self._path(key).is_file()

    def size(self, key: str) -> int:
        try:
            return self._path(key).stat().st_size
        except FileNotFoundError as error:
            raise _missing(key) from error

    def delete(self, key: str) -> None:
        self._path(key).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        if len(key) > LONGEST_KEY or not KEY.fullmatch(key):
            raise BadKey(f"{key!r} is no storage key: use letters, digits, '-', '_' and '.', parted by '/'.")
        return self.root / key


def store() -> Storage:
    """The storage that STORAGE_URL names."""
    return storage_at(settings.STORAGE_URL)


@lru_cache(maxsize=8)
def storage_at(url: str) -> Storage:
    """The storage at a URL such as `file:///var/lib/hardbench`. Raises ImproperlyConfigured for what is not built."""
    parts = urlsplit(url)
    path = Path(unquote(parts.path))
    if parts.scheme != "file" or parts.netloc or not path.is_absolute() or path == Path("/"):
        raise ImproperlyConfigured(f"STORAGE_URL is {url!r}: write file:// and the absolute path of a folder.")
    return LocalStorage(path)


def _pour(content: bytes | Path, out: object) -> None:
    if isinstance(content, bytes):
        out.write(content)  # type: ignore[attr-defined]
        return
    with content.open("rb") as source:
        shutil.copyfileobj(source, out, 1 << 20)  # type: ignore[arg-type]


def _settle(part: Path, target: Path) -> None:
    """Give finished bytes their name. A link, unlike a rename, fails where the name is taken, also in a race."""
    part.chmod(0o640)
    try:
        os.link(part, target)
    except FileExistsError as error:
        if not filecmp.cmp(part, target, shallow=False):
            raise KeyTaken("Other bytes are stored under this key: what is stored never changes.") from error
        return
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # without it a power cut may forget the name of bytes that were reported as stored
    finally:
        os.close(folder)


def _missing(key: str) -> NoSuchKey:
    return NoSuchKey(f"Nothing is stored under {key!r}: it was never written, or it was taken down.")
