"""Reading about pictures: crops, look-alikes, and how far tiling is."""

from collections.abc import Sequence

from django.db import connection
from django.db.models import Count, QuerySet

from annotation.errors import Conflict
from annotation.images import crops, looks, tiling
from annotation.models import Acquisition, AcquisitionState, Image, PyramidState, Source
from annotation.storage import store

LOOK_ALIKE = """
SELECT DISTINCT cluster FROM image
WHERE cluster IS NOT NULL AND difference_hash <> ''
  AND bit_count((('x' || difference_hash)::bit(64)) # ('x' || %(difference)s)::bit(64)) <= %(most)s
  AND bit_count((('x' || average_hash)::bit(64)) # ('x' || %(average)s)::bit(64)) <= %(most)s
"""


class NotTiled(Conflict):
    """The picture has no pyramid yet."""

    code = "picture-not-tiled"


def crop(*, image: Image, box: Sequence[float] | None = None, longest: int = tiling.MAX_CROP) -> bytes:
    """A region of a picture as JPEG, its longer side at most `longest` pixels and never enlarged.

    `box` is [x1, y1, x2, y2] in pixels of the upright original, cut at the edges; the whole picture without it.
    Raises NotTiled, tiling.NotOffered for a box outside the picture, DamagedPyramid.
    """
    if image.pyramid_state != PyramidState.TILED:
        raise NotTiled("This picture is not tiled yet: wait until tiling is done.")
    return crops.crop(store(), image.pyramid_key, tiling.boxed(box, image.width, image.height, longest))


def clusters_like(difference_hash: str, average_hash: str) -> list[int]:
    """The clusters of all tiled pictures that look like these hashes say; none where the hashes say too little."""
    if not looks.says_something(difference_hash) or not looks.says_something(average_hash):
        return []
    values: dict[str, str | int] = {"difference": difference_hash, "average": average_hash, "most": looks.MOST_BITS_APART}
    with connection.cursor() as cursor:
        cursor.execute(LOOK_ALIKE, values)
        return [cluster for (cluster,) in cursor.fetchall()]


def tiling_counts(source: Source | None = None) -> dict[str, int]:
    """How many pictures are waiting, tiled and failed; of one source or of all."""
    images = Image.objects.all() if source is None else Image.objects.filter(source=source)
    found = dict.fromkeys(PyramidState.values, 0)
    return found | dict(images.values_list("pyramid_state").annotate(Count("pk")).order_by("pyramid_state"))


def refusals(source: Source) -> QuerySet[Acquisition]:
    """The pictures that a source names and that were not taken in, with their reasons, newest first."""
    unwelcome = [AcquisitionState.REFUSED, AcquisitionState.MISMATCH, AcquisitionState.GONE]
    return Acquisition.objects.filter(source=source, state__in=unwelcome).order_by("-pk")
