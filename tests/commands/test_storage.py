"""Max asks where the bytes are and whether all are there, and moves them from a folder into a bucket."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.images import operations
from annotation.models import Image, Person
from annotation.storage import client as storage_client
from annotation.storage import storage_at, store
from tests import buckets, pictures
from tests.factories import make_source


def run(command: str, *words: str) -> tuple[dict[str, Any], int]:
    out = io.StringIO()
    try:
        call_command(command, "--json", *words, stdout=out)
    except SystemExit as end:
        return json.loads(out.getvalue()), int(end.code or 0)
    return json.loads(out.getvalue()), 0


@pytest.fixture
def private(bucket: str) -> Any:
    """The address of a bucket whose server lists for nobody else."""
    with buckets.middleman(lambda method, path, body: body) as between:
        between.closed = True
        yield buckets.url_of(bucket, endpoint=between.url)


@pytest.fixture(params=["folder", "bucket"])
def kept(request: pytest.FixtureRequest, tmp_path: Path, settings: Any) -> str:
    (tmp_path / "storage").mkdir(mode=0o750)
    folder = f"file://{tmp_path}/storage"
    settings.STORAGE_URL = folder if request.param == "folder" else request.getfixturevalue("private")
    return str(settings.STORAGE_URL)


@pytest.fixture
def image(kept: str, max_: Person, tmp_path: Path) -> Image:
    taken = operations.take_in(path=pictures.jpeg(tmp_path / "a.jpg", 600, 400), by=max_, source=make_source())
    operations.tile(image_id=taken.pk)
    taken.refresh_from_db()
    return taken


def test_max_reads_where_and_how_much(image: Image) -> None:
    said, code = run("storage")
    assert (code, said["usable"], said["private"], said["faults"]) == (0, True, True, [])
    assert said["where"].startswith(("file:///", "s3://"))
    assert {one["folder"]: one["objects"] for one in said["folders"]} == {"originals": 1, "pyramids": 1}
    assert said["folders"][0]["bytes"] == image.byte_size
    assert said["bytes"] == image.byte_size + store().size(image.pyramid_key)
    assert "missing" not in said


def test_plain_lines_are_for_people(image: Image) -> None:
    out = io.StringIO()
    call_command("storage", stdout=out)
    assert "where: " in out.getvalue()
    assert "folder originals, objects 1" in out.getvalue()
    assert buckets.LOGIN["AWS_SECRET_ACCESS_KEY"] not in out.getvalue()


def test_what_is_lost_is_counted_and_named_with_the_remedy(image: Image) -> None:
    assert run("storage", "--verify")[0]["missing"] == 0
    store().erase(image.storage_key)
    store().write("originals/zz/nobody-names-this", b"x")
    said, code = run("storage", "--verify")
    assert (code, said["missing"], said["unnamed"]) == (1, 1, 1)
    assert said["lost"] == [{"key": image.storage_key, "is": "missing"}]
    assert "take the pictures in again" in said["remedy"]


def test_what_was_taken_down_is_not_missing(image: Image) -> None:
    store().erase(image.storage_key)
    store().erase(image.pyramid_key)
    Image.objects.filter(pk=image.pk).update(pyramid_state="erased", pyramid_key="")
    said, code = run("storage", "--verify")
    assert (code, said["missing"], said["unnamed"]) == (0, 0, 0)


def test_another_size_is_a_loss_too(image: Image) -> None:
    Image.objects.filter(pk=image.pk).update(byte_size=1)
    said, code = run("storage", "--verify")
    assert (code, said["lost"]) == (1, [{"key": image.storage_key, "is": "other-size"}])


def test_many_keys_are_compared_in_the_order_of_their_bytes(kept: str, max_: Person) -> None:
    odd = ["b", "B", "a/b.c", "a-b", "a.b", "a/b/c", "Z", "_x", "0"]
    for number, key in enumerate(odd):
        Image.objects.create(
            sha256=f"{number:064}", width=1, height=1, format="png", byte_size=len(key), source=make_source(), storage_key=key
        )
        store().write(key, key.encode())
    said, code = run("storage", "--verify")
    assert (code, said["missing"], said["unnamed"]) == (0, 0, 0)


def test_a_storage_that_is_away_is_said_with_the_remedy(bucket: str, db: None, settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(storage_client, "ATTEMPTS", 1)
    settings.STORAGE_URL = buckets.url_of(bucket, endpoint="http://127.0.0.1:9")
    said, code = run("storage")
    assert (code, said["usable"]) == (1, False)
    assert "cannot be reached" in said["faults"][0]["what"]


def test_max_moves_a_folder_into_a_bucket_and_everything_works_on(
    tmp_path: Path, private: str, max_: Person, settings: Any
) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    image = operations.take_in(path=pictures.jpeg(tmp_path / "a.jpg", 600, 400), by=max_, source=make_source())
    operations.tile(image_id=image.pk)
    (tmp_path / "storage" / "a note of mine.txt").write_text("no key")
    said, code = run("move_storage", "--to", private)
    assert (code, said["copied"], said["there"], said["foreign"], said["refused"]) == (0, 2, 0, 1, 0)
    again, code = run("move_storage", "--to", private)
    assert (code, again["copied"], again["there"]) == (0, 0, 2)
    settings.STORAGE_URL = private
    assert run("storage", "--verify")[0]["missing"] == 0
    assert operations.tile(image_id=image.pk) == {"image": image.key, "made": False}


def test_a_move_that_broke_off_goes_on_where_it_was(
    tmp_path: Path, bucket: str, settings: Any, db: None, monkeypatch: Any
) -> None:
    monkeypatch.setattr(storage_client, "ATTEMPTS", 1)
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    for key in ("a", "b", "c"):
        store().write(key, key.encode())
    broken = {"b"}

    def answer(method: str, path: str, body: bytes) -> bytes | tuple[int, str]:
        return (503, "SlowDown") if method == "PUT" and path.endswith("/b") and broken else body

    with buckets.middleman(answer) as between:
        between.closed = True
        url = buckets.url_of(bucket, endpoint=between.url)
        said, code = run("move_storage", "--to", url)
        assert (code, said["copied"]) == (6, 1)
        assert "overloaded" in said["broke_off"]
        broken.clear()
        said, code = run("move_storage", "--to", url)
        assert (code, said["copied"], said["there"]) == (0, 2, 1)
        assert between.count("PUT", "/kept/a") == 1


def test_other_bytes_over_there_are_found_and_never_overwritten(tmp_path: Path, private: str, settings: Any, db: None) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    store().write("a", b"mine")
    storage_at(private).write("a", b"more")
    assert run("move_storage", "--to", private)[0]["there"] == 1
    said, code = run("move_storage", "--to", private, "--compare")
    assert (code, said["refused"], said["refusals"][0]["key"]) == (6, 1, "a")
    assert storage_at(private).read_range("a", 0, 9) == b"more"


@pytest.mark.parametrize("to", ["s3://me:secret@bucket", "ftp://x", "the same"])
def test_a_move_to_nowhere_is_refused(tmp_path: Path, settings: Any, db: None, to: str) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    with pytest.raises(CommandError, match="--to") as error:
        run("move_storage", "--to", settings.STORAGE_URL if to == "the same" else to)
    assert (error.value.returncode, "secret" in str(error.value)) == (2, False)


def test_nothing_is_moved_into_a_public_bucket(tmp_path: Path, bucket: str, private: str, settings: Any, db: None) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    store().write("a", b"private")
    buckets.s3().put_bucket_acl(Bucket=bucket, ACL="public-read")
    with pytest.raises(CommandError, match="Everybody") as error:
        run("move_storage", "--to", private)
    assert error.value.returncode == 4
    assert buckets.names(bucket) == []
