"""Taking pictures in, and cutting them into tiles.

Why a picture was not taken is stored beside it, so these reasons are written in one language, English.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from annotation import journal, work
from annotation.errors import Invalid
from annotation.hashing import sha256_file
from annotation.images import archive, formats, pixels, queries
from annotation.images.pixels import Picture, Pyramid, Refused
from annotation.models import Acquisition, AcquisitionState, Image, Person, PyramidState, Source
from annotation.sources.licences import Licence
from annotation.storage import store

CLUSTER_LOCK = 4_042_003
PASSING = {"time", "crash"}  # an overloaded machine looks like this; a bad picture will look so again


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


def enqueue_tiling(image: Image) -> None:
    """Ask for the pyramid; asking again changes nothing."""
    work.enqueue(kind="tile", natural_key=f"tile:{image.key}", payload={"image_id": image.pk}, queue="image")


def tile(*, image_id: int) -> dict[str, Any]:
    """Make the pyramid of an image if it has no sound one; what was made, as JSON.

    Raises Refused or PassingFailure; the reason then stands at the image.
    """
    image = Image.objects.get(pk=image_id)
    key = pyramid_key(image.key)
    if image.pyramid_state == PyramidState.TILED and _is_sound(key, image):
        return {"image": image.key, "made": False}
    try:
        pyramid = _build(image, key)
    except Refused as refusal:
        Image.objects.filter(pk=image.pk).update(pyramid_state=PyramidState.FAILED, pyramid_fault=refusal.message)
        if refusal.reason in PASSING:
            raise work.PassingFailure(refusal.message) from refusal
        raise
    except OSError as error:
        raise work.PassingFailure(f"The storage did not take the tiles: {error}.") from error
    with transaction.atomic():
        _settle(image, key, pyramid)
    return {"image": image.key, "made": True, "peak_bytes": pyramid.peak_bytes}


def pyramid_key(image_key: str) -> str:
    """Where the pyramid of an image is stored: told by its public key alone, so that a tile needs no query."""
    return f"pyramids/{image_key[:2]}/{image_key}.zip"


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
    with tempfile.TemporaryDirectory(prefix="hardbench-tiles-") as folder, storage.local_copy(image.storage_key) as original:
        out = Path(folder) / "pyramid.zip"
        pyramid = pixels.build_pyramid(original, out)
        storage.delete(key)  # what stands there is damaged or left over from an attempt that was not written down
        storage.write(key, out)
    archive.directories.forget(storage, key)
    return pyramid


def _settle(image: Image, key: str, pyramid: Pyramid) -> None:
    cluster = _join_cluster(image, pyramid)
    Image.objects.filter(pk=image.pk).update(
        pyramid_key=key,
        pyramid_state=PyramidState.TILED,
        pyramid_fault="",
        difference_hash=pyramid.difference_hash,
        average_hash=pyramid.average_hash,
        cluster=cluster,
    )
    after = {"pyramid": key, "cluster": cluster, "width": pyramid.width, "height": pyramid.height}
    journal.record(event="image.tiled", actor=None, subject=image, after=after)


def _join_cluster(image: Image, pyramid: Pyramid) -> int:
    """The cluster of everything that looks like this image, named by its oldest member; clusters that meet become one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CLUSTER_LOCK])  # two new look-alikes must see each other
    alike = queries.clusters_like(pyramid.difference_hash, pyramid.average_hash)
    cluster = min([*alike, image.cluster or image.pk])
    Image.objects.filter(cluster__in=alike).exclude(cluster=cluster).update(cluster=cluster)
    return cluster
