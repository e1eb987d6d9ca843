"""Finding copies: hashes say whom to look at closely, then one picture is laid over the other.

All hashes are scanned: at a distance of 18 of 63 bits no index of parts of a hash finds what a scan finds, and a scan of
100,000 rows takes some tenths of a second (`make bench ARGS=looks` measures both).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection
from django.db.models import Max

from annotation.images.clustering import Pair, pair_of
from annotation.images.likeness import Fit, Part, best_fits
from annotation.images.looks import VERSION, Look, mirrored, samples_of
from annotation.models import Image, ImageLikeness, ImageLook

MOST_BITS = 18  # of 63 between the nearest two hashes
LOOKED_AT = 32  # pictures that one picture is laid over at most, the nearest first

COLUMNS = ("hash_whole", "hash_trimmed", "hash_inner")
# The whole of one may be the inner part of the other, whichever was cropped.
PAIRED = ((0, 0), (0, 1), (0, 2), (1, 0), (2, 0))


def _nearest(of: str) -> str:
    parts = (f"bit_count(({COLUMNS[theirs]} # %({of}{ours})s::bigint)::bit(64))" for ours, theirs in PAIRED)
    return f"least({', '.join(parts)})"


# Constants put together from constants. OFFSET 0 keeps the distances from being computed twice.
NEAR = f"""
SELECT image_id, plain, turned FROM (
    SELECT image_id, {_nearest("plain")} AS plain, {_nearest("turned")} AS turned FROM image_look
    WHERE telling AND version = %(version)s AND image_id <> %(image)s AND id > %(after)s AND id <= %(until)s
    OFFSET 0
) AS compared
WHERE least(plain, turned) <= %(most)s ORDER BY least(plain, turned), image_id LIMIT %(limit)s
"""  # noqa: S608


class Near(NamedTuple):
    """A picture whose hashes are near, as it is (`plain`) and as mirrored (`turned`), in bits."""

    image_id: int
    plain: int
    turned: int

    @property
    def mirrored(self) -> bool:
        return self.turned < self.plain

    @property
    def bits(self) -> int:
        return min(self.plain, self.turned)


@dataclass(frozen=True, slots=True)
class Compared:
    """A picture's look, its copies among the looks up to `until`, and that mark."""

    look: Look
    likenesses: tuple[ImageLikeness, ...]
    until: int


def compare(image: Image, look: Look, *, after: int = 0) -> Compared:
    """Look for copies of a picture among all looks that were stored after `after`."""
    until = ImageLook.objects.aggregate(last=Max("pk"))["last"] or 0
    if not look.telling or until <= after:
        return Compared(look, (), until)
    near = _near(image, look, after, until)
    found = zip(near, _fits(image, look, near), strict=True)
    return Compared(look, tuple(_likeness(image, one, fit) for one, fit in found if fit.same), until)


def compare_rest(image: Image, before: Compared) -> Compared:
    """What `compare` found, and what came since."""
    since = compare(image, before.look, after=before.until)
    found = {pair(likeness): likeness for likeness in before.likenesses + since.likenesses}  # a look may have come anew
    return Compared(before.look, tuple(found.values()), since.until)


def pair(likeness: ImageLikeness) -> Pair:
    return likeness.one_id, likeness.other_id


def _near(image: Image, look: Look, after: int, until: int) -> list[Near]:
    limits = {"version": VERSION, "image": image.pk, "after": after, "until": until, "most": MOST_BITS, "limit": LOOKED_AT}
    plain = {f"plain{place}": value for place, value in enumerate(look.hashes)}
    turned = {f"turned{place}": mirrored(value) for place, value in enumerate(look.hashes)}
    with connection.cursor() as cursor:
        cursor.execute(NEAR, limits | plain | turned)
        return [Near(*row) for row in cursor.fetchall()]


def _fits(image: Image, look: Look, near: Sequence[Near]) -> list[Fit]:
    rows = ImageLook.objects.filter(image__in=[one.image_id for one in near])
    columns = rows.values_list("image_id", "thumb", "image__width", "image__height")
    parts = {pk: Part(samples_of(bytes(thumb)), width, height) for pk, thumb, width, height in columns}
    others = [parts[one.image_id].mirrored() if one.mirrored else parts[one.image_id] for one in near]
    return best_fits(Part(samples_of(look.thumb), image.width, image.height), others)


def _likeness(image: Image, near: Near, fit: Fit) -> ImageLikeness:
    one, other = pair_of(image.pk, near.image_id)
    return ImageLikeness(
        one_id=one,
        other_id=other,
        version=VERSION,
        mirrored=near.mirrored,
        bits=near.bits,
        correlation=fit.correlation,
        detail=fit.detail,
        worst=fit.worst,
        overlap=fit.overlap,
    )
