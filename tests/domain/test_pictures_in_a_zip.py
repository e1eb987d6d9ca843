"""Pictures in a zip archive: matched by name, never extracted by it; whatever can be read in two ways is refused."""

import io
import random
import stat
import struct
import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.images import zips
from annotation.images.operations import ZipRefused, acquire_from_zip, want
from annotation.models import Acquisition, Image, Person
from annotation.sources.rows import Wanted
from tests import pictures
from tests.factories import make_source


@pytest.fixture(autouse=True)
def _own_storage(tmp_path: Path, settings: object) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"  # type: ignore[attr-defined]


def picture(width: int = 60) -> bytes:
    return pictures.encoded(pictures.scene(width, 40), "JPEG")


def packed(
    path: Path,
    files: dict[str, bytes],
    compression: int = zipfile.ZIP_DEFLATED,
    change: Callable[[zipfile.ZipInfo], None] | None = None,
) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = compression
            if change:
                change(info)
            archive.writestr(info, content)
    return path


def wants(*names: str) -> None:
    want(source=make_source(), wanted=[Wanted(name) for name in names])


def arrived(path: Path, by: Person, **rest: str) -> dict[str, str]:
    return {arrival.name: arrival.state for arrival in acquire_from_zip(source=make_source(), archive=path, by=by, **rest)}


def refusal(path: Path) -> str:
    """Why the archive is refused as a whole."""
    with path.open("rb") as stream, pytest.raises(ZipRefused) as caught:
        zips.Archive(stream)
    return caught.value.message


def patched(path: Path, change: Callable[[bytearray], None]) -> Path:
    block = bytearray(path.read_bytes())
    change(block)
    path.write_bytes(block)
    return path


def directory_of(block: bytes) -> int:
    return struct.unpack_from("<I", block, len(block) - 22 + 16)[0]


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_only_what_the_source_wants_is_taken(tmp_path: Path, max_: Person, compression: int) -> None:
    path = packed(
        tmp_path / "a.zip", {"sub/": b"", "sub/a.jpg": picture(), "b.jpg": picture(70), "notes.txt": b"x" * 1000}, compression
    )
    wants("sub/a.jpg", "none.jpg")
    assert arrived(path, max_) == {"sub/a.jpg": "stored"}
    assert arrived(path, max_) == {}
    assert Image.objects.get().width == 60
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.zip", "storage"]


def test_names_may_lie_below_a_folder_of_the_archive(tmp_path: Path, max_: Person) -> None:
    path = packed(tmp_path / "a.zip", {"images/a.jpg": picture(), "a.jpg": b"another"})
    wants("a.jpg")
    assert arrived(path, max_, below="images/") == {"a.jpg": "stored"}


def test_a_streamed_archive_and_one_with_large_file_records_are_read(tmp_path: Path, max_: Person) -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.held = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, piece: object) -> int:
            self.held += bytes(piece)  # type: ignore[call-overload]
            return len(bytes(piece))  # type: ignore[call-overload]

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("streamed.jpg", "w") as out:
        out.write(picture())
    (tmp_path / "streamed.zip").write_bytes(pipe.held)
    with zipfile.ZipFile(tmp_path / "large.zip", "w") as archive, archive.open("large.jpg", "w", force_zip64=True) as out:
        out.write(picture(70))
    wants("streamed.jpg", "large.jpg")
    assert arrived(tmp_path / "streamed.zip", max_) == {"streamed.jpg": "stored"}
    assert arrived(tmp_path / "large.zip", max_) == {"large.jpg": "stored"}


def test_more_than_65535_files_need_the_records_for_large_archives(tmp_path: Path, max_: Person) -> None:
    path = packed(tmp_path / "a.zip", {**{f"{n}.txt": b"" for n in range(66_000)}, "a.jpg": picture()}, zipfile.ZIP_STORED)
    wants("a.jpg")
    assert arrived(path, max_) == {"a.jpg": "stored"}

    def lie(block: bytearray) -> None:
        at = block.rindex(b"PK\x06\x06")
        struct.pack_into("<Q", block, at + 32, 66_000)

    assert refusal(patched(path, lie))


def test_names_that_lead_elsewhere_are_never_written_nor_taken(tmp_path: Path, max_: Person) -> None:
    evil = ["../../etc/x.jpg", "/etc/x.jpg", "C:\\x.jpg", "..\\x.jpg", "a/../../x.jpg", "con.jpg", "x" * 3000, "a.jpg/"]
    path = packed(tmp_path / "a.zip", {name: b"" if name.endswith("/") else picture() for name in evil})
    want(source=make_source(), wanted=[Wanted(name) for name in evil])
    assert arrived(path, max_) == {"con.jpg": "stored"}
    assert Acquisition.objects.filter(state="refused").count() == 6
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.zip", "storage"]


def test_twins_in_case_or_accents_are_refused_and_others_taken(tmp_path: Path, max_: Person) -> None:
    accents = [unicodedata.normalize(form, "é.jpg") for form in ("NFC", "NFD")]
    path = packed(
        tmp_path / "a.zip",
        {"a.jpg": picture(), "A.jpg": picture(61), accents[0]: picture(), accents[1]: picture(), "b.jpg": picture()},
    )
    wants("a.jpg", accents[0], "b.jpg")
    assert arrived(path, max_) == {"a.jpg": "refused", accents[0]: "refused", "b.jpg": "stored"}
    assert "two files" in Acquisition.objects.get(name="a.jpg").reason


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_name_twice_is_refused(tmp_path: Path, max_: Person) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.jpg", picture())
        archive.writestr("a.jpg", picture(61))
    wants("a.jpg")
    assert arrived(tmp_path / "a.zip", max_) == {"a.jpg": "refused"}


@pytest.mark.parametrize(("kind", "word"), [(stat.S_IFLNK, "a link"), (stat.S_IFIFO, "a pipe"), (stat.S_IFCHR, "a device")])
def test_links_pipes_and_devices_are_refused(tmp_path: Path, max_: Person, kind: int, word: str) -> None:
    def special(info: zipfile.ZipInfo) -> None:
        info.external_attr = (kind | 0o644) << 16

    path = packed(tmp_path / "a.zip", {"a.jpg": b"/etc/passwd"}, change=special)
    wants("a.jpg")
    assert arrived(path, max_) == {"a.jpg": "refused"}
    assert word in Acquisition.objects.get().reason


def test_an_archive_inside_an_archive_is_no_picture(tmp_path: Path, max_: Person) -> None:
    inner = packed(tmp_path / "inner.zip", {"a.jpg": picture()})
    wants("a.jpg", "inner.zip")
    assert arrived(packed(tmp_path / "a.zip", {"inner.zip": inner.read_bytes()}), max_) == {"inner.zip": "refused"}


def test_other_packings_are_refused_with_the_remedy(tmp_path: Path, max_: Person) -> None:
    wants("a.jpg")
    assert arrived(packed(tmp_path / "a.zip", {"a.jpg": picture()}, zipfile.ZIP_BZIP2), max_) == {"a.jpg": "refused"}
    assert "Pack the archive anew" in Acquisition.objects.get().reason


def test_a_damaged_file_is_refused_and_its_neighbour_taken(tmp_path: Path, max_: Person) -> None:
    path = packed(tmp_path / "a.zip", {"a.jpg": picture(), "b.jpg": picture(61)}, zipfile.ZIP_STORED)
    patched(path, lambda block: block.__setitem__(100, block[100] ^ 1))
    wants("a.jpg", "b.jpg")
    assert arrived(path, max_) == {"a.jpg": "refused", "b.jpg": "stored"}
    assert "not those" in Acquisition.objects.get(name="a.jpg").reason


def test_a_file_that_unpacks_to_more_than_it_says_is_stopped(tmp_path: Path, max_: Person) -> None:
    path = packed(tmp_path / "a.zip", {"a.jpg": bytes(10_000_000)})

    def lie(block: bytearray) -> None:
        struct.pack_into("<I", block, 22, 1000)
        struct.pack_into("<I", block, directory_of(block) + 24, 1000)

    patched(path, lie)
    wants("a.jpg")
    assert arrived(path, max_) == {"a.jpg": "refused"}
    with path.open("rb") as stream:
        opened = zips.Archive(stream)
        member = next(opened.members())
        given: list[int] = []
        with pytest.raises(zips.BadMember):
            given.extend(len(piece) for piece in opened.pieces(member))
        assert sum(given) <= 1000


def test_a_bomb_is_refused_before_a_byte_is_unpacked(tmp_path: Path) -> None:
    assert "far more" in refusal(packed(tmp_path / "one.zip", {"a.jpg": bytes(300 << 20)}))
    assert "far more" in refusal(packed(tmp_path / "many.zip", {f"{n}.jpg": bytes(3 << 20) for n in range(100)}))


def test_overlapping_files_as_in_the_better_bombs_are_refused(tmp_path: Path) -> None:
    """Two names for one file: both entries of the directory point to the same bytes."""
    path = packed(tmp_path / "a.zip", {"a.jpg": picture(), "b.jpg": picture()}, zipfile.ZIP_STORED)

    def point(block: bytearray) -> None:
        first = directory_of(block)
        second = block.index(b"PK\x01\x02", first + 4)
        struct.pack_into("<I", block, second + 42, 0)
        block[second + 46 : second + 51] = b"a.jpg"

    assert "overlap" in refusal(patched(path, point))


def test_a_million_empty_files_are_refused_by_their_number(tmp_path: Path) -> None:
    entry = b"PK\x01\x02" + bytes(24) + struct.pack("<H", 1) + bytes(16) + b"x"
    count = 1_000_000
    end = struct.pack("<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, count * len(entry), 0)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, count * len(entry), 1)
    small = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, count * len(entry), 0, 0)
    (tmp_path / "a.zip").write_bytes(entry * count + end + locator + small)
    assert "more than 500000 files" in refusal(tmp_path / "a.zip")


CHANGES: dict[str, Callable[[bytearray, int], None]] = {
    "encrypted": lambda block, at: struct.pack_into("<H", block, at + 8, 1),
    "name": lambda block, at: struct.pack_into("<5s", block, at + 46, b"c.jpg"),
    "size": lambda block, at: struct.pack_into("<I", block, at + 24, 7),
    "packed size": lambda block, at: struct.pack_into("<I", block, at + 20, 7),
    "checksum": lambda block, at: struct.pack_into("<I", block, at + 16, 7),
    "method": lambda block, at: struct.pack_into("<H", block, at + 10, 8),
    "NUL in a name": lambda block, at: struct.pack_into("<5s", block, at + 46, b"a\0jpg"),
    "another disk": lambda block, at: struct.pack_into("<H", block, at + 34, 1),
    "offset": lambda block, at: struct.pack_into("<I", block, at + 42, 9),
    "offset far away": lambda block, at: struct.pack_into("<I", block, at + 42, 0xFFFFFFF0),
    "large without saying": lambda block, at: struct.pack_into("<I", block, at + 24, 0xFFFFFFFF),
    "large offset without saying": lambda block, at: struct.pack_into("<I", block, at + 42, 0xFFFFFFFF),
    "name longer than all": lambda block, at: struct.pack_into("<H", block, at + 28, 60_000),
    "signature": lambda block, at: struct.pack_into("<I", block, at, 7),
    "disk of the end": lambda block, at: struct.pack_into("<H", block, len(block) - 18, 1),
    "files of the end": lambda block, at: struct.pack_into("<HH", block, len(block) - 14, 3, 3),
    "fewer files": lambda block, at: struct.pack_into("<HH", block, len(block) - 14, 1, 1),
    "files on this disk": lambda block, at: struct.pack_into("<H", block, len(block) - 14, 1),
    "directory's size": lambda block, at: struct.pack_into("<I", block, len(block) - 10, 5),
    "directory's start": lambda block, at: struct.pack_into("<I", block, len(block) - 6, 5),
    "comment's length": lambda block, at: struct.pack_into("<H", block, len(block) - 2, 5),
    "a tail": lambda block, at: block.extend(b"<script>"),
    "a head": lambda block, at: block.__setitem__(slice(0, 0), b"#!/bin/sh\n"),
    "two ends": lambda block, at: (struct.pack_into("<H", block, len(block) - 2, 22), block.extend(b"PK\5\6" + bytes(18)))[0],
    "cut": lambda block, at: block.__delitem__(slice(len(block) - 30, None)),
    "nothing": lambda block, at: block.clear(),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_an_archive_that_contradicts_itself_is_refused_whole(tmp_path: Path, what: str) -> None:
    path = packed(tmp_path / "a.zip", {"a.jpg": picture(), "b.jpg": picture()}, zipfile.ZIP_STORED)
    assert refusal(patched(path, lambda block: CHANGES[what](block, directory_of(block))))


@pytest.mark.parametrize(
    "content", [b"", b"PK\x05\x06", b"\x1f\x8b" + bytes(600), b"a/b.jpg".ljust(257, b"\0") + b"ustar" + bytes(1000)]
)
def test_what_is_no_zip_is_refused_with_the_remedy(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.tar.gz").write_bytes(content)
    assert "Pack the pictures as zip" in refusal(tmp_path / "a.tar.gz")


def test_any_changed_byte_is_refused_or_harmless(tmp_path: Path) -> None:
    """Whatever is changed anywhere: a whole file comes out as it went in, or a named error does."""
    content = picture()
    whole = packed(tmp_path / "a.zip", {"a.jpg": content, "b.jpg": content[:500]}).read_bytes()
    chance = random.Random(7)
    for _ in range(1500):
        block = bytearray(whole)
        place = chance.choice([chance.randrange(len(block)), len(block) - 1 - chance.randrange(160)])
        block[place] = chance.randrange(256)
        try:
            opened = zips.Archive(io.BytesIO(block))
            for member in opened.members():
                assert b"".join(opened.pieces(member)) in {content, content[:500]}
        except (ZipRefused, zips.BadMember):
            continue
