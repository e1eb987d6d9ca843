"""Reading about pictures: crops, how far fetching and tiling are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import BooleanField, Count, ExpressionWrapper, Min, Q, QuerySet
from django.db.models.functions import Now

from annotation.errors import Conflict
from annotation.images import crops, tiling
from annotation.models import Acquisition, AcquisitionState, FetchHost, Image, PyramidState, Source
from annotation.storage import store

RATE_MINUTES = 5


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


def tiling_counts(source: Source | None = None) -> dict[str, int]:
    """How many pictures are waiting, tiled and failed; of one source or of all."""
    images = Image.objects.all() if source is None else Image.objects.filter(source=source)
    found = dict.fromkeys(PyramidState.values, 0)
    return found | dict(images.values_list("pyramid_state").annotate(Count("pk")).order_by("pyramid_state"))


def refusals(source: Source) -> QuerySet[Acquisition]:
    """The pictures that a source names and that were not taken in, with their reasons, newest first."""
    unwelcome = [AcquisitionState.REFUSED, AcquisitionState.MISMATCH, AcquisitionState.GONE]
    return Acquisition.objects.filter(source=source, state__in=unwelcome).order_by("-pk")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the pictures of a source, or of all, have come.

    `per_minute` is the rate of the last minutes, `seconds_left` what the rest takes at that rate; None while nothing
    comes.
    """

    counts: dict[str, int]
    left: int
    per_minute: float
    seconds_left: int | None


def acquisitions(*, source: Source | None = None, state: str = "", host: str = "") -> QuerySet[Acquisition]:
    """Pictures that rows name, by source, state and host where these are given."""
    rows = Acquisition.objects.select_related("source", "image")
    rows = rows if source is None else rows.filter(source=source)
    rows = rows.filter(state=state) if state else rows
    return rows.filter(host=host) if host else rows


def progress(*, source: Source | None = None, host: str = "") -> Progress:
    """Counts by state, and how long the rest takes by the rate of the last minutes."""
    rows = acquisitions(source=source, host=host).select_related(None).order_by()
    counts = dict.fromkeys(AcquisitionState.values, 0) | dict(rows.values_list("state").annotate(Count("pk")))
    since = Now() - timedelta(minutes=RATE_MINUTES)
    lately = rows.filter(fetched_at__gt=since).aggregate(count=Count("pk"), span=Now() - Min("fetched_at"))
    left = counts[AcquisitionState.WANTED] + counts[AcquisitionState.FETCHING]
    per_second = lately["count"] / max(1.0, lately["span"].total_seconds()) if lately["count"] else 0.0
    return Progress(counts, left, per_second * 60, round(left / per_second) if per_second and left else None)


def hosts() -> QuerySet[FetchHost]:
    """The hosts that pictures come from, with how many requests are under way and whether we leave it alone now."""
    busy = Count("seats", filter=Q(seats__until__gt=Now()))
    resting = ExpressionWrapper(Q(paused_until__gt=Now()), output_field=BooleanField())
    return FetchHost.objects.annotate(busy=busy, resting=resting).order_by("host")
