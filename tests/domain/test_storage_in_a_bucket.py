"""What can go wrong between us and a bucket: overload, broken transfers, other people's versions, secrets in messages."""

import logging
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from annotation.hashing import sha256_hex
from annotation.storage import KeyTaken, NoSuchKey, OtherSum, S3Storage, StorageFault, client, storage_at, store
from annotation.storage_urls import Bucket, place
from tests import buckets

PART = 5 << 20


def opened(bucket: str, *, endpoint: str = "", part_bytes: int = PART) -> S3Storage:
    found = place(buckets.url_of(bucket, endpoint=endpoint))
    assert isinstance(found, Bucket)
    return S3Storage(found, part_bytes=part_bytes)


def original(content: bytes) -> str:
    return f"originals/{sha256_hex(content)[:2]}/{sha256_hex(content)}"


def test_everything_lies_below_the_prefix_and_belongs_to_us_alone(bucket: str) -> None:
    opened(bucket).write("originals/ab/abc", b"x")
    assert buckets.names(bucket) == ["kept/originals/ab/abc"]
    grants = buckets.s3().get_object_acl(Bucket=bucket, Key="kept/originals/ab/abc")["Grants"]
    assert [grant["Grantee"]["Type"] for grant in grants] == ["CanonicalUser"]


def test_what_is_there_already_is_not_sent_again(bucket: str) -> None:
    with buckets.middleman(lambda method, path, body: body) as between:
        storage = opened(bucket, endpoint=between.url)
        storage.write("a", b"x")
        storage.write("a", b"x")
        assert between.count("PUT") == 1


def test_bytes_that_another_tool_brought_are_compared_by_reading_them(bucket: str) -> None:
    buckets.s3().put_object(Bucket=bucket, Key="kept/a", Body=b"brought")
    opened(bucket).write("a", b"brought")
    with pytest.raises(KeyTaken):
        opened(bucket).write("a", b"another")


def test_a_large_file_goes_in_parts(bucket: str, tmp_path: Path) -> None:
    content = bytes(range(256)) * (2 * PART // 256) + b"end"
    (tmp_path / "large").write_bytes(content)
    with buckets.middleman(lambda method, path, body: body) as between:
        storage = opened(bucket, endpoint=between.url)
        storage.write(original(content), tmp_path / "large")
        assert between.count("PUT", "partNumber") == 3
    with storage_at(buckets.url_of(bucket)).local_copy(original(content)) as path:
        assert path.read_bytes() == content


def test_a_file_of_exactly_two_parts_has_no_empty_third(bucket: str) -> None:
    with buckets.middleman(lambda method, path, body: body) as between:
        opened(bucket, endpoint=between.url).write("a", b"x" * 2 * PART)
        assert between.count("PUT", "partNumber") == 2
    assert storage_at(buckets.url_of(bucket)).size("a") == 2 * PART


def test_parts_are_given_up_as_a_whole_where_one_fails(bucket: str) -> None:
    def refuse(method: str, path: str, body: bytes) -> bytes | tuple[int, str]:
        return (403, "AccessDenied") if "partNumber=2" in path else body

    with buckets.middleman(refuse) as between:
        with pytest.raises(StorageFault, match="AccessDenied"):
            opened(bucket, endpoint=between.url).write("a", b"x" * 2 * PART)
        assert between.count("DELETE", "uploadId") == 1
    assert buckets.names(bucket) == []
    assert "Uploads" not in buckets.s3().list_multipart_uploads(Bucket=bucket)


@pytest.mark.parametrize("size", [1000, 2 * PART])
def test_bytes_that_were_changed_on_their_way_do_not_stay(bucket: str, size: int) -> None:
    def change(method: str, path: str, body: bytes) -> bytes:
        return b"y" + body[1:] if method == "PUT" and len(body) > 500 else body

    with buckets.middleman(change) as between:
        with pytest.raises(StorageFault, match="other bytes"):
            opened(bucket, endpoint=between.url).write("a", b"x" * size)
    assert buckets.names(bucket) == []


def test_an_original_that_rotted_in_the_bucket_is_not_handed_to_anybody(bucket: str) -> None:
    storage = opened(bucket)
    storage.write(original(b"sound"), b"sound")
    buckets.s3().put_object(Bucket=bucket, Key=f"kept/{original(b'sound')}", Body=b"rotten")
    with pytest.raises(OtherSum, match="Restore"), storage.local_copy(original(b"sound")):
        pass


def test_an_overloaded_server_is_asked_again_and_then_left(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [(503, "SlowDown"), (500, "InternalError")]

    def overloaded(method: str, path: str, body: bytes) -> bytes | tuple[int, str]:
        return answers.pop() if answers else body

    with buckets.middleman(overloaded) as between:
        storage = opened(bucket, endpoint=between.url)
        storage.write("a", b"x")
        assert storage.read_range("a", 0, 1) == b"x"
    monkeypatch.setattr(client, "ATTEMPTS", 2)
    with buckets.middleman(lambda method, path, body: (503, "SlowDown")) as between:
        with pytest.raises(StorageFault, match=r"503.*tried again later"):
            opened(bucket, endpoint=between.url).size("a")
        assert between.count("HEAD") + between.count("GET") == 2


def test_a_write_whose_answer_was_lost_is_not_refused_the_second_time(bucket: str) -> None:
    lost = list[str]()

    def lose(method: str, path: str, body: bytes) -> bytes | tuple[int, str]:
        if method == "PUT" and not lost:
            lost.append(path)
            buckets.s3().put_object(Bucket=bucket, Key="kept/a", Body=b"x", Metadata={"sha256": sha256_hex(b"x")})
            return 500, "InternalError"
        return body

    with buckets.middleman(lose) as between:
        opened(bucket, endpoint=between.url).write("a", b"x")
        assert between.count("PUT") == 2


@pytest.mark.parametrize(
    ("answer", "words"),
    [((403, "SignatureDoesNotMatch"), "check the log-in data"), ((404, "NoSuchBucket"), "make it, or correct STORAGE_URL")],
)
def test_what_is_wrong_is_said_with_the_remedy(bucket: str, answer: tuple[int, str], words: str) -> None:
    with buckets.middleman(lambda method, path, body: answer) as between:
        with pytest.raises(StorageFault, match=words):
            list(opened(bucket, endpoint=between.url).entries())


def test_a_server_that_is_not_there_is_an_error_that_passes(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "ATTEMPTS", 1)
    with pytest.raises(OSError, match=r"cannot be reached.*endpoint in STORAGE_URL"):
        opened(bucket, endpoint="http://127.0.0.1:9").size("a")


def test_no_error_and_no_log_line_carries_a_secret(
    bucket: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "ATTEMPTS", 2)
    secret, said = buckets.LOGIN["AWS_SECRET_ACCESS_KEY"], list[str]()
    with caplog.at_level(logging.INFO):
        with buckets.middleman(lambda method, path, body: (403, secret)) as between:
            for verb in (
                lambda: opened(bucket, endpoint=between.url).size("a"),
                lambda: list(opened(bucket, endpoint=between.url).entries()),
            ):
                with pytest.raises(StorageFault) as error:
                    verb()
                said.append(f"{error.value!r} {error.value.__cause__!r}")
        with pytest.raises(ImproperlyConfigured) as refusal:
            storage_at(f"s3://me:{secret}@{bucket}")
    assert secret not in " ".join([*said, str(refusal.value), caplog.text, storage_at(buckets.url_of(bucket)).where])


def test_debug_logs_are_kept_from_showing_what_is_signed() -> None:
    assert all(logging.getLogger(name).getEffectiveLevel() >= logging.WARNING for name in ("botocore.auth", "boto3", "urllib3"))


def test_erasing_takes_every_version_and_deleting_only_the_last(bucket: str) -> None:
    buckets.s3().put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    storage = opened(bucket)
    for content in (b"one", b"two"):
        storage.write("a", content)
        storage.write("ab", content)
        storage.delete("a")
        storage.delete("ab")
    kept = buckets.s3().list_object_versions(Bucket=bucket)
    assert len(kept["Versions"]) == 4
    storage.erase("a")
    storage.erase("a")
    left = buckets.s3().list_object_versions(Bucket=bucket)
    assert {one["Key"] for one in [*left["Versions"], *left.get("DeleteMarkers", [])]} == {"kept/ab"}
    with pytest.raises(NoSuchKey):
        storage.open("a")


def test_a_server_that_knows_no_versions_erases_all_the_same(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "ATTEMPTS", 1)
    with buckets.middleman(lambda method, path, body: (501, "NotImplemented") if "versions" in path else body) as between:
        storage = opened(bucket, endpoint=between.url)
        storage.write("a", b"x")
        storage.erase("a")
    assert buckets.names(bucket) == []
    with buckets.middleman(lambda method, path, body: (403, "AccessDenied") if "versions" in path else body) as between:
        storage = opened(bucket, endpoint=between.url)
        storage.write("a", b"x")
        with pytest.raises(StorageFault, match="AccessDenied"):
            storage.erase("a")  # whoever believed that all versions are gone would be wrong


def test_the_product_uses_the_bucket_that_the_url_names(bucket: str, settings: object) -> None:
    settings.STORAGE_URL = buckets.url_of(bucket, "")  # type: ignore[attr-defined]
    store().write("a", b"x")
    assert buckets.names(bucket) == ["a"]


@pytest.mark.parametrize(
    "url",
    [
        "s3://photos-1?region=eu-central-1&downloads=redirect",
        "s3://photos-1?downloads=redirect",
        "s3://photos.1?region=eu-central-1&downloads=redirect",
        "s3://photos-1?endpoint=https://objects.example.org&downloads=redirect",
        "s3://photos-1?endpoint=https://objects.example.org&downloads=redirect&style=virtual",
    ],
)
def test_browsers_may_be_led_where_signed_addresses_lead(bucket: str, url: str) -> None:
    found = place(url)
    assert isinstance(found, Bucket)
    assert S3Storage(found).signed_address("a", file_name='a"b.jpg', seconds=9).startswith(f"{found.origin}/")
