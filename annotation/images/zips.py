"""Zip archives from outside, read without believing them. Pure.

The archive is looked through once, and refused as a whole, before any picture is taken out. Nothing is ever extracted
by a name that the archive says: names are only compared.
"""

import unicodedata
import zlib
from array import array
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from annotation.errors import Invalid
from annotation.images.zip_records import Member, ZipRefused, content_start, directory, members

MOST_RATIO = 20  # of all files unpacked to the archive's size: pictures are packed already
MOST_OF_ONE = 250  # of one file unpacked to packed
SPARE = 100 << 20
CHUNK = 1 << 18
STORED, DEFLATED = 0, 8


class BadMember(Invalid):
    """One file of a sound archive is not what the archive says."""

    code = "archive-member-bad"


class Archive:
    """An archive that passed all checks; `stream` stays open as long as it is used. Raises ZipRefused."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.bytes = stream.seek(0, 2)
        self._directory = directory(stream, self.bytes)
        self._seen: set[int] = set()
        self._twins: set[int] = set()
        self._look_through()

    def __len__(self) -> int:
        return self._directory.entries

    def members(self) -> Iterator[Member]:
        """The entries in the directory's order."""
        return members(self._stream, self._directory)

    def has_twin(self, member: Member) -> bool:
        """Whether another entry has the same name, or one that differs in case or in how accents are written only."""
        return _key(member.name) in self._twins

    def pieces(self, member: Member) -> Iterator[bytes]:
        """The bytes of one file. Raises BadMember, also after pieces were given: they are worth nothing then."""
        if self.has_twin(member):
            raise BadMember("The archive has two files whose names differ in case or accents only, or not at all.")
        if member.kind:
            raise BadMember(f"In the archive this is {member.kind}, not a file.")
        if member.method not in {STORED, DEFLATED}:
            raise BadMember("It is packed in a way that is not read here. Pack the archive anew, with deflate.")
        if member.size > MOST_OF_ONE * member.packed + SPARE:
            raise BadMember("It unpacks to far more than a picture would.")
        yield from _checked(member, self._unpacked(member))

    def _unpacked(self, member: Member) -> Iterator[bytes]:
        position, left = content_start(self._stream, member, self._directory.start), member.packed
        unpack = zlib.decompressobj(-zlib.MAX_WBITS) if member.method == DEFLATED else None
        while left:
            self._stream.seek(position)
            packed = self._stream.read(min(left, CHUNK))
            if not packed:
                raise BadMember("The archive ends inside this file.")
            position, left = position + len(packed), left - len(packed)
            yield from _inflated(unpack, packed) if unpack else [packed]
        while unpack and not unpack.eof:
            # What is still inside the unpacker comes without more input; nothing more means that the end is missing.
            if piece := unpack.decompress(b"", CHUNK):
                yield piece
                continue
            raise BadMember("Its packed bytes end too early.")

    def _look_through(self) -> None:
        """Every entry against its own header and all others. Raises ZipRefused."""
        starts, ends, total = array("Q"), array("Q"), 0
        listed = self.members()
        while chunk := list(islice(listed, 1000)):
            for member in chunk:
                total += member.size
                starts.append(member.offset)
                ends.append(content_start(self._stream, member, self._directory.start) + member.packed)
                self._note_twin(member)
            if total > MOST_RATIO * self.bytes + SPARE:
                raise ZipRefused("The archive unpacks to far more than pictures would.")
        _check_apart(starts, ends, self._directory.start)

    def _note_twin(self, member: Member) -> None:
        key = _key(member.name)
        (self._twins if key in self._seen else self._seen).add(key)


def _key(name: str) -> int:
    return hash(unicodedata.normalize("NFC", name).casefold())


def _checked(member: Member, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces, as long as they are no more than the directory says; at the end exactly those."""
    size = crc = 0
    for piece in pieces:
        size, crc = size + len(piece), zlib.crc32(piece, crc)
        if size > member.size:
            break
        yield piece
    if size != member.size or crc != member.crc:
        raise BadMember("Its bytes are not those that the archive's directory tells of.")


def _inflated(unpack: "zlib._Decompress", packed: bytes) -> Iterator[bytes]:
    try:
        while packed:
            yield unpack.decompress(packed, CHUNK)
            packed = unpack.unconsumed_tail
            if unpack.unused_data:
                raise BadMember("More bytes follow its packed ones.")
    except zlib.error as error:
        raise BadMember("Its packed bytes are damaged.") from error


def _check_apart(starts: "array[int]", ends: "array[int]", most: int) -> None:
    """Raises ZipRefused if two files share bytes, or one reaches into the directory."""
    reached = 0
    for place in sorted(range(len(starts)), key=starts.__getitem__):
        if starts[place] < reached:
            raise ZipRefused("Files of the archive overlap: it would unpack to more than it holds.")
        reached = ends[place]
    if reached > most:
        raise ZipRefused("A file of the archive reaches into its directory.")
