"""Pictures that lie in a folder or below a prefix of object storage: only what is wanted, and nothing from outside."""

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from annotation.hashing import sha256_file
from annotation.images.operations import acquire_from_folder, acquire_from_prefix, want
from annotation.images.operations.settling import settle_refusal
from annotation.models import Acquisition, AcquisitionState, Image, Person, WorkUnit
from annotation.sources.licences import Licence
from annotation.sources.rows import Wanted
from annotation.storage import LocalStorage
from tests import pictures
from tests.factories import make_source


@pytest.fixture(autouse=True)
def _own_storage(tmp_path: Path, settings: object) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"  # type: ignore[attr-defined]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """a.jpg, sub/b.jpg, and one that nobody wants."""
    (tmp_path / "photos" / "sub").mkdir(parents=True)
    pictures.jpeg(tmp_path / "photos" / "a.jpg", 60, 40)
    pictures.jpeg(tmp_path / "photos" / "sub" / "b.jpg", 70, 40)
    pictures.jpeg(tmp_path / "photos" / "unwanted.jpg", 80, 40)
    return tmp_path / "photos"


def wants(*names: str) -> None:
    want(source=make_source(), wanted=[Wanted(name) for name in names])


def arrived(folder: Path, by: Person, **rest: object) -> dict[str, str]:
    found = acquire_from_folder(source=make_source(), folder=folder, by=by, **rest)  # type: ignore[arg-type]
    return {arrival.name: arrival.state for arrival in found}


def test_only_what_the_source_wants_is_taken_and_queued(folder: Path, max_: Person) -> None:
    wants("a.jpg", "sub/b.jpg", "none.jpg")
    assert arrived(folder, max_) == {"a.jpg": "stored", "sub/b.jpg": "stored", "none.jpg": "absent"}
    assert dict(Acquisition.objects.values_list("name", "state")) == {
        "a.jpg": "stored",
        "sub/b.jpg": "stored",
        "none.jpg": "wanted",
    }
    assert Image.objects.count() == WorkUnit.objects.filter(kind="tile").count() == 2
    row = Acquisition.objects.get(name="a.jpg")
    assert row.received_bytes == (folder / "a.jpg").stat().st_size
    assert row.fetched_at is not None


def test_a_second_run_takes_only_what_was_missing(folder: Path, max_: Person) -> None:
    wants("a.jpg", "later.jpg")
    arrived(folder, max_)
    pictures.jpeg(folder / "later.jpg", 90, 40)
    assert arrived(folder, max_) == {"later.jpg": "stored"}
    assert arrived(folder, max_) == {}


def test_a_link_out_of_the_folder_is_refused_and_one_inside_is_fine(folder: Path, tmp_path: Path, max_: Person) -> None:
    secret = pictures.jpeg(tmp_path / "secret.jpg", 50, 50)
    (tmp_path / "outside").mkdir()
    pictures.jpeg(tmp_path / "outside" / "c.jpg", 51, 50)
    (folder / "out.jpg").symlink_to(secret)
    (folder / "relative.jpg").symlink_to("../secret.jpg")
    (folder / "door").symlink_to(tmp_path / "outside")
    (folder / "in.jpg").symlink_to("a.jpg")
    (folder / "dangling.jpg").symlink_to("nowhere.jpg")
    wants("out.jpg", "relative.jpg", "door/c.jpg", "in.jpg", "dangling.jpg")
    refused = dict.fromkeys(["out.jpg", "relative.jpg", "door/c.jpg", "dangling.jpg"], "refused")
    assert arrived(folder, max_) == {**refused, "in.jpg": "stored"}
    assert "leads out" in Acquisition.objects.get(name="out.jpg").reason


def test_the_folder_itself_may_be_a_link(folder: Path, tmp_path: Path, max_: Person) -> None:
    (tmp_path / "link").symlink_to(folder)
    wants("a.jpg")
    assert arrived(tmp_path / "link", max_) == {"a.jpg": "stored"}


def test_pipes_folders_and_closed_files_are_refused_without_waiting(folder: Path, max_: Person) -> None:
    os.mkfifo(folder / "pipe.jpg")
    wants("pipe.jpg", "sub")
    assert arrived(folder, max_) == {"pipe.jpg": "refused", "sub": "refused"}


def test_a_promise_of_the_source_is_held_against_the_bytes(folder: Path, max_: Person) -> None:
    good = sha256_file(folder / "a.jpg")
    want(source=make_source(), wanted=[Wanted("a.jpg", good), Wanted("sub/b.jpg", good), Wanted("unwanted.jpg", size=3)])
    assert arrived(folder, max_) == {"a.jpg": "stored", "sub/b.jpg": "mismatch", "unwanted.jpg": "mismatch"}
    assert "promises" in Acquisition.objects.get(name="sub/b.jpg").reason


def test_what_is_no_picture_is_refused_with_the_gates_reason(folder: Path, max_: Person) -> None:
    (folder / "page.jpg").write_text("<html>not found</html>")
    wants("page.jpg")
    assert arrived(folder, max_) == {"page.jpg": "refused"}
    assert "no JPEG" in Acquisition.objects.get().reason


def test_accents_are_found_however_the_other_system_wrote_them(folder: Path, max_: Person) -> None:
    pictures.jpeg(folder / unicodedata.normalize("NFD", "Überblick.jpg"), 61, 40)
    wants("Überblick.jpg")
    assert arrived(folder, max_) == {"Überblick.jpg": "stored"}


def test_author_and_licence_come_from_the_table(folder: Path, max_: Person) -> None:
    wants("sub/b.jpg")
    arrived(folder, max_, licences={"b.jpg": Licence("Ann", "CC0-1.0")})
    assert (Image.objects.get().attribution, Image.objects.get().licence) == ("Ann", "CC0-1.0")


def test_a_picture_that_is_here_stays_here_when_a_worse_one_comes(folder: Path, max_: Person) -> None:
    wants("a.jpg")
    arrived(folder, max_)
    row = Acquisition.objects.get()
    settle_refusal(source=make_source(), name="a.jpg", state=AcquisitionState.GONE, reason="late")
    row.refresh_from_db()
    assert (row.state, row.reason) == ("stored", "")


class LocalShelf:
    """A folder as object storage: keys in order, opened through the product's own storage."""

    def __init__(self, root: Path) -> None:
        self.root, self.storage, self.opened = root, LocalStorage(root), list[str]()

    def keys(self, prefix: str) -> Iterator[str]:
        for path in sorted(self.root.rglob("*")):
            key = path.relative_to(self.root).as_posix()
            if path.is_file() and key.startswith(prefix):
                yield key

    def open(self, key: str) -> BinaryIO:
        self.opened.append(key)
        return self.storage.open(key)


def test_what_is_wanted_below_a_prefix_is_taken_and_nothing_else_is_opened(folder: Path, tmp_path: Path, max_: Person) -> None:
    shelf = LocalShelf(tmp_path)
    wants("a.jpg", "sub/b.jpg", "none.jpg")
    found = acquire_from_prefix(source=make_source(), shelf=shelf, prefix="photos/", by=max_)
    assert {arrival.name: arrival.state for arrival in found} == {"a.jpg": "stored", "sub/b.jpg": "stored"}
    assert shelf.opened == ["photos/a.jpg", "photos/sub/b.jpg"]
    assert not list(acquire_from_prefix(source=make_source(), shelf=shelf, prefix="photos/", by=max_))
