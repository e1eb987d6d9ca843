"""The records of a zip archive: where its directory is, what it lists, and whether every file's own header agrees. Pure.

Everything that can be read in two ways is refused, so that no other program can understand the archive differently.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from annotation.errors import Invalid

MOST_ENTRIES = 500_000
MOST_DIRECTORY = 256 << 20

END = struct.Struct("<4s4H2IH")
END_64 = struct.Struct("<4sQ2H2I4Q")
LOCATOR = struct.Struct("<4sIQI")
CENTRAL = struct.Struct("<4s6H3I5H2I")
LOCAL = struct.Struct("<4s5H3I2H")
FULL_16, FULL_32 = 0xFFFF, 0xFFFFFFFF
SIZES_FOLLOW = 0x8
USUAL_EXTRA = 64
CLOSED_FLAGS = {0x1: "is encrypted", 0x20: "is a patch", 0x40: "is encrypted", 0x2000: "is encrypted"}
UNIX_MADE = {3, 19}
KINDS = {0: "", 0o040000: "", 0o100000: "", 0o120000: "a link", 0o020000: "a device", 0o060000: "a device", 0o010000: "a pipe"}


class ZipRefused(Invalid):
    """The archive is not taken, not even in part."""

    code = "archive-refused"


@dataclass(frozen=True, slots=True)
class Member:
    """One file as the directory tells it. `kind` names what it is if it is no plain file (`a link`), else it is empty."""

    name: str
    raw_name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    kind: str

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/")


@dataclass(frozen=True, slots=True)
class Directory:
    """Where an archive's directory lies, in bytes, and how many entries it says to have."""

    start: int
    end: int
    entries: int


def directory(stream: BinaryIO, size: int) -> Directory:
    """Where the directory is, by the one record at the archive's end."""
    stream.seek(max(0, size - END.size - FULL_16))
    tail = stream.read()
    places = [at for at in _found(tail, b"PK\x05\x06") if _fits_end(tail, at)]
    if not places:
        raise ZipRefused("This is no complete zip archive. Pack the pictures as zip, or unpack them into a folder.")
    if len(places) > 1:
        raise ZipRefused("The archive has two ends, so that it can be read in two ways.")
    record, position = END.unpack_from(tail, places[0]), size - len(tail) + places[0]
    disks, here, entries, length, start = record[1:3], *record[3:7]
    found, end = _directory_64(stream, position, record) or (Directory(start, start + length, entries), position)
    if any(disks) or here != entries:
        raise ZipRefused("The archive is one part of several. Put the parts together first.")
    if found.end != end or found.start < 0:
        raise ZipRefused("The archive's directory is not where its end says.")
    if found.entries > MOST_ENTRIES or found.end - found.start > MOST_DIRECTORY:
        raise ZipRefused(f"The archive has more than {MOST_ENTRIES} files, or a directory too large. Split it.")
    return found


def _directory_64(stream: BinaryIO, position: int, record: tuple[int, ...]) -> tuple[Directory, int] | None:
    """The directory by the records for large archives, which must not contradict the small one; and where they begin."""
    stream.seek(max(0, position - LOCATOR.size))
    locator = stream.read(LOCATOR.size) if position >= LOCATOR.size else b""
    if not locator.startswith(b"PK\x06\x07"):
        return None
    _, disk, at, disks = LOCATOR.unpack(locator)
    stream.seek(min(at, position))
    block = stream.read(END_64.size)
    if len(block) < END_64.size or not block.startswith(b"PK\x06\x06"):
        raise ZipRefused("The archive's record for large archives is missing.")
    _, size, _, _, this, first, here, entries, length, start = END_64.unpack(block)
    small = [(record[4], entries, FULL_16), (record[5], length, FULL_32), (record[6], start, FULL_32)]
    lies = any(short not in {long, full} for short, long, full in small)
    if lies or disk or this or first or disks > 1 or here != entries or at + 12 + size != position - LOCATOR.size:
        raise ZipRefused("The archive's records for large archives contradict the others.")
    return Directory(start, start + length, entries), at


def members(stream: BinaryIO, listed: Directory) -> Iterator[Member]:
    """The entries in the directory's order. Raises ZipRefused."""
    position, block = listed.start, b""
    for _ in range(listed.entries):
        if len(block) < 3 * FULL_16 + CENTRAL.size:
            stream.seek(position + len(block))
            block += stream.read(min(1 << 20, max(0, listed.end - position - len(block))))
        if len(block) < CENTRAL.size or not block.startswith(b"PK\x01\x02"):
            raise ZipRefused("The archive's directory is damaged.")
        lengths = CENTRAL.unpack_from(block)[10:13]
        used = CENTRAL.size + sum(lengths)
        if used > len(block):
            raise ZipRefused("The archive's directory is damaged.")
        yield _member(block[:used], *lengths[:2])
        position, block = position + used, block[used:]
    if position != listed.end:
        raise ZipRefused("The archive's directory has more in it than it says.")


def _member(entry: bytes, name_length: int, extra_length: int) -> Member:
    _, made, _, flags, method, _, _, crc, packed, size, *_, disk, _, mode, offset = CENTRAL.unpack_from(entry)
    raw = entry[CENTRAL.size : CENTRAL.size + name_length]
    extra = entry[CENTRAL.size + name_length : CENTRAL.size + name_length + extra_length]
    size, packed, offset = _wide((size, packed, offset), extra)
    name = _name(raw)
    for flag, what in CLOSED_FLAGS.items():
        if flags & flag:
            raise ZipRefused(f"The archive {what} ({name}). Pack the pictures plainly.")
    if disk:
        raise ZipRefused("The archive is one part of several. Put the parts together first.")
    kind = KINDS.get((mode >> 16) & 0o170000, "something special") if made >> 8 in UNIX_MADE else ""
    if name.endswith("/") and size:
        raise ZipRefused(f"The archive has a folder with content ({name}).")
    return Member(name, raw, flags, method, crc, packed, size, offset, kind)


def _wide(fields: tuple[int, ...], extra: bytes) -> Iterator[int]:
    """The fields, with those that are full taken from the extra field for large archives."""
    rest = _extra(extra, 1)
    for field in fields:
        if field != FULL_32:
            yield field
            continue
        if len(rest) < 8:
            raise ZipRefused("The archive says that a file is large, and does not say how large.")
        yield int.from_bytes(rest[:8], "little")
        rest = rest[8:]


def _extra(extra: bytes, wanted: int) -> bytes:
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == wanted:
            return extra[4 : 4 + length]
        extra = extra[4 + length :]
    return b""


def _name(raw: bytes) -> str:
    if b"\x00" in raw or not raw:
        raise ZipRefused("The archive has a file without a name, or with one that no system takes.")
    try:
        return raw.decode("utf-8")  # many programs write it without saying so
    except UnicodeDecodeError:
        return raw.decode("cp437")


def content_start(stream: BinaryIO, member: Member, most: int) -> int:
    """Where a file's content begins, if its own header says what the directory says. Raises ZipRefused."""
    stream.seek(min(member.offset, most))
    block = stream.read(LOCAL.size + len(member.raw_name) + USUAL_EXTRA)
    if len(block) < LOCAL.size or not block.startswith(b"PK\x03\x04"):
        raise ZipRefused(f"The archive's directory names a file that is not there ({member.name}).")
    _, _, flags, method, _, _, crc, packed, size, name_length, extra_length = LOCAL.unpack_from(block)
    block += stream.read(max(0, LOCAL.size + name_length + extra_length - len(block)))
    name, extra = block[LOCAL.size :][:name_length], block[LOCAL.size + name_length :][:extra_length]
    size, packed = _wide((size, packed), extra)
    later = {0} if flags & SIZES_FOLLOW else set()
    told = [(crc, member.crc), (packed, member.packed), (size, member.size)]
    differs = any(own != central and own not in later for own, central in told)
    if differs or (flags, method, name) != (member.flags, member.method, member.raw_name):
        raise ZipRefused(f"The archive's directory and a file's own header differ ({member.name}).")
    return member.offset + LOCAL.size + name_length + extra_length


def _found(block: bytes, signature: bytes) -> Iterator[int]:
    at = block.find(signature)
    while at >= 0:
        yield at
        at = block.find(signature, at + 1)


def _fits_end(tail: bytes, at: int) -> bool:
    return len(tail) >= at + END.size and at + END.size + END.unpack_from(tail, at)[7] == len(tail)
