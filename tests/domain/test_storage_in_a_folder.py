"""What a folder promises beyond what every storage does: half-written files are seen by nobody, links lead nowhere."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from annotation.hashing import sha256_hex
from annotation.storage import INCOMING, LocalStorage, OtherSum, storage_at


@pytest.fixture
def storage(tmp_path: Path) -> LocalStorage:
    return LocalStorage(tmp_path / "store")


def test_a_write_that_breaks_off_leaves_no_half_written_file(storage: LocalStorage, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        storage.write("a", tmp_path / "never made")
    assert list((storage.root / INCOMING).iterdir()) == []


def test_half_written_files_and_links_are_not_listed(storage: LocalStorage) -> None:
    storage.write("a/b", b"x")
    (storage.root / INCOMING / "part").write_bytes(b"half")
    (storage.root / "a" / "link").symlink_to("/etc/passwd")
    (storage.root / "elsewhere").symlink_to("/etc")
    assert [entry.key for entry in storage.entries()] == ["a/b"]


def test_an_original_that_rotted_on_the_disk_is_not_handed_to_anybody(storage: LocalStorage) -> None:
    key = f"originals/{sha256_hex(b'sound')[:2]}/{sha256_hex(b'sound')}"
    storage.write(key, b"sound")
    with storage.local_copy(key) as path:
        assert path.read_bytes() == b"sound"
    (storage.root / key).chmod(0o640)
    (storage.root / key).write_bytes(b"rotten")
    with pytest.raises(OtherSum, match="Restore"), storage.local_copy(key):
        pass


def test_others_on_the_machine_cannot_read_what_is_stored(storage: LocalStorage) -> None:
    storage.write("a", b"x")
    assert (storage.root / "a").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("url", ["", "s3://user:canary@bucket", "file://host/path", "file:///", "/var/lib"])
def test_a_storage_url_that_names_none_is_refused_by_name(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="STORAGE_URL") as refusal:
        storage_at(url)
    assert "canary" not in str(refusal.value)


def test_a_storage_url_names_a_folder(tmp_path: Path) -> None:
    storage = storage_at(f"file://{tmp_path}/with%20blank")
    storage.write("a", b"x")
    assert (tmp_path / "with blank" / "a").read_bytes() == b"x"
