"""Other people's pictures on the server that the storage lies on: listed and read, never written.

A shelf is named `s3://bucket/prefix`. Server and log-in data are those of STORAGE_URL: nobody can lead the product to
another server by naming a shelf. Names are whatever those people chose; they are never used as paths.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.storage.client import client
from annotation.storage.faults import told
from annotation.storage.s3 import listed, ranged
from annotation.storage.streams import stream
from annotation.storage_urls import BUCKET, Bucket, place


class NoShelf(Invalid):
    """What was named is no bucket with a prefix, or the storage is a folder."""

    code = "no-shelf"


class Shelf:
    """One bucket, read only."""

    def __init__(self, asked: Any, bucket: str) -> None:
        self._client = asked
        self._bucket = bucket

    def keys(self, prefix: str) -> Iterator[str]:
        """Names of all objects that begin with a prefix, page by page. What stands for a folder is none."""
        return (key for key, _size in listed(self._client, self._bucket, prefix) if not key.endswith("/"))

    def open(self, key: str) -> BinaryIO:
        """A stream of an object. Raises NoSuchKey, StorageFault, StorageShut."""
        where = {"Bucket": self._bucket, "Key": key}
        with told(key):
            size = int(self._client.head_object(**where)["ContentLength"])
        return stream(lambda offset, length: ranged(self._client, where, key, offset, length), size)


def shelf_at(named: str) -> tuple[Shelf, str]:
    """The shelf and the prefix that `s3://bucket/prefix` names; the prefix ends in "/" or is empty. Raises NoShelf."""
    server = place(settings.STORAGE_URL)
    if not isinstance(server, Bucket):
        raise NoShelf(_("The storage is a folder: take pictures from a folder, too, with --folder."), field="prefix")
    bucket, _slash, prefix = named.removeprefix("s3://").partition("/")
    if not named.startswith("s3://") or not BUCKET.fullmatch(bucket):
        raise NoShelf(_("Name a bucket of the storage's own server, and the folder in it: s3://bucket/photos/."), field="prefix")
    return Shelf(client(server), bucket), f"{prefix.rstrip('/')}/" if prefix.strip("/") else ""
