"""Taking pictures in.

Why a picture was not taken is stored beside it, so these reasons are written in one language, English.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import transaction

from annotation import journal
from annotation.errors import Invalid
from annotation.hashing import sha256_file
from annotation.images import formats, pixels
from annotation.images.operations.tiling import enqueue_tiling
from annotation.images.pixels import Picture, Refused
from annotation.models import Acquisition, AcquisitionState, Image, Person, Source
from annotation.sources.licences import Licence
from annotation.storage import store


class OtherBytes(Invalid):
    """The file is not the one that the source's hash promises."""

    code = "picture-other-bytes"


def take_in(*, path: Path, by: Person, source: Source, name: str = "", licence: Licence | None = None) -> Image:
    """The Image of a file, stored and queued for tiling; the same bytes twice are the same Image.

    `name` is how the source calls the file (its own name by default); what becomes of it is kept as an Acquisition.
    Raises Refused for what is no acceptable picture, OtherBytes where the licence table promises another hash.
    """
    name = name or path.name
    try:
        with _private_copy(path) as copy:
            found = _looked_at(copy, name, licence)
    except (Refused, OtherBytes) as refusal:
        state = AcquisitionState.REFUSED if isinstance(refusal, Refused) else AcquisitionState.MISMATCH
        _note(source, name, state, reason=refusal.message)
        raise
    with transaction.atomic():
        image = found if isinstance(found, Image) else _add(found, source=source, by=by, licence=licence)
        _note(source, name, AcquisitionState.STORED, image=image)
        enqueue_tiling(image)
    return image


@contextmanager
def _private_copy(path: Path) -> Iterator[Path]:
    """The file as it is now: what is checked is what is stored, whatever happens to the original meanwhile."""
    if not path.is_file():  # also keeps us from waiting at a pipe or a device
        raise Refused("missing")
    if path.stat().st_size > formats.MAX_BYTES:
        raise Refused("bytes")
    with tempfile.TemporaryDirectory(prefix="hardbench-intake-") as folder:
        copy = Path(folder) / "picture"
        try:
            shutil.copyfile(path, copy)
        except PermissionError as error:
            raise Refused("missing") from error
        yield copy


def _looked_at(copy: Path, name: str, licence: Licence | None) -> Image | Picture:
    """The Image of these bytes, or the picture they are, whose bytes are stored by then."""
    sha256 = sha256_file(copy)
    if licence and licence.sha256 not in {"", sha256}:
        raise OtherBytes(f"{name} is not the file that the licence table describes: fetch it again.")
    if known := Image.objects.filter(sha256=sha256).first():
        return known
    picture = pixels.inspect(copy)
    store().write(original_key(picture.sha256), copy)
    return picture


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


def _note(source: Source, name: str, state: str, *, image: Image | None = None, reason: str = "") -> None:
    Acquisition.objects.update_or_create(source=source, name=name, defaults={"state": state, "image": image, "reason": reason})
