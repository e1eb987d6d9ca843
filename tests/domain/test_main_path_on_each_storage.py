"""From a picture to a release that is fetched: the whole way, once in a folder and once in a bucket."""

import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client
from PIL import Image as Pillow

from annotation import access
from annotation.errors import DomainError
from annotation.images import operations, queries, tiling
from annotation.images.operations import taking
from annotation.models import Image, JournalEntry, Person, PyramidState
from annotation.releases import operations as releases
from annotation.storage import blocks, store
from tests import pictures
from tests.conftest import browser_of, counted_statements
from tests.decided import built_release
from tests.factories import make_source


@pytest.fixture
def image(storage_url: str, max_: Person, tmp_path: Path) -> Image:
    taken = operations.take_in(path=pictures.jpeg(tmp_path / "a.jpg", 1300, 900), by=max_, source=make_source())
    operations.tile(image_id=taken.pk)
    taken.refresh_from_db()
    return taken


def tile_address(image: Image) -> str:
    info = access.image_info_url(image_key=image.key, role="annotator", at=datetime.now(UTC))
    smallest = tiling.tile_at(image.width, image.height, tiling.scale_factors(image.width, image.height)[-1], 0, 0)
    return f"{info.removesuffix('info.json')}{smallest.name}/0/default.jpg"


def test_a_picture_is_taken_in_tiled_served_and_handed_out(image: Image, max_: Person, tmp_path: Path) -> None:
    assert image.pyramid_state == PyramidState.TILED
    client = Client()
    with counted_statements() as asked:
        tile = client.get(tile_address(image))
    assert (tile.status_code, tile["Content-Type"], asked) == (200, "image/jpeg", [])
    with Pillow.open(io.BytesIO(tile.content)) as opened:
        assert opened.size == (325, 225)
    info = client.get(access.image_info_url(image_key=image.key, role="annotator", at=datetime.now(UTC))).json()
    assert (info["width"], info["height"]) == (1300, 900)
    with Pillow.open(io.BytesIO(queries.crop(image=image, box=[100, 100, 300, 200]))) as cut:
        assert cut.size == (200, 100)
    browser = browser_of(max_)
    led = browser.post(f"/images/{image.key}/original/")["Location"]
    assert b"".join(browser.get(led).streaming_content) == (tmp_path / "a.jpg").read_bytes()


def test_a_release_is_built_exported_checked_and_downloaded(storage_url: str, committed_db: None, tmp_path: Path) -> None:
    release = built_release()
    files = releases.export_release(release=release, folder=tmp_path / "out")
    assert (tmp_path / "out" / "manifest.json") in files
    assert all(check.state != "failed" for check in releases.check_release(release).checks)
    browser = browser_of(Person.objects.get(pseudonym="max"))
    whole = b"".join(browser.get(f"/releases/{release.key}/zip/").streaming_content)
    with zipfile.ZipFile(io.BytesIO(whole)) as opened:
        assert len(opened.namelist()) == len(files)
    one = b"".join(browser.get(f"/releases/{release.key}/files/manifest.json").streaming_content)
    assert one == (tmp_path / "out" / "manifest.json").read_bytes()


def test_an_original_that_the_storage_lost_fails_with_the_remedy_and_is_written_down(
    image: Image, max_: Person, tmp_path: Path
) -> None:
    store().erase(image.storage_key)
    store().erase(image.pyramid_key)
    with pytest.raises(DomainError, match="take it in again"):
        operations.tile(image_id=image.pk)
    image.refresh_from_db()
    assert image.pyramid_state == PyramidState.FAILED
    assert "take it in again" in image.pyramid_fault
    assert JournalEntry.objects.get(event="image.original-missing").subject_id == image.pk
    again = operations.take_in(path=tmp_path / "a.jpg", by=max_, source=make_source())
    assert again == image
    assert JournalEntry.objects.filter(event="image.original-restored").count() == 1
    assert operations.tile(image_id=image.pk)["made"]


def test_a_picture_that_was_erased_is_served_by_nobody(image: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    assert client.get(tile_address(image)).status_code == 200
    store().erase(image.pyramid_key)
    store().erase(image.storage_key)
    assert client.get(tile_address(image)).status_code == 404
    monkeypatch.setattr(blocks, "FRESH_SECONDS", 0)  # a minute later, on every other machine
    assert client.get(tile_address(image)).status_code == 404
    assert list(store().entries()) == []


class TakenDownMeanwhile:
    """The storage, while somebody takes the picture down at the very moment at which its bytes are brought back."""

    def __init__(self, image: Image) -> None:
        self.image, self.inner = image, store()

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    def write(self, key: str, content: bytes | Path) -> None:
        self.inner.write(key, content)
        Image.objects.filter(pk=self.image.pk).update(pyramid_state=PyramidState.ERASED, pyramid_key="")


def test_a_picture_that_is_taken_down_while_it_comes_back_does_not_stay(
    image: Image, max_: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store().erase(image.storage_key)
    between = TakenDownMeanwhile(image)
    monkeypatch.setattr(taking, "store", lambda: between)
    with pytest.raises(operations.Refused, match="taken down"):
        operations.take_in(path=tmp_path / "a.jpg", by=max_, source=make_source())
    assert not store().exists(image.storage_key)
