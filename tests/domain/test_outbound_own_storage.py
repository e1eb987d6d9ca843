"""No address that a row names leads to the storage's own server; the storage itself is reached all the same."""

from typing import Any

import pytest

from annotation.outbound import door, target
from annotation.outbound.addresses import RefusedAddress, check, policy
from annotation.storage import store
from annotation.storage_urls import hosts
from tests import buckets


def refused(url: str, storage: str) -> bool:
    try:
        check(target(url), policy(own_hosts=hosts(storage), allow=[]))
    except RefusedAddress:
        return True
    return False


def test_the_storages_host_and_all_below_it_are_refused() -> None:
    ours = "s3://kept/x?endpoint=https://objects.example.org"
    assert refused("https://objects.example.org/kept/x/originals/ab/abc", ours)
    assert refused("https://kept.objects.example.org/x/originals/ab/abc", ours)
    assert not refused("https://objects.example.com/a.jpg", ours)


def test_on_amazons_servers_only_our_own_bucket_is_refused() -> None:
    assert refused("https://kept.s3.eu-1.amazonaws.com/a.jpg", "s3://kept?region=eu-1")
    assert refused("https://kept.s3.amazonaws.com/a.jpg", "s3://kept?region=eu-1")
    assert not refused("https://open-pictures.s3.amazonaws.com/a.jpg", "s3://kept?region=eu-1")


def test_the_door_knows_the_storage_and_the_storage_needs_no_door(bucket: str, settings: Any) -> None:
    settings.STORAGE_URL = buckets.url_of(bucket)
    store().write("a", b"x")  # on loopback, where the door lets nobody
    with pytest.raises(RefusedAddress):
        check(target(f"{buckets.server()}/{bucket}/kept/a"), door().rules)
    settings.STORAGE_URL = "s3://kept?endpoint=https://objects.example.org"
    with pytest.raises(RefusedAddress, match="this installation itself"):
        check(target("https://kept.objects.example.org/a"), door().rules)
