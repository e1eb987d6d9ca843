"""Max downloads an original, from a folder and from a bucket; it is written down, and nobody else gets it."""

import json
import re
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import urllib3
from django.test import Client

from annotation import access
from annotation.errors import DomainError
from annotation.images import operations
from annotation.models import Image, JournalEntry, Person
from annotation.storage import client as storage_client
from annotation.storage import store
from tests import buckets, factories, pictures
from tests.conftest import browser_of


@pytest.fixture
def image(storage_url: str, max_: Person, tmp_path: Path) -> Image:
    path = pictures.jpeg(tmp_path / "a.jpg", 300, 200)
    return operations.take_in(path=path, by=max_, source=factories.make_source())


def content_of(tmp_path: Path) -> bytes:
    return (tmp_path / "a.jpg").read_bytes()


def address(image: Image, person: Person, *, made_before: int = 0) -> str:
    at = datetime.now().astimezone() - timedelta(seconds=made_before)
    return access.original_url(image_key=image.key, person=person, at=at)


def test_max_gets_the_bytes_as_they_came_and_it_is_written_down(image: Image, max_: Person, tmp_path: Path) -> None:
    browser = browser_of(max_)
    assert "Download the original" in browser.get(f"/images/{image.key}/").content.decode()
    led = browser.post(f"/images/{image.key}/original/")
    assert led.status_code == 302
    answer = browser.get(led["Location"])
    assert b"".join(answer.streaming_content) == content_of(tmp_path)
    assert answer["Content-Disposition"] == f'attachment; filename="{image.sha256[:16]}.jpeg"'
    assert (answer["X-Content-Type-Options"], answer["Content-Type"]) == ("nosniff", "application/octet-stream")
    assert "no-store" in answer["Cache-Control"]
    entry = JournalEntry.objects.get(event="image.original-handed-out")
    assert (entry.actor, entry.subject_id, entry.after["sha256"]) == (max_, image.pk, image.sha256)


def test_a_script_gets_the_address_by_the_api(image: Image, max_: Person, tmp_path: Path) -> None:
    browser = browser_of(max_)
    told = browser.post(f"/api/v1/images/{image.key}/original", content_type="application/json")
    assert (told.status_code, told.json()["sha256"]) == (201, image.sha256)
    got = b"".join(browser.get(told.json()["url"]).streaming_content)
    assert sha256(got).hexdigest() == image.sha256
    assert JournalEntry.objects.filter(event="image.original-handed-out", actor=max_).count() == 1


def test_a_download_that_broke_off_goes_on(image: Image, max_: Person, tmp_path: Path) -> None:
    browser, whole = browser_of(max_), content_of(tmp_path)
    where = address(image, max_)
    rest = browser.get(where, headers={"Range": "bytes=1000-", "If-Range": f'"{image.sha256}"'})
    assert (rest.status_code, rest["Content-Range"]) == (206, f"bytes 1000-{len(whole) - 1}/{len(whole)}")
    assert b"".join(rest.streaming_content) == whole[1000:]
    other = browser.get(where, headers={"Range": "bytes=1000-", "If-Range": '"another"'})
    assert (other.status_code, b"".join(other.streaming_content)) == (200, whole)
    behind = browser.get(where, headers={"Range": f"bytes={len(whole)}-"})
    assert (behind.status_code, behind["Content-Range"]) == (416, f"bytes */{len(whole)}")
    assert browser.get(where, headers={"If-None-Match": f'"{image.sha256}"'}).status_code == 304
    head = browser.head(where)
    assert (head.status_code, head["Content-Length"], head["ETag"]) == (200, str(len(whole)), f'"{image.sha256}"')


@pytest.mark.parametrize("name", ["ann", "rae", "ada", "otto"])
def test_nobody_else_gets_it_asked_or_with_an_address_of_their_own(
    image: Image, name: str, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(name)
    browser = browser_of(person)
    assert not access.originals_open_to(person.user).exists()
    assert browser.post(f"/images/{image.key}/original/").status_code == 403
    assert browser.post(f"/api/v1/images/{image.key}/original", content_type="application/json").status_code == 403
    assert browser.get(address(image, person)).status_code == 403
    assert JournalEntry.objects.filter(event__startswith="image.original").count() == 0


def test_an_address_is_worth_nothing_to_whom_it_was_not_made_for(image: Image, max_: Person, ann: Person) -> None:
    assert browser_of(ann).get(address(image, max_)).status_code == 403
    assert Client().get(address(image, max_)).status_code == 302


def test_addresses_that_are_too_old_changed_or_foreign_are_refused_alike(image: Image, max_: Person, ann: Person) -> None:
    other = factories.make_image()
    good = address(image, max_)
    refused = [
        address(image, max_, made_before=121),
        good[:-2] + ("A" if good[-2] != "A" else "B") + "/",
        good.replace("original/", "original/9"),
        address(image, ann),
        address(other, max_).replace(other.key, image.key),
        f"/images/{image.key}/original/{access.image_info_url(image_key=image.key, role='staff', at=datetime.now().astimezone()).split('/')[2]}/",
        f"/images/{image.key}/original/nonsense/",
    ]
    browser = browser_of(max_)
    answers = [browser.get(where) for where in refused]
    assert [answer.status_code for answer in answers] == [403] * len(refused)
    assert len({re.search(r"<main.*</main>", answer.content.decode(), re.DOTALL)[0] for answer in answers}) == 1  # type: ignore[index]
    assert browser.get(good).status_code == 200


def test_an_original_that_is_gone_is_named_and_written_down(image: Image, max_: Person) -> None:
    store().erase(image.storage_key)
    answer = browser_of(max_).post(f"/images/{image.key}/original/")
    assert answer.status_code == 404
    assert "take it in again" in answer.content.decode()
    assert JournalEntry.objects.get(event="image.original-missing").subject_id == image.pk
    assert not JournalEntry.objects.filter(event="image.original-handed-out").exists()


def test_a_damaged_original_stays_cut_off(image: Image, max_: Person) -> None:
    key, damaged = image.storage_key, b"x" * image.byte_size
    if (bucket := store().where).startswith("s3://"):
        buckets.s3().put_object(Bucket=bucket.split("/")[2], Key=f"kept/{key}", Body=damaged)
    else:
        (Path(bucket.removeprefix("file://")) / key).write_bytes(damaged)
    with pytest.raises(DomainError, match="damaged"):
        b"".join(browser_of(max_).get(address(image, max_)).streaming_content)


def test_a_bucket_hands_out_by_itself_where_the_url_says_so(bucket: str, settings: Any, max_: Person, tmp_path: Path) -> None:
    settings.STORAGE_URL = buckets.url_of(bucket, more="&downloads=redirect")
    path = pictures.jpeg(tmp_path / "a.jpg", 300, 200)
    image = operations.take_in(path=path, by=max_, source=factories.make_source())
    led = browser_of(max_).get(address(image, max_))
    assert led.status_code == 302
    assert led["Location"].startswith(f"{buckets.server()}/{bucket}/kept/originals/")
    assert "X-Amz-Expires=120" in led["Location"]
    assert buckets.LOGIN["AWS_SECRET_ACCESS_KEY"] not in led["Location"]
    got = urllib3.request("GET", led["Location"])
    assert (got.data, got.headers["Content-Type"]) == (content_of(tmp_path), "application/octet-stream")
    assert got.headers["Content-Disposition"] == f'attachment; filename="{image.sha256[:16]}.jpeg"'


def test_while_the_storage_is_away_people_are_told_to_come_back(
    image: Image, max_: Person, bucket: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage_client, "ATTEMPTS", 1)
    with buckets.middleman(lambda method, path, body: (503, "SlowDown")) as between:
        settings.STORAGE_URL = buckets.url_of(bucket, endpoint=between.url)
        page = browser_of(max_).post(f"/images/{image.key}/original/")
        script = browser_of(max_).post(f"/api/v1/images/{image.key}/original", content_type="application/json")
        tile = Client().get(access.image_info_url(image_key=image.key, role="staff", at=datetime.now().astimezone()))
    assert [answer.status_code for answer in (page, script, tile)] == [503, 503, 503]
    assert (page["Retry-After"], script["Retry-After"]) == ("60", "60")
    assert json.loads(script.content)["code"] == "storage-away"
