"""Looks by the rule as it is now, of pictures that were tiled by an older one; and all clusters derived anew."""

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation import journal, scratch
from annotation.images import archive, pixels, tiling
from annotation.images.looks import VERSION, Look, look_of
from annotation.images.operations.clusters import hold_clusters, join, settle
from annotation.images.operations.comparing import compare
from annotation.models import Image, ImageLikeness, ImageLook, Person, PyramidState
from annotation.storage import store


def unlooked() -> QuerySet[Image]:
    """Tiled pictures that have no look, or one by another version of the rule; the oldest first."""
    tiled = Image.objects.filter(pyramid_state=PyramidState.TILED)
    return tiled.filter(Q(look__isnull=True) | ~Q(look__version=VERSION)).order_by("pk")


def relook(*, image: Image) -> int:
    """Make the look of a tiled picture anew and find its copies; its cluster.

    The view is taken from the pyramid if none is stored. Raises Refused, NoSuchKey, NoSuchTile, DamagedPyramid.
    """
    compared = compare(image, _look(image))
    with transaction.atomic():
        return join(image, compared)


@transaction.atomic
def settle_all(*, by: Person, made: int = 0) -> int:
    """Derive the clusters of all pictures from what is stored; how many pictures changed theirs.

    `made` says how many looks were made anew before, for the journal.
    """
    hold_clusters()
    ImageLikeness.objects.exclude(version=VERSION).delete()
    before = dict(Image.objects.exclude(cluster=None).values_list("pk", "cluster"))
    after = settle(before)
    changed = sum(after[pk] != cluster for pk, cluster in before.items())
    journal.record(event="clusters.rebuilt", actor=by, subject=by, after={"version": VERSION, "looks": made, "changed": changed})
    return changed


def _look(image: Image) -> Look:
    stored = ImageLook.objects.filter(image=image).first()
    return look_of(bytes(stored.thumb) if stored else _view(image))


def _view(image: Image) -> bytes:
    """The small grey view, made in the confined child as for a new picture, from the pyramid's smallest level."""
    *_, smallest = tiling.tiles(image.width, image.height)
    with scratch.folder("look") as folder:
        level = folder / "level.jpg"
        level.write_bytes(archive.directories.tile(store(), image.pyramid_key, smallest.name))
        return pixels.build_pyramid(level, folder / "pyramid.zip").thumb
