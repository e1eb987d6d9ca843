"""Asking again for pictures that did not come."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Invalid
from annotation.images import names
from annotation.images.operations.fetching import acquire_by_address
from annotation.models import Acquisition, AcquisitionState, Person, Source

AGAIN = frozenset({AcquisitionState.GONE, AcquisitionState.MISMATCH, AcquisitionState.REFUSED, AcquisitionState.THROTTLED})
HOPELESS = Q(host="") & (Q(name__istartswith=names.ADDRESS[0]) | Q(name__istartswith=names.ADDRESS[1]))


class NothingToAskAgain(Invalid):
    """The states are not among those that can be asked for again."""

    code = "not-asked-again"


@transaction.atomic
def ask_again(
    *,
    by: Person,
    states: Collection[str],
    source: Source | None = None,
    host: str = "",
    name: str = "",
    text: str = "",
    reason: str = "",
) -> int:
    """Want pictures again that are gone, refused, throttled or a mismatch, with fresh attempts; how many. `text` and
    `reason` are parts of the name and of the reason.

    Addresses that the door refuses by their spelling alone stay refused. Raises NothingToAskAgain.
    """
    if not states or not AGAIN.issuperset(states):
        raise NothingToAskAgain(_("Only what is gone, refused, throttled or a mismatch can be asked for again."), field="state")
    chosen = {"host": host, "name": name, "name__icontains": text, "reason__icontains": reason}
    rows = _chosen(states, source, {field: value for field, value in chosen.items() if value})
    per_source = list(rows.values("source").annotate(count=Count("pk")).order_by("source"))
    asked = rows.update(state=AcquisitionState.WANTED, round=F("round") + 1, attempts=0, reason="", last_status=None)
    for found in per_source:
        said = {"host": host, "name": name, **{key: value for key, value in (("text", text), ("reason", reason)) if value}}
        after = {"states": sorted(states), **said, "pictures": found["count"]}
        journal.record(event="pictures.asked-again", actor=by, subject=Source(pk=found["source"]), after=after)
        acquire_by_address(by=by, source=Source(pk=found["source"]))
    return asked


def _chosen(states: Collection[str], source: Source | None, values: dict[str, str]) -> QuerySet[Acquisition]:
    rows = Acquisition.objects.filter(state__in=states, **values).exclude(HOPELESS)
    return rows if source is None else rows.filter(source=source)
