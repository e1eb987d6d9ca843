"""STORAGE_URL names a folder or a bucket; what is wrong with it is said without repeating it."""

from pathlib import Path

import pytest

from annotation.storage_urls import BadStorageUrl, Bucket, Folder, download_origins, hosts, place

SECRET = "canary-secret"


def test_a_folder_is_named_by_its_absolute_path() -> None:
    assert place("file:///var/lib/with%20blank") == Folder(Path("/var/lib/with blank"))


def test_a_bucket_has_a_prefix_an_endpoint_and_a_region() -> None:
    found = place("s3://photos/hard/bench?endpoint=https://objects.example.org:9000&region=eu-1")
    assert found == Bucket("photos", "hard/bench", "https://objects.example.org:9000", "eu-1", "path", "stream")
    assert found.shown == "s3://photos/hard/bench?endpoint=https://objects.example.org:9000&region=eu-1"


def test_amazon_needs_no_endpoint_and_is_asked_by_host_name() -> None:
    found = place("s3://photos")
    assert isinstance(found, Bucket)
    assert (found.endpoint, found.style, found.prefix) == ("", "virtual", "")


@pytest.mark.parametrize(
    "url",
    [
        f"s3://AKIA:{SECRET}@bucket/x",
        f"s3://{SECRET}@bucket/x",
        f"s3://AKIA:slash/{SECRET}@bucket/x",
        f"s3://bucket/x?secret_key={SECRET}",
        f"s3://bucket/x?X-Amz-Signature={SECRET}",
        f"s3://bucket/x?endpoint=https://AKIA:{SECRET}@objects.example.org",
        f"s3://bucket/x?endpoint=https://objects.example.org/?token={SECRET}",
        f"file://AKIA:{SECRET}@/var/lib",
        f"https://AKIA:{SECRET}@objects.example.org/bucket",
        f"s3://bucket/x#{SECRET}",
    ],
)
def test_log_in_data_are_refused_and_never_repeated(url: str) -> None:
    with pytest.raises(BadStorageUrl) as refusal:
        place(url)
    assert SECRET not in str(refusal.value)
    assert "STORAGE_URL" in str(refusal.value)


def test_the_remedy_for_log_in_data_is_named() -> None:
    for url in ("s3://me:secret@bucket", "s3://me:sec/ret@bucket", "s3://bucket?endpoint=https://me:secret@host"):
        with pytest.raises(BadStorageUrl, match="AWS_SECRET_ACCESS_KEY"):
            place(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/var/lib",
        "file://host/path",
        "file:///",
        "file:///var/../etc",
        "file:///var/lib?x=1",
        "s3://",
        "s3://AB",
        "s3://a..b",
        "s3://bucket/../x",
        "s3://bucket/a b",
        "s3://bucket/x?endpoint=ftp://host",
        "s3://bucket/x?endpoint=host",
        "s3://bucket/x?endpoint=https://host/path",
        "s3://bucket/x?region=EU WEST",
        "s3://bucket/x?region=a&region=b",
        "s3://bucket/x?style=odd",
        "s3://bucket/x?downloads=public",
        "s3://bucket/x?unknown=1",
        "s3://bucket/x?endpoint",
        "s3://[bucket/x",
    ],
)
def test_what_names_no_storage_is_refused(url: str) -> None:
    with pytest.raises(BadStorageUrl, match="STORAGE_URL"):
        place(url)


def test_the_hosts_behind_a_storage_are_known() -> None:
    assert hosts("s3://b-1/x?endpoint=https://objects.example.org") == [".objects.example.org"]
    assert hosts("s3://photos?region=eu-1") == ["photos.s3.amazonaws.com", "photos.s3.eu-1.amazonaws.com"]
    assert hosts("file:///var/lib") == []
    assert hosts("nonsense") == []


def test_browsers_are_sent_to_a_bucket_only_where_the_url_says_so() -> None:
    assert download_origins("s3://b-1/x?endpoint=https://objects.example.org") == []
    assert download_origins("file:///var/lib") == download_origins("nonsense") == []
    redirect = "s3://b-1/x?endpoint=https://objects.example.org&downloads=redirect"
    assert download_origins(redirect) == ["https://objects.example.org"]
    assert download_origins(f"{redirect}&style=virtual") == ["https://b-1.objects.example.org"]
    assert download_origins("s3://b-1?downloads=redirect&region=eu-1") == ["https://b-1.s3.eu-1.amazonaws.com"]
