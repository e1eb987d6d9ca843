"""Tiles over HTTP: a good grant opens one picture for a while, without the database; everything else is refused."""

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from PIL import Image as Pillow

from annotation import signing
from annotation.access import image_info_url
from annotation.images import pixels, tiling
from annotation.images.operations import pyramid_key
from annotation.models import Person
from annotation.storage import store
from tests import pictures
from tests.conftest import browser_of

KEY = "Zx9_-aBcDeFgHiJkLmNoPq"
Fetch = Callable[..., Any]


@pytest.fixture(scope="module")
def pyramid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pyramid")
    pixels.build_pyramid(pictures.jpeg(folder / "a.jpg", 1300, 900), folder / "a.zip")
    return folder / "a.zip"


@pytest.fixture
def stored(pyramid: Path, tmp_path: Path, settings: Any) -> Path:
    """The pyramid in this test's own storage; the path of its file there."""
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    store().write(pyramid_key(KEY), pyramid)
    return tmp_path / "storage" / pyramid_key(KEY)


@pytest.fixture
def fetch(stored: Path) -> Fetch:
    """Asks for an address below a good grant, as a browser without cookies. No fixture opens the database here."""

    def get(address: str, *, at: datetime | None = None, key: str = KEY, method: str = "get", **headers: str) -> Any:
        grant = image_info_url(image_key=KEY, role="annotator", at=at or datetime.now(UTC)).split("/")[2]
        return getattr(Client(headers=headers), method)(f"/iiif/{grant}/{key}/{address}")

    return get


def test_a_viewer_reads_the_description_and_then_every_tile_it_names(fetch: Fetch) -> None:
    described = fetch("info.json").json()
    assert described["id"].startswith("http://testserver/iiif/annotator.")
    assert (described["width"], described["height"]) == (1300, 900)
    for cut in tiling.tiles(1300, 900):
        answer = fetch(f"{cut.name}/0/default.jpg")
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
        with Pillow.open(io.BytesIO(answer.content)) as tile:
            assert tile.size == (cut.out_width, cut.out_height)


def test_tiles_may_be_kept_by_the_browser_alone_and_are_what_they_say(fetch: Fetch) -> None:
    for address in ("info.json", "full/325,225/0/default.jpg", "10,10,300,300/100,/0/default.jpg"):
        answer = fetch(address)
        assert answer["Cache-Control"] == "private, max-age=1800, immutable"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert not answer.cookies


@pytest.mark.parametrize("address", ["full/325,225/0/default.jpg", "10,10,300,300/100,/0/default.jpg"])
def test_a_browser_that_has_the_tile_is_told_that_nothing_changed(fetch: Fetch, address: str) -> None:
    etag = fetch(address)["ETag"]
    again = fetch(address, if_none_match=f'"other", {etag}')
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
    assert again["Cache-Control"].startswith("private")
    assert fetch(address, if_none_match='"other"').status_code == 200


def test_a_head_request_gets_the_headers_alone(fetch: Fetch) -> None:
    answer = fetch("full/325,225/0/default.jpg", method="head")
    assert (answer.status_code, answer.content) == (200, b"")
    assert int(answer["Content-Length"]) > 1000


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_pictures_are_only_read(fetch: Fetch, method: str) -> None:
    assert fetch("full/325,225/0/default.jpg", method=method).status_code == 405


def test_a_logged_in_annotator_fetches_tiles_without_one_query(stored: Path, ann: Person, django_assert_num_queries: Any) -> None:
    browser = browser_of(ann)
    address = image_info_url(image_key=KEY, role="annotator", at=datetime.now(UTC))
    with django_assert_num_queries(0):
        assert browser.get(address).status_code == 200
        assert browser.get(address.replace("info.json", "full/325,225/0/default.jpg")).status_code == 200
        assert browser.get(address.replace("info.json", "0,0,200,200/100,/0/default.jpg")).status_code == 200
        assert browser.get(address.replace("info.json", "0,0,9,9/7,/45/default.jpg")).status_code == 400
        assert browser.get(address.replace("annotator", "maintainer")).status_code == 403


@pytest.mark.parametrize("minutes", [-61, 31])
def test_a_grant_that_ran_out_or_lies_in_the_future_is_refused(fetch: Fetch, minutes: int) -> None:
    answer = fetch("info.json", at=datetime.now(UTC) + timedelta(minutes=minutes))
    assert (answer.status_code, answer["Cache-Control"]) == (403, "private, no-store")
    assert b"Reload" in answer.content


def test_a_grant_of_the_half_hour_before_still_opens(fetch: Fetch) -> None:
    assert fetch("info.json", at=datetime.now(UTC) - timedelta(seconds=signing.BUCKET_SECONDS)).status_code == 200


def test_a_grant_opens_no_other_picture(fetch: Fetch, pyramid: Path) -> None:
    store().write(pyramid_key("Another_image_key_0000"), pyramid)
    assert fetch("info.json", key="Another_image_key_0000").status_code == 403


@pytest.mark.parametrize("grant", ["annotator", "annotator.", ".", "annotator.AAAAAAAAAAAAAAAAAAAAAAAA", "ännotator.x", "%00"])
def test_otto_cannot_make_up_a_grant(stored: Path, grant: str) -> None:
    assert Client().get(f"/iiif/{grant}/{KEY}/info.json").status_code == 403


def test_a_grant_outlives_a_change_of_the_secret_while_the_old_one_is_kept(fetch: Fetch, settings: Any) -> None:
    grant = image_info_url(image_key=KEY, role="annotator", at=datetime.now(UTC))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new secret of at least 32 letters", [settings.SECRET_KEY]
    assert Client().get(grant).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert Client().get(grant).status_code == 403


def test_the_largest_preview_is_within_the_limit(fetch: Fetch) -> None:
    with Pillow.open(io.BytesIO(fetch("full/^max/0/default.jpg").content)) as preview:
        assert preview.size == (1740, 1205)


def test_a_small_picture_answers_full_max_as_openseadragon_asks(stored: Path, tmp_path: Path) -> None:
    pixels.build_pyramid(pictures.jpeg(tmp_path / "small.jpg", 512, 300), tmp_path / "small.zip")
    store().write(pyramid_key("small"), tmp_path / "small.zip")
    address = image_info_url(image_key="small", role="annotator", at=datetime.now(UTC))
    answer = Client().get(address.replace("info.json", "full/max/0/default.jpg"))
    with zipfile.ZipFile(tmp_path / "small.zip") as archive:
        assert answer.content == archive.read("pyramid/full/512,300/0/default.jpg")


def test_the_image_s_own_address_leads_to_its_description(stored: Path) -> None:
    address = image_info_url(image_key=KEY, role="annotator", at=datetime.now(UTC))
    answer = Client().get(address.removesuffix("/info.json"), follow=True)
    assert answer.request["PATH_INFO"] == address
    assert answer.json()["width"] == 1300


def test_a_picture_without_tiles_is_not_found(fetch: Fetch, stored: Path) -> None:
    stored.unlink()
    answer = fetch("info.json")
    assert (answer.status_code, answer["Content-Type"]) == (404, "text/plain; charset=utf-8")


def test_a_damaged_pyramid_is_an_error_of_the_server_that_says_so(fetch: Fetch, stored: Path) -> None:
    data = bytearray(stored.read_bytes())
    data[200:4000] = b"\x00" * 3800
    stored.write_bytes(data)
    answers = [fetch(f"{cut.name}/0/default.jpg") for cut in tiling.tiles(1300, 900)]
    broken = [answer for answer in answers if answer.status_code != 200]
    assert broken
    assert {(answer.status_code, answer["Cache-Control"]) for answer in broken} == {(500, "private, no-store")}
    assert b"tile it again" in broken[0].content
    stored.write_bytes(data[:3000])
    assert fetch("full/325,225/0/default.jpg").status_code == 500
