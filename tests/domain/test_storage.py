"""What every kind of storage promises, asked of a folder and of a bucket behind a real server."""

from pathlib import Path
from threading import Barrier, Thread

import pytest

from annotation.errors import DomainError
from annotation.hashing import sha256_hex
from annotation.storage import BadKey, KeyTaken, NoSuchKey, OtherSum, Storage, Stored, storage_at


@pytest.fixture
def storage(storage_url: str) -> Storage:
    return storage_at(storage_url)


def original(content: bytes) -> str:
    return f"originals/{sha256_hex(content)[:2]}/{sha256_hex(content)}"


def test_what_was_written_is_read_back_whole_and_in_part(storage: Storage) -> None:
    storage.write("originals/ab/abc", b"0123456789")
    with storage.open("originals/ab/abc") as stream:
        assert stream.read() == b"0123456789"
        assert stream.seek(-3, 2) == 7
        assert stream.read(2) == b"78"
    assert storage.read_range("originals/ab/abc", 3, 4) == b"3456"
    assert storage.read_range("originals/ab/abc", 8, 100) == b"89"
    assert storage.read_range("originals/ab/abc", 10, 1) == b""
    assert storage.read_range("originals/ab/abc", 3, 0) == b""
    assert storage.size("originals/ab/abc") == 10


def test_a_pyramid_is_read_in_parts_too(storage: Storage, tmp_path: Path) -> None:
    content = bytes(range(256)) * 12_000  # three blocks
    (tmp_path / "picture").write_bytes(content)
    storage.write("pyramids/ab/x.zip", tmp_path / "picture")
    for offset, length in [(0, 10), (1_048_570, 20), (5, 2_500_000), (3_071_990, 100), (3_072_000, 5), (4_000_000, 5)]:
        assert storage.read_range("pyramids/ab/x.zip", offset, length) == content[offset : offset + length]
    with storage.open("pyramids/ab/x.zip") as stream:
        assert stream.read() == content


def test_a_file_is_copied_in_and_out(storage: Storage, tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(b"bytes")
    storage.write("a", tmp_path / "picture")
    (tmp_path / "picture").unlink()
    with storage.local_copy("a") as path:
        assert path.read_bytes() == b"bytes"


def test_nothing_at_all_can_be_stored_too(storage: Storage) -> None:
    storage.write("a", b"")
    with storage.open("a") as stream:
        assert stream.read() == b""
    assert (storage.size("a"), storage.exists("a")) == (0, True)


def test_the_same_bytes_twice_are_fine_and_other_bytes_are_refused(storage: Storage) -> None:
    storage.write("a", b"first")
    storage.write("a", b"first")
    with pytest.raises(KeyTaken):
        storage.write("a", b"other")
    assert storage.read_range("a", 0, 99) == b"first"


def test_a_key_that_is_a_sum_takes_no_other_bytes(storage: Storage) -> None:
    with pytest.raises(OtherSum):
        storage.write(original(b"one"), b"two")
    assert not storage.exists(original(b"one"))
    storage.write(original(b"one"), b"one")
    assert storage.exists(original(b"one"))


def test_a_write_that_breaks_off_leaves_nothing(storage: Storage, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        storage.write("a", tmp_path / "never made")
    assert not storage.exists("a")
    assert list(storage.entries()) == []


def test_of_two_writers_with_different_bytes_exactly_one_wins(storage: Storage) -> None:
    start, refused = Barrier(2), list[str]()

    def write(content: bytes) -> None:
        start.wait()
        try:
            storage.write("a", content * 100_000)
        except KeyTaken as refusal:
            refused.append(refusal.code)

    writers = [Thread(target=write, args=(content,)) for content in (b"x", b"y")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    assert refused == ["storage-key-taken"]
    assert len(set(storage.read_range("a", 0, 100_000))) == 1


@pytest.mark.parametrize("verb", ["delete", "erase"])
def test_what_was_deleted_is_gone_and_deleting_twice_is_fine(storage: Storage, verb: str) -> None:
    for key in ("a", "pyramids/ab/x.zip"):
        storage.write(key, b"x")
        assert storage.read_range(key, 0, 1) == b"x"
        getattr(storage, verb)(key)
        getattr(storage, verb)(key)
        assert not storage.exists(key)
        for read in (storage.open, storage.size, lambda key: storage.read_range(key, 0, 1)):
            with pytest.raises(NoSuchKey):
                read(key)
        with pytest.raises(NoSuchKey), storage.local_copy(key):
            pass


def test_a_neighbour_stays_when_one_is_erased(storage: Storage) -> None:
    for key in ("a", "ab", "a.b"):
        storage.write(key, key.encode())
    storage.erase("a")
    assert [entry.key for entry in storage.entries()] == ["a.b", "ab"]


def test_what_is_missing_is_named_with_the_remedy(storage: Storage) -> None:
    with pytest.raises(NoSuchKey, match=r"originals/ab/abc.*take it in again") as error:
        storage.open("originals/ab/abc")
    assert isinstance(error.value, DomainError)


def test_all_that_is_stored_is_listed_in_the_order_of_the_keys(storage: Storage) -> None:
    kept = ["a/b/c", "a-b", "a.b", "a/b.c", "ab", "a/b/d", "B"]
    for key in kept:
        storage.write(key, key.encode())
    assert list(storage.entries()) == [Stored(key, len(key)) for key in sorted(kept)]
    assert [entry.key for entry in storage.entries("a/b")] == ["a/b.c", "a/b/c", "a/b/d"]
    assert [entry.key for entry in storage.entries("a/b/")] == ["a/b/c", "a/b/d"]
    assert list(storage.entries("none/")) == []


@pytest.mark.parametrize(
    "key",
    ["", "/etc/passwd", "../x", "a/../b", "a//b", "a/", ".hidden", "a/.hidden", "a b", "a\x00", "a\n", "ä", "a\\b", "x" * 121],
)
def test_a_key_that_the_product_never_makes_is_refused(storage: Storage, key: str) -> None:
    for verb in (lambda: storage.write(key, b"x"), lambda: storage.open(key), lambda: storage.erase(key)):
        with pytest.raises(BadKey):
            verb()
