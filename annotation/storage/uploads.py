"""Bringing bytes into a bucket: in one piece, or in parts that are given up as a whole if one fails.

Every piece travels with its sha256, which the server compares; what it then says it holds is compared once more.
"""

import hashlib
import io
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from botocore.exceptions import BotoCoreError, ClientError

from annotation.storage.door import CHUNK

PART_BYTES = 32 << 20
SUM = "sha256"  # our own note at each object: the sha256 of its bytes


@dataclass(frozen=True, slots=True)
class Content:
    """What is to be stored: its size, its sha256, and the same of its parts (one part where it is sent in one piece)."""

    source: bytes | Path
    size: int
    sha256: str
    part_sums: tuple[bytes, ...]
    part_md5s: tuple[bytes, ...]

    def open(self) -> BinaryIO:
        return io.BytesIO(self.source) if isinstance(self.source, bytes) else self.source.open("rb")

    @property
    def checksum(self) -> str:
        """The checksum as servers write it, without the number of parts that some put behind it: the sum of the bytes, or
        of the parts' sums."""
        return _text(self.part_sums[0] if len(self.part_sums) == 1 else hashlib.sha256(b"".join(self.part_sums)).digest())

    @property
    def etag(self) -> str:
        """The tag that servers give to bytes they do not encrypt with a key of the customer."""
        if len(self.part_md5s) == 1:
            return f'"{self.part_md5s[0].hex()}"'
        return f'"{hashlib.md5(b"".join(self.part_md5s), usedforsecurity=False).hexdigest()}-{len(self.part_md5s)}"'


def measured(source: bytes | Path, part_bytes: int) -> Content:
    """Read what is to be stored once, for its sums."""
    whole, size = hashlib.sha256(), 0
    sums, md5s = list[bytes](), list[bytes]()
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as stream:
        while not sums or size == len(sums) * part_bytes:  # a last part may turn out to be empty, and is then dropped
            part, md5, before = hashlib.sha256(), hashlib.md5(usedforsecurity=False), size
            for piece in _pieces(stream, part_bytes):
                for digest in (whole, part, md5):
                    digest.update(piece)
                size += len(piece)
            if sums and size == before:
                break
            sums.append(part.digest())
            md5s.append(md5.digest())
    return Content(source, size, whole.hexdigest(), tuple(sums), tuple(md5s))


def send(client: Any, where: dict[str, str], content: Content, part_bytes: int) -> None:
    """Store the content under a name that must be free. Raises botocore's errors, 412 among them where it is taken."""
    if len(content.part_sums) == 1:
        _send_whole(client, where, content)
    else:
        _send_parts(client, where, content, part_bytes)


def _send_whole(client: Any, where: dict[str, str], content: Content) -> None:
    with content.open() as body:
        client.put_object(
            **where,
            Body=body,
            ContentLength=content.size,
            ContentMD5=_text(content.part_md5s[0]),
            ChecksumAlgorithm="SHA256",
            ChecksumSHA256=content.checksum,
            ContentType="application/octet-stream",
            Metadata={SUM: content.sha256},
            IfNoneMatch="*",
        )


def _send_parts(client: Any, where: dict[str, str], content: Content, part_bytes: int) -> None:
    begun = client.create_multipart_upload(
        **where, ChecksumAlgorithm="SHA256", ContentType="application/octet-stream", Metadata={SUM: content.sha256}
    )
    upload = {**where, "UploadId": begun["UploadId"]}
    with ExitStack() as undo:
        undo.callback(_give_up, client, upload)
        with content.open() as stream:
            parts = [_send_part(client, upload, stream, content, number, part_bytes) for number in range(len(content.part_sums))]
        client.complete_multipart_upload(**upload, MultipartUpload={"Parts": parts}, IfNoneMatch="*")
        undo.pop_all()


def _give_up(client: Any, upload: dict[str, str]) -> None:
    """Throw the parts away. Whatever made us do so is what counts, so a second error is not told."""
    with suppress(BotoCoreError, ClientError):
        client.abort_multipart_upload(**upload)


def _send_part(
    client: Any, upload: dict[str, str], stream: BinaryIO, content: Content, number: int, part_bytes: int
) -> dict[str, Any]:
    checksum = _text(content.part_sums[number])
    answer = client.upload_part(
        **upload,
        PartNumber=number + 1,
        Body=stream.read(part_bytes),
        ContentMD5=_text(content.part_md5s[number]),
        ChecksumAlgorithm="SHA256",
        ChecksumSHA256=checksum,
    )
    return {"PartNumber": number + 1, "ETag": answer["ETag"], "ChecksumSHA256": checksum}


def _pieces(stream: BinaryIO, most: int) -> Iterator[bytes]:
    while most > 0 and (piece := stream.read(min(CHUNK, most))):
        most -= len(piece)
        yield piece


def _text(digest: bytes) -> str:
    return b64encode(digest).decode()
