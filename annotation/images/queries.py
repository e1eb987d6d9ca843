"""Reading about pictures: crops, how far fetching and tiling are, which are copies of one."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, Min, OuterRef, Q, QuerySet, Window
from django.db.models.functions import Now, RowNumber
from django.db.models.lookups import GreaterThan, LessThanOrEqual

from annotation.errors import Conflict
from annotation.images import crops, tiling
from annotation.images.licence_uris import licence_uri
from annotation.models import (
    Acquisition,
    AcquisitionState,
    ClusterRuling,
    FetchHost,
    Image,
    ImageLikeness,
    PyramidState,
    Source,
)
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


def rights_of(key: str) -> str:
    """The URI of the licence that a picture itself carries, for machines; "" where none is known or none has a URI."""
    return licence_uri(Image.objects.filter(key=key).values_list("licence", flat=True).first() or "")


def tiling_counts(source: Source | None = None) -> dict[str, int]:
    """How many pictures are waiting, tiled and failed; of one source or of all."""
    images = Image.objects.all() if source is None else Image.objects.filter(source=source)
    found = dict.fromkeys(PyramidState.values, 0)
    return found | dict(images.values_list("pyramid_state").annotate(Count("pk")).order_by("pyramid_state"))


def images(
    *,
    source: str = "",
    state: str = "",
    format: str = "",
    text: str = "",
    copies: bool = False,
    pixels: tuple[int, int | None] = (0, None),
) -> QuerySet[Image]:
    """Pictures that are here, with their sources: by key of the source, state of the pyramid, format, part of a name that
    rows call them by, whether there are copies, and more than so many pixels up to so many."""
    given = {"source__key": source, "pyramid_state": state, "format": format}
    rows = Image.objects.select_related("source").filter(**{field: value for field, value in given.items() if value})
    if text:
        rows = rows.filter(Exists(Acquisition.objects.filter(image=OuterRef("pk"), name__icontains=text)))
    if copies:
        others = Image.objects.filter(cluster=OuterRef("cluster")).exclude(pk=OuterRef("pk"))
        rows = rows.filter(Exists(others), cluster__isnull=False)
    least, most = pixels
    area = F("width") * F("height")
    rows = rows.filter(GreaterThan(area, least)) if least else rows
    return rows if most is None else rows.filter(LessThanOrEqual(area, most))


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


def acquisitions(
    *, source: Source | None = None, state: str = "", host: str = "", text: str = "", reason: str = ""
) -> QuerySet[Acquisition]:
    """Pictures that rows name, by source, state, host, and parts of the name and of the reason, where these are given."""
    rows = Acquisition.objects.select_related("source", "image")
    rows = rows if source is None else rows.filter(source=source)
    rows = rows.filter(state=state) if state else rows
    rows = rows.filter(host=host) if host else rows
    rows = rows.filter(name__icontains=text) if text else rows
    return rows.filter(reason__icontains=reason) if reason else rows


def progress(*, source: Source | None = None, host: str = "", text: str = "", reason: str = "") -> Progress:
    """Counts by state, and how long the rest takes by the rate of the last minutes."""
    chosen = acquisitions(source=source, host=host, text=text, reason=reason)
    rows = chosen.select_related(None).order_by()
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


def clusters(*, source: Source | None = None, kind: str = "") -> QuerySet[Image]:
    """The oldest picture of each cluster of more than one, with its source.

    `source` keeps clusters with a picture of that source; `kind` those with pictures of several sources (`sources`), a
    mirrored copy (`mirrored`), or pictures that people ruled on (`ruled`).
    """
    members = Image.objects.filter(cluster=OuterRef("pk"))
    rows = Image.objects.select_related("source").filter(cluster=F("pk"))
    rows = rows.filter(Exists(members.filter(pk__gt=OuterRef("pk"))))
    if source is not None:
        rows = rows.filter(Exists(members.filter(source=source)))
    if kind == "sources":
        rows = rows.filter(Exists(members.exclude(source=OuterRef("source"))))
    if kind == "mirrored":
        rows = rows.filter(Exists(ImageLikeness.objects.filter(one__cluster=OuterRef("pk"), mirrored=True)))
    if kind == "ruled":
        either = Q(one__cluster=OuterRef("pk")) | Q(other__cluster=OuterRef("pk"))
        rows = rows.filter(Exists(ClusterRuling.objects.filter(either)))
    return rows


def members_of(names: Iterable[int], *, most: int) -> dict[int, list[Image]]:
    """At most `most` pictures of each cluster, the oldest first, each with its source and the cluster's `size`."""
    wanted = Image.objects.filter(cluster__in=list(names)).select_related("source")
    place = Window(RowNumber(), partition_by="cluster", order_by="pk")
    size = Window(Count("pk"), partition_by="cluster")
    found: dict[int, list[Image]] = defaultdict(list)
    for image in wanted.annotate(place=place, size=size).filter(place__lte=most).order_by("cluster", "pk"):
        found[image.cluster or image.pk].append(image)
    return found


def likenesses_within(names: Iterable[int]) -> dict[int, list[ImageLikeness]]:
    """The likenesses between pictures of one cluster, the strongest first, by cluster."""
    rows = ImageLikeness.objects.filter(one__cluster__in=list(names), other__cluster=F("one__cluster"))
    found: dict[int, list[ImageLikeness]] = defaultdict(list)
    for likeness in rows.select_related("one", "other").order_by("-detail", "pk"):
        found[likeness.one.cluster or likeness.one_id].append(likeness)
    return found


def rulings_on(images: Iterable[Image], *, most: int) -> list[ClusterRuling]:
    """The newest rulings on some pictures."""
    wanted = [image.pk for image in images]
    rows = ClusterRuling.objects.filter(Q(one__in=wanted) | Q(other__in=wanted))
    return list(rows.select_related("one", "other", "by").order_by("-pk")[:most])
