"""Reading tiles out of pyramids: one zip per picture, its directory read once, a tile is one read of a byte range.

Entries are stored uncompressed, so an entry's bytes are the JPEG itself. Every read is checked against the entry's own
header and checksum: a pyramid that was replaced or damaged is noticed and never served.
"""

import json
import struct
import time
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from annotation.errors import Conflict, Missing
from annotation.images import tiling
from annotation.storage import NoSuchKey, Storage

LOCAL_HEADER = struct.Struct("<4s22xHH")  # signature, then the lengths of name and extra field
SIGNATURE = b"PK\x03\x04"
SPARE = 64  # bytes read beyond name and content, for an extra field
TILE_SUFFIX = "/0/default.jpg"
FRESH_SECONDS = 60
MOST_ENTRIES = 60_000  # tiles of all remembered directories: some 15 MB


class DamagedPyramid(Conflict):
    """The pyramid's file is not what tiling wrote. The remedy is to tile the picture again."""

    code = "pyramid-damaged"


class NoSuchTile(Missing):
    """The pyramid is fine and has no tile of this name."""

    code = "no-such-tile"


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a tile is: the offset of its header, the length of its path inside the zip, its size and its CRC-32."""

    offset: int
    path_length: int
    size: int
    crc: int


@dataclass(frozen=True, slots=True)
class Pyramid:
    """A picture's size in pixels and its tiles by canonical name (`<region>/<size>`)."""

    width: int
    height: int
    entries: dict[str, Entry]


def read_directory(storage: Storage, key: str) -> Pyramid:
    """The directory of one pyramid. Raises NoSuchKey, DamagedPyramid."""
    with storage.open(key) as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                entries = dict(_named(entry) for entry in archive.infolist() if entry.filename.endswith(TILE_SUFFIX))
                info = json.loads(archive.read(_info_name(archive)))
                return Pyramid(int(info["width"]), int(info["height"]), entries)
        except (zipfile.BadZipFile, EOFError, ValueError, KeyError, TypeError, struct.error) as error:
            raise _damaged(key, str(error)) from error


def check_complete(pyramid: Pyramid, key: str) -> None:
    """Raises DamagedPyramid unless the directory names exactly the tiles that the picture's size asks for."""
    wanted = {cut.name for cut in tiling.tiles(pyramid.width, pyramid.height)}
    if wanted != pyramid.entries.keys():
        raise _damaged(key, f"{len(wanted ^ pyramid.entries.keys())} tiles are missing or too many")


def read_entry(storage: Storage, key: str, name: str, entry: Entry) -> bytes:
    """The bytes of one tile. Raises NoSuchKey, DamagedPyramid."""
    blob = storage.read_range(key, entry.offset, LOCAL_HEADER.size + entry.path_length + SPARE + entry.size)
    if len(blob) < LOCAL_HEADER.size:
        raise _damaged(key, f"it ends before {name}")
    signature, path_length, extra_length = LOCAL_HEADER.unpack_from(blob)
    start = LOCAL_HEADER.size + path_length + extra_length
    content = blob[start : start + entry.size]
    if signature != SIGNATURE or len(content) != entry.size or zlib.crc32(content) != entry.crc:
        raise _damaged(key, f"the bytes of {name} are not those that were written")
    return content


class Directories:
    """The directories read last, for one process. Safe to use from several threads.

    Whether a pyramid is still there is asked again after FRESH_SECONDS: one that was taken down is not described for longer.
    """

    def __init__(self, *, most_entries: int = MOST_ENTRIES, clock: Callable[[], float] = time.monotonic) -> None:
        self._most_entries = most_entries
        self._clock = clock
        self._known: OrderedDict[tuple[Storage, str], Pyramid] = OrderedDict()
        self._seen: dict[tuple[Storage, str], float] = {}
        self._entries = 0
        self._lock = Lock()

    def get(self, storage: Storage, key: str) -> Pyramid:
        """The directory of a pyramid, from memory where it can be. Raises NoSuchKey, DamagedPyramid."""
        place = (storage, key)
        with self._lock:
            if found := self._known.get(place):
                self._known.move_to_end(place)
            stale = self._clock() - self._seen.get(place, 0.0) > FRESH_SECONDS
        if found and not (stale and self._is_gone(place)):
            return found
        return self._remember(place, read_directory(storage, key))

    def forget(self, storage: Storage, key: str) -> None:
        """Read this directory anew next time."""
        with self._lock:
            if gone := self._known.pop((storage, key), None):
                self._entries -= len(gone.entries)
            self._seen.pop((storage, key), None)

    def tile(self, storage: Storage, key: str, name: str) -> bytes:
        """One tile. Raises NoSuchKey, NoSuchTile, DamagedPyramid."""
        pyramid = self.get(storage, key)
        if name not in pyramid.entries:
            raise NoSuchTile(f"This picture has no tile {name!r}.")
        try:
            return read_entry(storage, key, name, pyramid.entries[name])
        except (DamagedPyramid, NoSuchKey):
            # The file may have been replaced or taken down since its directory was read.
            self.forget(storage, key)
            pyramid = self.get(storage, key)
            if name not in pyramid.entries:
                raise
            return read_entry(storage, key, name, pyramid.entries[name])

    def _is_gone(self, place: tuple[Storage, str]) -> bool:
        storage, key = place
        if not storage.exists(key):
            self.forget(storage, key)
            return True
        with self._lock:
            self._seen[place] = self._clock()
        return False

    def _remember(self, place: tuple[Storage, str], pyramid: Pyramid) -> Pyramid:
        with self._lock:
            if place not in self._known:
                self._entries += len(pyramid.entries)
            self._known[place], self._seen[place] = pyramid, self._clock()
            while self._entries > self._most_entries and len(self._known) > 1:
                forgotten, oldest = self._known.popitem(last=False)
                self._entries -= len(oldest.entries)
                self._seen.pop(forgotten, None)
        return pyramid


directories = Directories()


def _named(entry: zipfile.ZipInfo) -> tuple[str, Entry]:
    if entry.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{entry.filename} is compressed")
    name = entry.filename.removesuffix(TILE_SUFFIX).partition("/")[2]
    return name, Entry(entry.header_offset, len(entry.filename.encode()), entry.file_size, entry.CRC)


def _info_name(archive: zipfile.ZipFile) -> str:
    return next((name for name in archive.namelist() if name.endswith("/info.json")), "info.json")


def _damaged(key: str, why: str) -> DamagedPyramid:
    return DamagedPyramid(f"The pyramid {key} is damaged ({why}): tile the picture again.")
