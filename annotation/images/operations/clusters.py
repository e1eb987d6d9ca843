"""Gathering copies of one picture into clusters: when a picture was tiled, and when a person rules on it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict, Invalid
from annotation.images.clustering import Pair, clusters_of, pair_of
from annotation.images.looks import VERSION
from annotation.images.operations.comparing import COLUMNS, Compared, compare_rest, pair
from annotation.models import ClusterRuling, Image, ImageLikeness, ImageLook, Person

CLUSTER_LOCK = 4_042_003
PAIRS_AT_MOST = 20_000
REASON_AT_MOST = 2_000

# All pictures that hang together with some, through likenesses and rulings; what keeps them apart is not asked here.
REACH = """
WITH RECURSIVE reach (id) AS (
    SELECT unnest(%(images)s::bigint[])
    UNION
    SELECT link.id FROM reach CROSS JOIN LATERAL (
        SELECT other_id FROM image_likeness WHERE one_id = reach.id
        UNION ALL SELECT one_id FROM image_likeness WHERE other_id = reach.id
        UNION ALL SELECT other_id FROM cluster_ruling WHERE one_id = reach.id AND same
        UNION ALL SELECT one_id FROM cluster_ruling WHERE other_id = reach.id AND same
    ) AS link (id)
)
SELECT id FROM reach
"""


class NothingToSplit(Invalid):
    """A split names no picture of the cluster, or all of them, or pictures that are not in it."""

    code = "nothing-to-split"


class SameCluster(Conflict):
    """Two pictures that are to be joined are in one cluster already."""

    code = "same-cluster"


class ReasonMissing(Invalid):
    """A ruling needs words that the next person can read."""

    code = "reason-missing"


class TooManyPairs(Invalid):
    """A ruling would be about more pairs than one deed may be."""

    code = "too-many-pairs"


def hold_clusters() -> None:
    """Be the only one who changes clusters until the transaction ends: two new copies must see each other."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CLUSTER_LOCK])


def join(image: Image, compared: Compared) -> int:
    """Store a picture's look and its copies, and settle its cluster, which is returned; inside a transaction."""
    hold_clusters()
    compared = compare_rest(image, compared)
    touched = {image.pk, *_members(image.cluster)}  # they may have hung together through an older look of it
    ImageLook.objects.filter(image=image).delete()
    ImageLikeness.objects.filter(one=image).delete()
    ImageLikeness.objects.filter(other=image).delete()
    _store_look(image, compared)
    ImageLikeness.objects.bulk_create(compared.likenesses)
    return settle(touched.union(*(pair(likeness) for likeness in compared.likenesses)))[image.pk]


@transaction.atomic
def split_cluster(*, images: Sequence[Image], by: Person, reason: str) -> int:
    """Rule that some pictures of one cluster are not the same as its other ones; the cluster they are in now.

    Raises ReasonMissing, NothingToSplit, TooManyPairs.
    """
    reason = _reason(reason)
    hold_clusters()
    names = {image.cluster for image in Image.objects.filter(pk__in=[image.pk for image in images])}
    members = set(Image.objects.filter(cluster__in=names - {None}).values_list("pk", flat=True))
    chosen = {image.pk for image in images}
    if len(names) != 1 or not chosen or not chosen < members:
        raise NothingToSplit(_("Choose some pictures of one cluster, and leave at least one in it."), field="images")
    _rule(product(chosen, members - chosen), same=False, by=by, reason=reason)
    after = settle(members)
    _record("cluster.split", by, min(chosen), before={"cluster": min(members)}, after=_told(chosen, after, reason))
    return after[min(chosen)]


@transaction.atomic
def join_clusters(*, one: Image, other: Image, by: Person, reason: str) -> int:
    """Rule that two pictures are the same one, so that their clusters become one; the cluster they are in now.

    Earlier rulings that hold pictures of the two clusters apart are lifted by it. Raises ReasonMissing, SameCluster,
    TooManyPairs.
    """
    reason = _reason(reason)
    hold_clusters()
    names = dict(Image.objects.filter(pk__in=[one.pk, other.pk]).values_list("pk", "cluster"))
    names = {pk: cluster or pk for pk, cluster in names.items()}
    if names[one.pk] == names[other.pk]:
        raise SameCluster(_("These two pictures are in one cluster already."), field="other")
    sides = [{pk, *_members(cluster)} for pk, cluster in names.items()]
    lifted = _held_apart(*sides)
    _rule([*lifted, (one.pk, other.pk)], same=True, by=by, reason=reason)
    after = settle(sides[0] | sides[1])
    told = {**_told({one.pk, other.pk}, after, reason), "lifted": len(lifted - {pair_of(one.pk, other.pk)})}
    _record("cluster.joined", by, one.pk, before={"clusters": sorted(names.values())}, after=told)
    return after[one.pk]


def settle(images: Iterable[int]) -> dict[int, int]:
    """Derive the clusters of all pictures that hang together with these anew; the cluster of each. Under the lock."""
    reached = _reached(images)
    after = clusters_of(reached, _likenesses(reached), standing_rulings(reached))
    before = dict(_among(Image.objects.all(), reached, "id").values_list("pk", "cluster"))
    changed = [Image(pk=pk, cluster=cluster) for pk, cluster in after.items() if before[pk] != cluster]
    Image.objects.bulk_update(changed, ["cluster"], batch_size=1000)
    return after


def forget(image: Image) -> None:
    """Delete what was derived from a picture's pixels; its cluster and the rulings on it stay."""
    ImageLook.objects.filter(image=image).delete()


def standing_rulings(images: Iterable[int]) -> dict[Pair, bool]:
    """Of each ruled pair of these pictures the newest ruling, the oldest of them first."""
    rows = _among(ClusterRuling.objects.order_by("pk"), images, "one_id", "other_id")
    found: dict[Pair, bool] = {}
    for one, other, same in rows.values_list("one_id", "other_id", "same"):
        found.pop((one, other), None)  # so that a pair stands where its newest ruling does
        found[one, other] = same
    return found


def _store_look(image: Image, compared: Compared) -> None:
    look = compared.look
    hashes = dict(zip(COLUMNS, look.hashes, strict=True))
    ImageLook.objects.create(image=image, version=VERSION, thumb=look.thumb, telling=look.telling, **hashes)


def _reached(images: Iterable[int]) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute(REACH, {"images": sorted(set(images))})
        return {pk for (pk,) in cursor.fetchall()}


def _likenesses(images: set[int]) -> dict[Pair, float]:
    rows = _among(ImageLikeness.objects.all(), images, "one_id", "other_id")
    return {(one, other): detail for one, other, detail in rows.values_list("one_id", "other_id", "detail")}


def _among(rows: QuerySet[Any], images: Iterable[int], *columns: str) -> QuerySet[Any]:
    """The rows all of whose `columns` are among the pictures; given as one array, as there may be very many.

    `columns` are constants."""
    wanted = list(images)
    return rows.extra(where=[f"{column} = ANY(%s)" for column in columns], params=[wanted] * len(columns))  # noqa: S610


def _members(cluster: int | None) -> set[int]:
    return set() if cluster is None else set(Image.objects.filter(cluster=cluster).values_list("pk", flat=True))


def _held_apart(one_side: set[int], other_side: set[int]) -> set[Pair]:
    rulings = standing_rulings(one_side | other_side)
    return {(one, other) for (one, other), same in rulings.items() if not same and (one in one_side) != (other in one_side)}


def _rule(pairs: Iterable[tuple[int, int]], *, same: bool, by: Person, reason: str) -> None:
    ordered = list(dict.fromkeys(pair_of(*both) for both in pairs))
    if len(ordered) > PAIRS_AT_MOST:
        message = _("This is about %(pairs)d pairs of pictures; %(most)d are the most at once. Choose fewer.")
        raise TooManyPairs(message % {"pairs": len(ordered), "most": PAIRS_AT_MOST})
    rows = [ClusterRuling(one_id=one, other_id=other, same=same, by=by, reason=reason) for one, other in ordered]
    ClusterRuling.objects.bulk_create(rows, batch_size=1000)


def _reason(text: str) -> str:
    text = text.strip()
    if not text or len(text) > REASON_AT_MOST:
        raise ReasonMissing(_("Say why, in at most %(most)d characters.") % {"most": REASON_AT_MOST}, field="reason")
    return text


def _told(chosen: set[int], after: Mapping[int, int], reason: str) -> dict[str, Any]:
    keys = Image.objects.filter(pk__in=chosen).order_by("pk").values_list("key", flat=True)
    return {"images": list(keys), "clusters": sorted({after[pk] for pk in chosen}), "reason": reason}


def _record(event: str, by: Person, image_id: int, *, before: dict[str, Any], after: dict[str, Any]) -> None:
    journal.record(event=event, actor=by, subject=Image.objects.get(pk=image_id), before=before, after=after)
