"""Cutting pictures into tiles.

Why a picture was not tiled is stored beside it, so these reasons are written in one language, English.
"""

from typing import Any

from django.db import transaction

from annotation import journal, scratch, work
from annotation.errors import DomainError
from annotation.images import archive, pixels
from annotation.images.looks import look_of
from annotation.images.operations import clusters
from annotation.images.operations.comparing import Compared, compare
from annotation.images.pixels import Pyramid, Refused
from annotation.models import Image, PyramidState
from annotation.storage import NoSuchKey, OtherSum, store

PASSING = {"time", "crash"}  # an overloaded machine looks like this; a bad picture will look so again


def enqueue_tiling(image: Image) -> None:
    """Ask for the pyramid; asking again changes nothing."""
    work.enqueue(kind="tile", natural_key=f"tile:{image.key}", payload={"image_id": image.pk}, queue="image")


def tile(*, image_id: int) -> dict[str, Any]:
    """Make the pyramid of an image if it has no sound one; what was made, as JSON.

    Raises Refused, NoSuchKey and OtherSum (the original is gone or damaged) or PassingFailure; the reason then stands
    at the image.
    """
    image = Image.objects.get(pk=image_id)
    key = pyramid_key(image.key)
    if image.pyramid_state == PyramidState.ERASED:
        return {"image": image.key, "made": False}
    if image.pyramid_state == PyramidState.TILED and _is_sound(key, image):
        return {"image": image.key, "made": False}
    try:
        pyramid = _build(image, key)
    except Refused as refusal:
        standing = Image.objects.filter(pk=image.pk).exclude(pyramid_state=PyramidState.ERASED)
        standing.update(pyramid_state=PyramidState.FAILED, pyramid_fault=refusal.message)
        if refusal.reason in PASSING:
            raise work.PassingFailure(refusal.message) from refusal
        raise
    except (NoSuchKey, OtherSum) as loss:
        _write_down(image, loss)
        raise
    except OSError as error:
        raise work.PassingFailure(f"The storage did not take the tiles: {error}.") from error
    compared = compare(image, look_of(pyramid.thumb))
    with transaction.atomic():
        clusters.hold_clusters()  # before the picture's own lock, as everybody who changes clusters does
        stands = Image.objects.select_for_update().get(pk=image.pk).pyramid_state != PyramidState.ERASED
        if stands:
            _settle(image, key, pyramid, compared)
    if not stands:
        store().erase(key)  # it was taken down while it was cut
    return {"image": image.key, "made": stands, "peak_bytes": pyramid.peak_bytes}


def pyramid_key(image_key: str) -> str:
    """Where the pyramid of an image is stored: told by its public key alone, so that a tile needs no query."""
    return f"pyramids/{image_key[:2]}/{image_key}.zip"


def _is_sound(key: str, image: Image) -> bool:
    storage = store()
    if not storage.exists(key):
        return False
    try:
        found = archive.read_directory(storage, key)
        archive.check_complete(found, key)
    except archive.DamagedPyramid:
        return False
    return (found.width, found.height) == (image.width, image.height)


def _build(image: Image, key: str) -> Pyramid:
    storage = store()
    with scratch.folder("tiles") as folder, storage.local_copy(image.storage_key) as original:
        out = folder / "pyramid.zip"
        pyramid = pixels.build_pyramid(original, out)
        storage.delete(key)  # what stands there is damaged or left over from an attempt that was not written down
        storage.write(key, out)
    archive.directories.forget(storage, key)
    return pyramid


@transaction.atomic
def _write_down(image: Image, loss: DomainError) -> None:
    standing = Image.objects.filter(pk=image.pk).exclude(pyramid_state=PyramidState.ERASED)
    if standing.update(pyramid_state=PyramidState.FAILED, pyramid_fault=loss.message):
        after = {"sha256": image.sha256, "fault": loss.code}
        journal.record(event="image.original-missing", actor=None, subject=image, after=after)


def _settle(image: Image, key: str, pyramid: Pyramid, compared: Compared) -> None:
    cluster = clusters.join(image, compared)
    Image.objects.filter(pk=image.pk).update(
        pyramid_key=key,
        pyramid_state=PyramidState.TILED,
        pyramid_fault="",
    )
    after = {"pyramid": key, "cluster": cluster, "width": pyramid.width, "height": pyramid.height}
    journal.record(event="image.tiled", actor=None, subject=image, after=after)
