"""Storage in a folder."""

import filecmp
import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from annotation.hashing import sha256_file
from annotation.storage.door import CHUNK, Stored, check_sum, checked, missing, promised_sum, taken

INCOMING = ".incoming"  # no key can begin with a dot, so half-written files are out of every key's reach


class LocalStorage:
    """Storage in one folder. A write is made elsewhere, synced and linked into place, so readers never see a part."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def where(self) -> str:
        return f"file://{self.root}"

    def write(self, key: str, content: bytes | Path) -> None:
        target = self._path(key)
        self.root.mkdir(mode=0o750, parents=True, exist_ok=True)  # others on the machine have no business in it
        target.parent.mkdir(parents=True, exist_ok=True)
        incoming = self.root / INCOMING
        incoming.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=incoming) as part:
            check_sum(key, _pour(content, part))
            part.flush()
            os.fsync(part.fileno())
            _settle(Path(part.name), target, key)

    def open(self, key: str) -> BinaryIO:
        path = self._path(key)
        try:
            return path.open("rb")
        except FileNotFoundError as error:
            raise missing(key) from error

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        with self.open(key) as stream:
            return os.pread(stream.fileno(), length, offset)

    @contextmanager
    def local_copy(self, key: str) -> Iterator[Path]:
        path = self._path(key)
        if not path.is_file():
            raise missing(key)
        if promised_sum(key):
            check_sum(key, sha256_file(path))
        yield path

    def exists(self, key: str) -> bool:
        return self._path(key).is_file()

    def size(self, key: str) -> int:
        try:
            return self._path(key).stat().st_size
        except FileNotFoundError as error:
            raise missing(key) from error

    def entries(self, prefix: str = "") -> Iterator[Stored]:
        folder = prefix.rpartition("/")[0]
        start = self._path(folder) if folder else self.root
        return (found for found in _below(start, f"{folder}/" if folder else "") if found.key.startswith(prefix))

    def delete(self, key: str) -> None:
        self._path(key).unlink(missing_ok=True)

    def erase(self, key: str) -> None:
        path = self._path(key)
        path.unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            _sync(path.parent)

    def signed_address(self, key: str, *, file_name: str, seconds: int) -> str:
        return ""

    def _path(self, key: str) -> Path:
        return self.root / checked(key)


def _below(folder: Path, above: str) -> Iterator[Stored]:
    """Plain files below a folder; a folder stands where its name with a slash would, as in a bucket. Links are no files."""
    try:
        with os.scandir(folder) as found:
            inside = [one for one in found if not one.name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return
    for one in sorted(inside, key=lambda entry: os.fsencode(entry.name) + b"/" * entry.is_dir(follow_symlinks=False)):
        if one.is_dir(follow_symlinks=False):
            yield from _below(folder / one.name, f"{above}{one.name}/")
        elif one.is_file(follow_symlinks=False):
            with suppress(FileNotFoundError):  # it may go while we look
                yield Stored(f"{above}{one.name}", one.stat(follow_symlinks=False).st_size)


def _pour(content: bytes | Path, out: object) -> str:
    """Write the content; its sha256."""
    digest = hashlib.sha256()
    for piece in _pieces(content):
        digest.update(piece)
        out.write(piece)  # type: ignore[attr-defined]
    return digest.hexdigest()


def _pieces(content: bytes | Path) -> Iterable[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as source:
        yield from iter(lambda: source.read(CHUNK), b"")


def _settle(part: Path, target: Path, key: str) -> None:
    """Give finished bytes their name. A link, unlike a rename, fails where the name is taken, also in a race."""
    part.chmod(0o640)
    try:
        os.link(part, target)
    except FileExistsError as error:
        if not filecmp.cmp(part, target, shallow=False):
            raise taken(key) from error
        return
    _sync(target.parent)  # without it a power cut may forget the name of bytes that were reported as stored


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
