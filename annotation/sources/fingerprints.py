"""What tells one file of rows from another, and how long it is. Pure."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotation.hashing import canonical_json, sha256_hex
from annotation.sources.faults import Unreadable

CHUNK = 1 << 20
PARQUET = b"PAR1"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A file's name, the sha256 of its bytes, and its line ends (0 in a table that has no lines).

    Of a folder: the sha256 of its files' names and sums.
    """

    name: str
    sha256: str
    lines: int


def fingerprint(path: Path) -> Fingerprint:
    """Reads the file, or the files of a folder, once. Raises Unreadable."""
    try:
        if not path.is_dir():
            return Fingerprint(path.name, *_summed(path))
        sums = {at.relative_to(path).as_posix(): _summed(at) for at in _files(path)}
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}.", field="file") from error
    names = {name: sha256 for name, (sha256, _) in sums.items()}
    return Fingerprint(path.name, sha256_hex(canonical_json(names)), sum(lines for _, lines in sums.values()))


def _files(folder: Path) -> Iterator[Path]:
    for at in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in at.relative_to(folder).parts)
        if at.is_file() and not hidden:
            yield at


def _summed(path: Path) -> tuple[str, int]:
    digest, lines, first = hashlib.sha256(), 0, b""
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            first = first or chunk[:4]
            digest.update(chunk)
            lines += chunk.count(b"\n")
    return digest.hexdigest(), 0 if first == PARQUET else lines
