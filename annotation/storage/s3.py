"""Storage in a bucket of an S3-compatible server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from botocore.exceptions import ClientError, HTTPClientError, IncompleteReadError

from annotation import scratch
from annotation.hashing import sha256_file
from annotation.storage import uploads
from annotation.storage.client import client
from annotation.storage.door import CHUNK, NoSuchKey, StorageFault, Stored, check_sum, checked, taken
from annotation.storage.faults import PastTheEnd, Present, code_of, told
from annotation.storage.streams import stream
from annotation.storage.uploads import Content, measured
from annotation.storage_urls import Bucket

BODY_ATTEMPTS = 3


class S3Storage:
    """Storage in one bucket below a prefix. Nothing is stored twice, and nothing by halves: a put is whole or is not."""

    def __init__(self, place: Bucket, *, part_bytes: int = uploads.PART_BYTES) -> None:
        self.place = place
        self.client = client(place)
        self._part_bytes = part_bytes

    @property
    def where(self) -> str:
        return self.place.shown

    def write(self, key: str, content: bytes | Path) -> None:
        measure = measured(content, self._part_bytes)
        check_sum(key, measure.sha256)
        try:
            if self._holds(key, measure):
                return
            with told(key):
                uploads.send(self.client, self.at(key), measure, self._part_bytes)
        except Present:
            if not self._holds(key, measure):
                raise StorageFault("Two writers met in the storage: it is tried again later.") from None
            return
        self._verify(key, measure)

    def open(self, key: str) -> BinaryIO:
        return stream(lambda offset, length: self.read_range(key, offset, length), self.size(key))

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        return ranged(self.client, self.at(key), key, offset, length)

    @contextmanager
    def local_copy(self, key: str) -> Iterator[Path]:
        """A copy that lasts as long as the context; its sum is compared with the one that the key promises."""
        with self._downloaded(key) as path:
            check_sum(key, sha256_file(path))
            yield path

    def exists(self, key: str) -> bool:
        try:
            self.head(key)
        except NoSuchKey:
            return False
        return True

    def size(self, key: str) -> int:
        return int(self.head(key)["ContentLength"])

    def entries(self, prefix: str = "") -> Iterator[Stored]:
        root = f"{self.place.prefix}/" if self.place.prefix else ""
        for key, size in listed(self.client, self.place.name, root + prefix):
            yield Stored(key.removeprefix(root), size)

    def delete(self, key: str) -> None:
        with told(key):
            self.client.delete_object(**self.at(key))

    def erase(self, key: str) -> None:
        where = self.at(key)
        with told(key):
            versions = _versions(self.client, where)
            for version in versions or []:
                self.client.delete_object(**where, VersionId=version)
            if versions is None:  # elsewhere this would leave a mark of deletion behind
                self.client.delete_object(**where)

    def signed_address(self, key: str, *, file_name: str, seconds: int) -> str:
        if self.place.downloads != "redirect":
            return ""
        forced = {
            "ResponseContentDisposition": f'attachment; filename="{quote(file_name, safe="")}"',
            "ResponseContentType": "application/octet-stream",
            "ResponseCacheControl": "private, no-store",
        }
        address: str = self.client.generate_presigned_url("get_object", Params={**self.at(key), **forced}, ExpiresIn=seconds)
        return address

    def at(self, key: str) -> dict[str, str]:
        """Bucket and full name of a key, as the client wants them. Raises BadKey."""
        return {"Bucket": self.place.name, "Key": f"{self.place.prefix}/{checked(key)}".lstrip("/")}

    def head(self, key: str) -> dict[str, Any]:
        """What the server says about a key. Raises NoSuchKey."""
        with told(key):
            answer: dict[str, Any] = self.client.head_object(**self.at(key), ChecksumMode="ENABLED")
        return answer

    def _holds(self, key: str, content: Content) -> bool:
        """Whether these very bytes are there. Raises KeyTaken where others are."""
        try:
            head = self.head(key)
        except NoSuchKey:
            return False
        noted = head.get("Metadata", {}).get(uploads.SUM) or self._sum(key)
        if (noted, int(head["ContentLength"])) != (content.sha256, content.size):
            raise taken(key)
        return True

    def _verify(self, key: str, content: Content) -> None:
        """Compare what the server says it holds; read it back where its tag is none that can be compared."""
        head = self.head(key)
        told_sum = head.get("ChecksumSHA256", content.checksum).partition("-")[0]
        right = int(head["ContentLength"]) == content.size and told_sum == content.checksum
        if right and (head.get("ETag") == content.etag or self._sum(key) == content.sha256):
            return
        self.erase(key)
        raise StorageFault("The storage holds other bytes than were sent: they were thrown away, it is tried again later.")

    def _sum(self, key: str) -> str:
        with self._downloaded(key) as path:
            return sha256_file(path)

    @contextmanager
    def _downloaded(self, key: str) -> Iterator[Path]:
        with scratch.folder("copy") as folder:
            path = folder / key.rpartition("/")[2]
            with self.open(key) as source, path.open("wb") as out:
                for piece in iter(lambda: source.read(CHUNK), b""):
                    out.write(piece)
            yield path


def listed(client: Any, bucket: str, prefix: str) -> Iterator[tuple[str, int]]:
    """Full names and sizes of all objects whose name begins with a prefix, page by page, in the order of their bytes."""
    pages = iter(client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix))
    while True:
        with told(prefix):
            page = next(pages, None)
        if page is None:
            return
        yield from ((one["Key"], int(one["Size"])) for one in page.get("Contents", []))


def _versions(client: Any, where: dict[str, str]) -> list[str] | None:
    """All that was ever stored under a name, and the marks of its deletion; None where a server knows no versions."""
    pages = client.get_paginator("list_object_versions").paginate(Bucket=where["Bucket"], Prefix=where["Key"])
    try:
        found = [one for page in pages for one in [*page.get("Versions", []), *page.get("DeleteMarkers", [])]]
    except ClientError as error:
        if code_of(error) in ("NotImplemented", "MethodNotAllowed"):
            return None
        raise
    return [one["VersionId"] for one in found if one["Key"] == where["Key"]]


def ranged(client: Any, where: dict[str, str], key: str, offset: int, length: int) -> bytes:
    """At most `length` bytes of an object from `offset`; fewer at its end. Raises NoSuchKey."""
    if length <= 0:
        return b""
    for left in reversed(range(BODY_ATTEMPTS)):
        try:
            return _range(client, where, key, offset, length)
        except (HTTPClientError, IncompleteReadError) as error:  # botocore itself tries again only before an answer
            if not left:
                raise StorageFault(f"The storage broke off an answer ({type(error).__name__}).") from None
    raise AssertionError("unreachable")


def _range(client: Any, where: dict[str, str], key: str, offset: int, length: int) -> bytes:
    try:
        with told(key):
            answer = client.get_object(**where, Range=f"bytes={offset}-{offset + length - 1}")
    except PastTheEnd:
        return b""
    with answer["Body"] as body:
        content: bytes = body.read()
    return content[:length] if answer["ResponseMetadata"]["HTTPStatusCode"] == 206 else content[offset : offset + length]
