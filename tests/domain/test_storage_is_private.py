"""`manage.py check --deploy` tries the storage out: reachable, writable, and nobody else's."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from annotation.storage import client, store
from hardbench_web import checks
from tests import buckets


def ids(found: list[Any]) -> list[str]:
    assert all(message.hint for message in found)
    return [message.id for message in found]


@pytest.fixture
def kept(bucket: str, settings: Any) -> Iterator[str]:
    with buckets.middleman(lambda method, path, body: body) as between:
        between.closed = True
        settings.STORAGE_URL = buckets.url_of(bucket, endpoint=between.url)
        yield bucket


def test_a_bucket_of_our_own_is_fine_and_nothing_is_left_behind(kept: str) -> None:
    assert checks.storage_is_private() == []
    assert buckets.names(kept) == []


def test_a_folder_of_our_own_is_fine_and_nothing_is_left_behind(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "storage").mkdir(mode=0o750)
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    assert checks.storage_is_private() == []
    assert list(store().entries()) == []


def test_a_bucket_whose_list_is_open_to_everybody_is_an_error(kept: str) -> None:
    buckets.s3().put_bucket_acl(Bucket=kept, ACL="public-read")
    assert any("access list" in message.msg for message in checks.storage_is_private())


def test_a_bucket_that_everybody_lists_is_an_error(bucket: str, settings: Any) -> None:
    settings.STORAGE_URL = buckets.url_of(bucket)  # this server lists for everybody
    [found] = checks.storage_is_private()
    assert (found.id, found.msg) == ("hardbench.E008", "Everybody can list what is stored.")


def test_a_policy_for_everybody_is_an_error(kept: str) -> None:
    statement = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{kept}/*"}
    buckets.s3().put_bucket_policy(Bucket=kept, Policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))
    found = checks.storage_is_private()
    assert "hardbench.E008" in ids(found)
    assert any("Everybody can read" in message.msg for message in found)


def test_a_bucket_that_is_not_there_is_an_error(bucket: str, settings: Any) -> None:
    settings.STORAGE_URL = buckets.url_of("no-such-bucket")
    [found] = checks.storage_is_private()
    assert (found.id, "make it" in found.msg) == ("hardbench.E007", True)


def test_a_server_that_is_not_there_is_an_error(bucket: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "ATTEMPTS", 1)
    settings.STORAGE_URL = buckets.url_of(bucket, endpoint="http://127.0.0.1:9")
    [found] = checks.storage_is_private()
    assert (found.id, "cannot be reached" in found.msg) == ("hardbench.E007", True)


def test_a_folder_that_is_none_is_said_once(settings: Any, tmp_path: Path) -> None:
    settings.STORAGE_URL = "ftp://somewhere"
    assert checks.storage_is_private() == []


def test_a_folder_that_the_product_makes_itself_is_shut_to_others(settings: Any, tmp_path: Path) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/new/storage"
    assert ids(checks.storage_is_private()) == []
    assert (tmp_path / "new" / "storage").stat().st_mode & 0o777 == 0o750


def test_a_folder_that_others_look_into_is_a_warning(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "storage").mkdir()
    (tmp_path / "storage").chmod(0o755)
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    assert ids(checks.storage_is_private()) == ["hardbench.W003"]


def test_a_folder_among_the_static_files_is_an_error(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = str(tmp_path / "static")
    settings.STORAGE_URL = f"file://{tmp_path}/static/pictures"
    assert ids(checks.storage_is_private()) == ["hardbench.E008"]


def test_a_secret_in_the_url_is_not_printed_by_check(settings: Any) -> None:
    settings.STORAGE_URL = f"s3://me:{buckets.LOGIN['AWS_SECRET_ACCESS_KEY']}@bucket"
    out = StringIO()
    with pytest.raises(SystemCheckError) as error:
        call_command("check", deploy=True, stdout=out, stderr=out)
    assert "AWS_SECRET_ACCESS_KEY" in str(error.value)
    assert buckets.LOGIN["AWS_SECRET_ACCESS_KEY"] not in f"{error.value}{out.getvalue()}"
