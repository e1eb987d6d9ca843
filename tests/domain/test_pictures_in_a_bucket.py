"""Pictures that lie in a bucket of the storage's server: thousands of names, names of every kind, and interruptions."""

import io
import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.images.operations import acquire_from_prefix, want
from annotation.models import Acquisition, Person
from annotation.sources.rows import Wanted
from annotation.storage import StorageFault
from annotation.storage import client as storage_client
from annotation.storage.shelves import NoShelf, shelf_at
from tests import buckets, pictures
from tests.factories import make_source


@pytest.fixture
def inbox(bucket: str, settings: Any) -> str:
    """Somebody's bucket on the server that the storage lies on."""
    settings.STORAGE_URL = buckets.url_of(bucket)
    return buckets.new_bucket()


def picture(tmp_path: Path, width: int = 60) -> bytes:
    return pictures.jpeg(tmp_path / "made.jpg", width, 40).read_bytes()


def bring(inbox: str, content: bytes, *keys: str) -> None:
    for key in keys:
        buckets.s3().put_object(Bucket=inbox, Key=key, Body=content)


def wants(*names: str) -> None:
    want(source=make_source(), wanted=[Wanted(name) for name in names])


def arrived(inbox: str, by: Person, prefix: str = "photos/") -> dict[str, str]:
    shelf, below = shelf_at(f"s3://{inbox}/{prefix}")
    found = acquire_from_prefix(source=make_source(), shelf=shelf, prefix=below, by=by)
    return {arrival.name: arrival.state for arrival in found}


def run(*words: str) -> tuple[dict[str, Any], int]:
    out = io.StringIO()
    try:
        call_command("fetch_images", "--source", "demo-photos", "--by", "max", "--json", *words, stdout=out)
    except SystemExit as end:
        return json.loads(out.getvalue()), int(end.code or 0)
    return json.loads(out.getvalue()), 0


def test_what_is_wanted_is_found_among_thousands(inbox: str, max_: Person, tmp_path: Path) -> None:
    buckets.fill(inbox, (f"photos/{number:05}.txt" for number in range(2500)))
    bring(inbox, picture(tmp_path), "photos/00000a.jpg", "photos/02499z.jpg", "photos/sub/one.jpg", "photosynthesis/one.jpg")
    wants("00000a.jpg", "02499z.jpg", "sub/one.jpg", "none.jpg", "ynthesis/one.jpg")
    with buckets.middleman(lambda method, path, body: body) as between:
        shelf, prefix = shelf_at(f"s3://{inbox}/photos")
        assert prefix == "photos/"
        found = list(shelf.keys(prefix))
    assert len(found) == 2503
    assert found == sorted(found)
    assert between.seen == []
    assert arrived(inbox, max_) == {"00000a.jpg": "stored", "02499z.jpg": "stored", "sub/one.jpg": "stored"}
    assert Acquisition.objects.get(name="none.jpg").state == "wanted"


def test_the_list_is_asked_for_page_by_page_and_only_as_far_as_it_is_read(inbox: str, bucket: str, settings: Any) -> None:
    buckets.fill(inbox, (f"photos/{number:05}.txt" for number in range(2500)))
    with buckets.middleman(lambda method, path, body: body) as between:
        settings.STORAGE_URL = buckets.url_of(bucket, endpoint=between.url)
        shelf, prefix = shelf_at(f"s3://{inbox}/photos/")
        keys = shelf.keys(prefix)
        assert between.count("GET") == 0
        assert next(keys) == "photos/00000.txt"
        assert between.count("GET", "list-type=2") == 1
        assert sum(1 for _ in keys) == 2499
        assert between.count("GET", "list-type=2") == 3


@pytest.mark.parametrize(
    "name",
    ["with blank & plus+and 100%25.jpg", "<script>.jpg", "图片/一.jpg", "quote'\"`.jpg", ".hidden", "a?b=c#d.jpg", "x" * 400],
)
def test_a_name_of_any_kind_is_found_as_it_is_written(inbox: str, max_: Person, tmp_path: Path, name: str) -> None:
    bring(inbox, picture(tmp_path), f"photos/{name}")
    wants(name)
    assert arrived(inbox, max_) == {name: "stored"}


@pytest.mark.parametrize("name", ["../../etc/passwd", "..", "/etc/passwd", "a//b.jpg", "back\\slash.jpg", "a/../b.jpg"])
def test_a_name_that_would_be_a_way_out_of_a_folder_is_found_nowhere(inbox: str, max_: Person, tmp_path: Path, name: str) -> None:
    bring(inbox, picture(tmp_path), f"photos/{name}", "photos/a.jpg")
    wants(name, "a.jpg")
    assert arrived(inbox, max_) == {"a.jpg": "stored"}


def test_names_that_no_row_can_have_harm_nothing(inbox: str, max_: Person, tmp_path: Path) -> None:
    buckets.fill(
        inbox,
        ["photos/nul\x00.jpg", "photos/bell\x07.jpg", "photos/new\nline.jpg", f"photos/{'x' * 900}", "photos/", "photos/sub/"],
    )
    bring(inbox, picture(tmp_path), "photos/a.jpg")
    wants("a.jpg", "sub/")
    assert arrived(inbox, max_) == {"a.jpg": "stored"}
    shelf, prefix = shelf_at(f"s3://{inbox}/photos/")
    assert not any(key.endswith("/") for key in shelf.keys(prefix))


def test_accents_are_found_in_either_spelling_and_the_exact_one_first(inbox: str, max_: Person, tmp_path: Path) -> None:
    composed, parted = (unicodedata.normalize(form, "é.jpg") for form in ("NFC", "NFD"))
    bring(inbox, picture(tmp_path, 61), f"photos/{composed}")
    bring(inbox, picture(tmp_path, 62), f"photos/{parted}")
    bring(inbox, picture(tmp_path, 63), f"photos/only-{parted}")
    wants(composed, parted, f"only-{composed}")
    assert set(arrived(inbox, max_).values()) == {"stored"}
    widths = dict(Acquisition.objects.values_list("name", "image__width"))
    assert widths == {composed: 61, parted: 62, f"only-{composed}": 63}


def test_what_is_no_picture_is_refused_and_the_rest_comes(inbox: str, max_: Person, tmp_path: Path) -> None:
    bring(inbox, b"<html>", "photos/a.jpg")
    bring(inbox, b"", "photos/empty.jpg")
    bring(inbox, picture(tmp_path), "photos/b.jpg")
    wants("a.jpg", "b.jpg", "empty.jpg")
    assert arrived(inbox, max_) == {"a.jpg": "refused", "b.jpg": "stored", "empty.jpg": "refused"}


def test_an_object_that_went_away_or_is_shut_stays_wanted(
    inbox: str, bucket: str, max_: Person, tmp_path: Path, settings: Any
) -> None:
    bring(inbox, picture(tmp_path), "photos/a.jpg", "photos/archived.jpg", "photos/gone.jpg")
    wants("a.jpg", "archived.jpg", "gone.jpg")

    def answer(method: str, path: str, body: bytes) -> bytes | tuple[int, str]:
        if "archived.jpg" in path and method == "GET":
            return 403, "InvalidObjectState"
        return (404, "NoSuchKey") if "gone.jpg" in path else body

    with buckets.middleman(answer) as between:
        settings.STORAGE_URL = buckets.url_of(bucket, endpoint=between.url)
        assert arrived(inbox, max_) == {"a.jpg": "stored", "archived.jpg": "absent", "gone.jpg": "absent"}
    settings.STORAGE_URL = buckets.url_of(bucket)
    assert arrived(inbox, max_) == {"archived.jpg": "stored", "gone.jpg": "stored"}


def test_a_run_that_broke_off_goes_on(
    inbox: str, bucket: str, max_: Person, tmp_path: Path, settings: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(storage_client, "ATTEMPTS", 1)
    bring(inbox, picture(tmp_path), "photos/a.jpg", "photos/b.jpg")
    wants("a.jpg", "b.jpg")
    with buckets.middleman(lambda method, path, body: (503, "SlowDown") if "b.jpg" in path else body) as between:
        settings.STORAGE_URL = buckets.url_of(bucket, endpoint=between.url)
        with pytest.raises(StorageFault):
            arrived(inbox, max_)
        with pytest.raises(CommandError, match="run it again") as error:
            run("--prefix", f"s3://{inbox}/photos/")
        assert error.value.returncode == 6
    assert dict(Acquisition.objects.values_list("name", "state")) == {"a.jpg": "stored", "b.jpg": "wanted"}
    settings.STORAGE_URL = buckets.url_of(bucket)
    assert run("--prefix", f"s3://{inbox}/photos/")[0]["stored"] == 1


def test_max_types_the_prefix_and_reads_what_came(inbox: str, max_: Person, tmp_path: Path) -> None:
    bring(inbox, picture(tmp_path), "photos/a.jpg")
    bring(inbox, b"no picture", "photos/b.jpg")
    wants("a.jpg", "b.jpg", "c.jpg")
    said, code = run("--prefix", f"s3://{inbox}/photos")
    assert (code, said["stored"], said["refused"], said["still_wanted"]) == (6, 1, 1, 1)


@pytest.mark.parametrize(
    "named",
    [
        "photos/",
        "s3://",
        "s3://a b/x",
        "https://elsewhere.example/bucket",
        "s3://me:secret@bucket/x",
        "s3://Bucket/x",
        "file:///etc",
    ],
)
def test_a_prefix_leads_to_no_other_server(inbox: str, max_: Person, named: str) -> None:
    make_source()
    with pytest.raises(NoShelf, match="own server") as refusal:
        shelf_at(named)
    assert "secret" not in str(refusal.value)
    with pytest.raises(CommandError) as error:
        run("--prefix", named)
    assert error.value.returncode == 2


def test_where_the_storage_is_a_folder_there_are_no_prefixes(settings: Any, tmp_path: Path) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    with pytest.raises(NoShelf, match="--folder"):
        shelf_at("s3://bucket/photos/")
