"""The one door to stored bytes: originals, pyramids, files of releases, in a folder or in a bucket as STORAGE_URL says."""

import os
from functools import lru_cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from annotation.storage.blocks import Blocks, WithBlocks
from annotation.storage.door import BadKey, KeyTaken, NoSuchKey, OtherSum, Storage, StorageFault, StorageShut, Stored
from annotation.storage.local import INCOMING, LocalStorage
from annotation.storage.s3 import S3Storage
from annotation.storage_urls import BadStorageUrl, Folder, place

__all__ = [
    "INCOMING",
    "BadKey",
    "KeyTaken",
    "LocalStorage",
    "NoSuchKey",
    "OtherSum",
    "S3Storage",
    "Storage",
    "StorageFault",
    "StorageShut",
    "Stored",
    "bucket_at",
    "storage_at",
    "store",
]


def store() -> Storage:
    """The storage that STORAGE_URL names."""
    return storage_at(settings.STORAGE_URL)


@lru_cache(maxsize=8)
def storage_at(url: str) -> Storage:
    """The storage at a URL (see `storage_urls`). Raises ImproperlyConfigured for one that names none."""
    try:
        found = place(url)
    except BadStorageUrl as error:
        raise ImproperlyConfigured(str(error)) from error
    if isinstance(found, Folder):
        return LocalStorage(found.root)
    bucket = S3Storage(found)
    if not settings.STORAGE_CACHE_BYTES:
        return bucket
    return WithBlocks(bucket, Blocks(settings.STORAGE_CACHE_DIR, settings.STORAGE_CACHE_BYTES))


def bucket_at(url: str) -> S3Storage | None:
    """The bucket itself, for looking at how it is set up; None for a folder. Raises ImproperlyConfigured."""
    found = storage_at(url)
    inner = found.inner if isinstance(found, WithBlocks) else found
    return inner if isinstance(inner, S3Storage) else None


# Two processes must not talk over one connection.
os.register_at_fork(after_in_child=storage_at.cache_clear)
