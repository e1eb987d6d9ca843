"""Taking pictures in: each once, each queued for tiling, and a refusal that is kept with its reason."""

import os
from pathlib import Path

import pytest

from annotation.images import operations, pixels
from annotation.images.looks import SIDE
from annotation.images.operations import OtherBytes, original_key, take_in, tile
from annotation.images.pixels import Refused
from annotation.images.queries import NotTiled, crop, refusals, tiling_counts
from annotation.models import Acquisition, Image, JournalEntry, Person, WorkUnit
from annotation.sources.licences import Licence
from annotation.storage import LocalStorage, OtherSum, storage_at, store
from annotation.work import PassingFailure
from tests import pictures
from tests.factories import make_source


@pytest.fixture(autouse=True)
def _own_storage(tmp_path: Path, settings: object) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"  # type: ignore[attr-defined]


def taken(path: Path, by: Person, **rest: object) -> Image:
    return take_in(path=path, by=by, source=make_source(), **rest)  # type: ignore[arg-type]


def test_max_takes_a_picture_in_and_its_bytes_are_kept_as_they_are(tmp_path: Path, max_: Person) -> None:
    path = pictures.turned(tmp_path / "turned.jpg", 6, 600, 400)
    image = taken(path, max_)
    assert (image.width, image.height, image.format) == (600, 400, "jpeg")
    with store().open(image.storage_key) as stream:
        assert stream.read() == path.read_bytes()
    assert Acquisition.objects.get().state == "stored"
    assert JournalEntry.objects.get(event="image.stored").actor == max_


def test_the_same_bytes_under_two_names_are_one_image_with_one_unit_of_work(tmp_path: Path, max_: Person) -> None:
    path = pictures.jpeg(tmp_path / "a.jpg", 60, 40)
    (tmp_path / "b.jpg").write_bytes(path.read_bytes())
    assert taken(path, max_) == taken(tmp_path / "b.jpg", max_) == taken(path, max_)
    assert Image.objects.count() == 1
    unit = WorkUnit.objects.get()
    assert (unit.kind, unit.queue, unit.payload) == ("tile", "image", {"image_id": Image.objects.get().pk})
    assert set(Acquisition.objects.values_list("name", "state")) == {("a.jpg", "stored"), ("b.jpg", "stored")}
    assert JournalEntry.objects.filter(event="image.stored").count() == 1


def test_a_refused_picture_leaves_its_reason_and_nothing_else(tmp_path: Path, max_: Person) -> None:
    (tmp_path / "a.jpg").write_text("no picture")
    with pytest.raises(Refused):
        taken(tmp_path / "a.jpg", max_, name="folder/a.jpg")
    refusal = refusals(make_source()).get()
    assert (refusal.name, refusal.state, refusal.image) == ("folder/a.jpg", "refused", None)
    assert "no JPEG" in refusal.reason
    assert not Image.objects.exists()
    assert not WorkUnit.objects.exists()


def test_a_picture_that_was_refused_may_come_again_and_be_taken(tmp_path: Path, max_: Person) -> None:
    (tmp_path / "a.jpg").touch()
    with pytest.raises(Refused):
        taken(tmp_path / "a.jpg", max_)
    image = taken(pictures.jpeg(tmp_path / "a.jpg", 60, 40), max_)
    assert list(Acquisition.objects.values_list("state", "image", "reason")) == [("stored", image.pk, "")]


def test_a_missing_file_a_folder_and_a_pipe_are_refused_without_waiting(tmp_path: Path, max_: Person) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    for name in ("none.jpg", "pipe.jpg", ""):
        with pytest.raises(Refused) as caught:
            taken(tmp_path / name, max_)
        assert caught.value.reason == "missing"


def test_author_and_licence_stay_with_the_image_and_a_wrong_hash_is_noticed(tmp_path: Path, max_: Person) -> None:
    path = pictures.jpeg(tmp_path / "a.jpg", 60, 40)
    with pytest.raises(OtherBytes):
        taken(path, max_, licence=Licence("Ann", "CC0-1.0", "0" * 64))
    assert Acquisition.objects.get().state == "mismatch"
    image = taken(path, max_, licence=Licence("Ann", "CC0-1.0"))
    assert (image.attribution, image.licence) == ("Ann", "CC0-1.0")


def test_tiling_makes_the_pyramid_once_and_the_image_knows_it(tmp_path: Path, max_: Person) -> None:
    image = taken(pictures.jpeg(tmp_path / "a.jpg", 1300, 900), max_)
    with pytest.raises(NotTiled):
        crop(image=image)
    assert tile(image_id=image.pk)["made"] is True
    assert tile(image_id=image.pk)["made"] is False
    image.refresh_from_db()
    assert (image.pyramid_state, image.pyramid_fault) == ("tiled", "")
    assert image.cluster == image.pk
    assert len(image.look.thumb) == SIDE * SIDE
    assert JournalEntry.objects.filter(event="image.tiled").count() == 1
    assert tiling_counts() == {"waiting": 0, "tiled": 1, "failed": 0, "erased": 0}
    assert crop(image=image, box=[10.5, 10, 50, 50], longest=20).startswith(b"\xff\xd8")


def test_a_damaged_pyramid_is_made_anew(tmp_path: Path, max_: Person) -> None:
    image = taken(pictures.jpeg(tmp_path / "a.jpg", 1300, 900), max_)
    tile(image_id=image.pk)
    path = tmp_path / "storage" / operations.pyramid_key(image.key)
    path.write_bytes(path.read_bytes()[:5000])
    assert tile(image_id=image.pk)["made"] is True
    path.unlink()
    assert tile(image_id=image.pk)["made"] is True


def test_an_original_that_rotted_in_storage_fails_with_its_reason_at_the_image(tmp_path: Path, max_: Person) -> None:
    image = taken(pictures.jpeg(tmp_path / "a.jpg", 1300, 900), max_)
    path = tmp_path / "storage" / original_key(image.sha256)
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(OtherSum):
        tile(image_id=image.pk)
    image.refresh_from_db()
    assert image.pyramid_state == "failed"
    assert "damaged" in image.pyramid_fault
    assert JournalEntry.objects.get(event="image.original-missing").after["fault"] == "storage-other-sum"


def test_a_crash_of_the_child_is_tried_again_later(tmp_path: Path, max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    image = taken(pictures.jpeg(tmp_path / "a.jpg", 1300, 900), max_)
    tight = pixels.Limits(memory=40 << 20, cpu_seconds=9, wall_seconds=30, file_size=1 << 30)
    build = pixels.build_pyramid
    monkeypatch.setattr(pixels, "build_pyramid", lambda path, out: build(path, out, limits=tight))
    with pytest.raises(PassingFailure):
        tile(image_id=image.pk)
    monkeypatch.undo()
    assert Image.objects.get(pk=image.pk).pyramid_state == "failed"


def test_a_full_disk_is_a_passing_failure(tmp_path: Path, max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    image = taken(pictures.jpeg(tmp_path / "a.jpg", 1300, 900), max_)

    def full(self: LocalStorage, key: str, content: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(LocalStorage, "write", full)
    with pytest.raises(PassingFailure, match="No space left"):
        tile(image_id=image.pk)
    assert Image.objects.get(pk=image.pk).pyramid_state == "waiting"


def test_storage_is_found_by_its_url(tmp_path: Path) -> None:
    assert store() is storage_at(f"file://{tmp_path}/storage")
