"""Pictures that lie somewhere: in a folder, in a zip archive, below a prefix of object storage.

Each verb gives one Arrival per picture, whose outcome is committed by then: a run that was killed goes on where it
stopped when it is started again. Only names that a source wants are looked at; those that are not there stay wanted.
"""

import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar

from annotation.errors import Invalid
from annotation.images.names import fits
from annotation.images.operations.taking import OtherBytes, take_pieces
from annotation.images.pixels import Refused
from annotation.images.zips import Archive
from annotation.models import Acquisition, AcquisitionState, Person, Source
from annotation.sources.licences import Licence
from annotation.storage import NoSuchKey, StorageShut

CHUNK = 1 << 20
BATCH = 1000


@dataclass(frozen=True, slots=True)
class Arrival:
    """What became of one name: `stored`, `refused`, `mismatch`, or `absent` where no such file was found."""

    name: str
    state: str
    reason: str = ""


class Shelf(Protocol):
    """Object storage as far as pictures are taken from it. Faults of the medium itself stay OSError."""

    def keys(self, prefix: str) -> Iterator[str]:
        """All keys that begin with a prefix, lazily."""

    def open(self, key: str) -> BinaryIO:
        """A stream of what is stored. Raises annotation.storage.NoSuchKey."""


def acquire_from_folder(
    *, source: Source, folder: Path, by: Person, licences: Mapping[str, Licence] | None = None
) -> Iterator[Arrival]:
    """Take what a source wants by path from the files below a folder. A link that leads out of it is refused."""
    root = Path(os.path.realpath(folder))
    for name in _wanted(source):
        file = next((at for at in _spellings(name) if os.path.lexists(root / at)), None)
        if file is None:
            yield Arrival(name, "absent")
        else:
            yield _take(_file_pieces(root, file), source, name, by, licences)


def acquire_from_zip(
    *, source: Source, archive: Path, by: Person, below: str = "", licences: Mapping[str, Licence] | None = None
) -> Iterator[Arrival]:
    """Take what a source wants from a zip archive, where names are those of the files below the folder `below`.

    Raises ZipRefused before anything is taken where the archive as a whole is not sound.
    """
    with archive.open("rb") as stream:
        opened = Archive(stream)
        files = (member for member in opened.members() if not member.is_folder and member.name.startswith(below))
        while chunk := list(islice(files, BATCH)):
            by_name = _by_spelling({member.name.removeprefix(below): member for member in chunk})
            for name in _wanted_among(source, by_name):
                yield _take(opened.pieces(by_name[name]), source, name, by, licences)


def acquire_from_prefix(
    *, source: Source, shelf: Shelf, prefix: str, by: Person, licences: Mapping[str, Licence] | None = None
) -> Iterator[Arrival]:
    """Take what a source wants from object storage, where a picture's key is its name after the prefix.

    Raises StorageFault where the storage does not answer; what came before it is kept.
    """
    keys = iter(shelf.keys(prefix))
    while chunk := list(islice(keys, BATCH)):
        by_name = _by_spelling({key.removeprefix(prefix): key for key in chunk})
        for name in _wanted_among(source, by_name):
            yield _take(_shelf_pieces(shelf, by_name[name]), source, name, by, licences)


def _take(pieces: Iterable[bytes], source: Source, name: str, by: Person, licences: Mapping[str, Licence] | None) -> Arrival:
    table = licences or {}
    licence = table.get(name) or table.get(name.rpartition("/")[2])
    try:
        take_pieces(pieces=pieces, by=by, source=source, name=name, licence=licence)
    except OtherBytes as refusal:
        return Arrival(name, "mismatch", refusal.message)
    except Invalid as refusal:
        return Arrival(name, "refused", refusal.message)
    except NoSuchKey:
        return Arrival(name, "absent", "It went away while pictures were taken.")
    except StorageShut as fault:
        return Arrival(name, "absent", str(fault))  # an archived object, or one that is not for us: others may still come
    return Arrival(name, "stored")


def _wanted(source: Source) -> Iterator[str]:
    """Names of all wanted pictures that are no addresses, in steps, so that what is taken meanwhile does not matter."""
    rows = Acquisition.objects.filter(source=source, state=AcquisitionState.WANTED, host="").order_by("pk")
    last = 0
    while chunk := list(rows.filter(pk__gt=last).values_list("pk", "name")[:BATCH]):
        yield from (name for _, name in chunk)
        last = chunk[-1][0]


def _wanted_among(source: Source, found: Iterable[str]) -> list[str]:
    possible = [name for name in found if fits(name)]
    rows = Acquisition.objects.filter(source=source, state=AcquisitionState.WANTED, name__in=possible)
    return list(rows.order_by("pk").values_list("name", flat=True))


T = TypeVar("T")


def _by_spelling(named: Mapping[str, T]) -> dict[str, T]:
    """The same by every spelling of each name; the one that is written so is preferred."""
    return {spelling: thing for name, thing in named.items() for spelling in _spellings(name)} | dict(named)


def _spellings(name: str) -> list[str]:
    """The name, and how other systems write its accents."""
    return list(dict.fromkeys([name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)]))


def _file_pieces(root: Path, name: str) -> Iterator[bytes]:
    """The bytes of a plain file below a folder."""
    try:
        # Not blocking: a pipe would wait for somebody to write.
        opened = os.open(root / name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Refused("missing", error.strerror or "") from error
    try:
        _check_plain(opened, root)
        yield from iter(lambda: os.read(opened, CHUNK), b"")
    finally:
        os.close(opened)


def _check_plain(opened: int, root: Path) -> None:
    """Where a file really is, and what it is, is asked of the open file, not of its name, which may change meanwhile."""
    if not Path(os.readlink(f"/proc/self/fd/{opened}")).is_relative_to(root):
        raise Refused("missing", "Its path leads out of the image folder.")
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        raise Refused("missing", "It is no plain file.")


def _shelf_pieces(shelf: Shelf, key: str) -> Iterator[bytes]:
    with shelf.open(key) as stream:
        yield from iter(lambda: stream.read(CHUNK), b"")
