"""The door to stored bytes: whole or not at all, never changed, never outside its folder."""

import threading
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from annotation.storage import INCOMING, BadKey, KeyTaken, LocalStorage, NoSuchKey, storage_at


@pytest.fixture
def storage(tmp_path: Path) -> LocalStorage:
    return LocalStorage(tmp_path / "store")


def test_what_was_written_is_read_back_whole_and_in_part(storage: LocalStorage) -> None:
    storage.write("originals/ab/abc", b"0123456789")
    with storage.open("originals/ab/abc") as stream:
        assert stream.read() == b"0123456789"
    assert storage.read_range("originals/ab/abc", 3, 4) == b"3456"
    assert storage.read_range("originals/ab/abc", 8, 100) == b"89"
    assert storage.size("originals/ab/abc") == 10


def test_a_file_is_copied_in(storage: LocalStorage, tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(b"pixels")
    storage.write("a", tmp_path / "picture")
    (tmp_path / "picture").write_bytes(b"changed afterwards")
    with storage.local_copy("a") as path:
        assert path.read_bytes() == b"pixels"


def test_the_same_bytes_twice_are_fine_and_other_bytes_are_refused(storage: LocalStorage) -> None:
    storage.write("a", b"first")
    storage.write("a", b"first")
    with pytest.raises(KeyTaken):
        storage.write("a", b"other")
    assert storage.read_range("a", 0, 99) == b"first"


def test_a_write_that_breaks_off_leaves_nothing(storage: LocalStorage, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        storage.write("a", tmp_path / "never made")
    assert not storage.exists("a")
    assert list((storage.root / INCOMING).iterdir()) == []


def test_of_two_writers_with_different_bytes_exactly_one_wins(storage: LocalStorage) -> None:
    lost: list[KeyTaken] = []

    def write(content: bytes) -> None:
        try:
            storage.write("a", content * 100_000)
        except KeyTaken as error:
            lost.append(error)

    writers = [threading.Thread(target=write, args=(bytes([letter]),)) for letter in b"abcdefgh"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(lost) == 7
    assert len(set(storage.read_range("a", 0, 100_000))) == 1


def test_deleted_bytes_are_gone_and_deleting_twice_is_fine(storage: LocalStorage) -> None:
    storage.write("a", b"x")
    storage.delete("a")
    storage.delete("a")
    with pytest.raises(NoSuchKey):
        storage.open("a")
    with pytest.raises(NoSuchKey):
        storage.size("a")
    with pytest.raises(NoSuchKey), storage.local_copy("a"):
        pass


@pytest.mark.parametrize(
    "key",
    ["", "/etc/passwd", "../x", "a/../b", "a//b", "a/", ".hidden", "a/.hidden", "a b", "a\x00", "a\n", "ä", "a\\b", "x" * 121],
)
def test_a_key_that_the_product_never_makes_is_refused(storage: LocalStorage, key: str) -> None:
    with pytest.raises(BadKey):
        storage.write(key, b"x")
    with pytest.raises(BadKey):
        storage.open(key)


@pytest.mark.parametrize("url", ["", "s3://bucket", "file://host/path", "file:///", "/var/lib"])
def test_a_storage_url_that_is_not_built_is_refused_by_name(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="STORAGE_URL"):
        storage_at(url)


def test_a_storage_url_names_a_folder(tmp_path: Path) -> None:
    storage = storage_at(f"file://{tmp_path}/with%20blank")
    storage.write("a", b"x")
    assert (tmp_path / "with blank" / "a").read_bytes() == b"x"
