"""Taking pictures in.

Why a picture was not taken is stored beside it, so these reasons are written in one language, English.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation import journal, scratch
from annotation.errors import Invalid
from annotation.hashing import sha256_file
from annotation.images import formats, pixels
from annotation.images.operations.settling import settle_refusal, settle_stored
from annotation.images.pixels import Picture, Refused
from annotation.models import Acquisition, AcquisitionState, Image, Person, PyramidState, Source
from annotation.sources.licences import Licence
from annotation.storage import store

CHUNK = 1 << 20


class OtherBytes(Invalid):
    """The file is not the one that the source's hash promises."""

    code = "picture-other-bytes"


def take_in(*, path: Path, by: Person, source: Source, name: str = "", licence: Licence | None = None) -> Image:
    """The Image of a file, stored and queued for tiling; the same bytes twice are the same Image.

    `name` is how the source calls the file (its own name by default); what becomes of it is kept as an Acquisition.
    Raises Refused for what is no acceptable picture, OtherBytes where the source or the licence table promises others.
    """
    name = name or path.name
    return take_pieces(pieces=_pieces(path), by=by, source=source, name=name, licence=licence)


def take_pieces(
    *, pieces: Iterable[bytes], by: Person, source: Source, name: str, licence: Licence | None = None, **facts: Any
) -> Image:
    """As `take_in`, for bytes from anywhere. `facts` are more columns of the Acquisition."""
    try:
        with scratch.folder("intake") as folder:
            copy = folder / "picture"
            _pour(pieces, copy)
            found = _looked_at(copy, source, name, licence)
            with transaction.atomic():
                image = found if isinstance(found, Image) else _add(found, source=source, by=by, licence=licence)
                settle_stored(source=source, name=name, image=image, **facts)
    except OtherBytes as refusal:
        settle_refusal(source=source, name=name, state=AcquisitionState.MISMATCH, reason=refusal.message, **facts)
        raise
    except Invalid as refusal:
        settle_refusal(source=source, name=name, state=AcquisitionState.REFUSED, reason=refusal.message, **facts)
        raise
    return image


def _pieces(path: Path) -> Iterator[bytes]:
    if not path.is_file():  # also keeps us from waiting at a pipe or a device
        raise Refused("missing")
    try:
        with path.open("rb") as stream:
            yield from iter(lambda: stream.read(CHUNK), b"")
    except PermissionError as error:
        raise Refused("missing") from error


def _pour(pieces: Iterable[bytes], copy: Path) -> None:
    """The bytes as they are now: what is checked is what is stored, whatever happens to the original meanwhile."""
    size = 0
    with copy.open("xb") as out:
        for piece in pieces:
            size += len(piece)
            if size > formats.MAX_BYTES:
                raise Refused("bytes")
            out.write(piece)


def _looked_at(copy: Path, source: Source, name: str, licence: Licence | None) -> Image | Picture:
    """The Image of these bytes, or the picture they are, whose bytes are stored by then."""
    sha256 = sha256_file(copy)
    _check_promises(sha256, copy.stat().st_size, source, name, licence)
    if known := Image.objects.filter(sha256=sha256).first():
        if known.pyramid_state == PyramidState.ERASED:
            raise Refused("taken-down")
        _restore(known, copy)
        return known
    picture = pixels.inspect(copy)
    store().write(original_key(picture.sha256), copy)
    return picture


def _restore(known: Image, copy: Path) -> None:
    """Store the bytes anew where the storage has lost them. Raises Refused where it was taken down meanwhile."""
    if store().exists(known.storage_key):
        return
    store().write(known.storage_key, copy)
    if Image.objects.filter(pk=known.pk, pyramid_state=PyramidState.ERASED).exists():
        store().erase(known.storage_key)
        raise Refused("taken-down")
    journal.record(event="image.original-restored", actor=None, subject=known, after={"sha256": known.sha256})


def _check_promises(sha256: str, size: int, source: Source, name: str, licence: Licence | None) -> None:
    if licence and licence.sha256 not in {"", sha256}:
        raise OtherBytes(f"{name} is not the file that the licence table describes: fetch it again.")
    promised = Acquisition.objects.filter(source=source, name=name).first()
    if promised and (promised.expected_sha256 not in {"", sha256} or promised.expected_size not in {None, size}):
        raise OtherBytes(f"{name} is not the file that the source promises: it has sha256 {sha256} and {size} bytes.")


def original_key(sha256: str) -> str:
    """Where original bytes are stored."""
    return f"originals/{sha256[:2]}/{sha256}"


def _add(picture: Picture, *, source: Source, by: Person, licence: Licence | None) -> Image:
    image, made = Image.objects.get_or_create(
        sha256=picture.sha256,
        defaults={
            "width": picture.width,
            "height": picture.height,
            "format": picture.format,
            "byte_size": picture.bytes,
            "source": source,
            "attribution": licence.author if licence else "",
            "licence": licence.licence if licence else "",
            "storage_key": original_key(picture.sha256),
        },
    )
    if made:
        after = {"sha256": image.sha256, "source": source.key, "width": image.width, "height": image.height}
        journal.record(event="image.stored", actor=by, subject=image, after=after)
    return image
