"""Pictures behind addresses: each is a unit of work, asked for through the guarded door with manners.

A unit may run any number of times (a worker dies, a message comes twice): a picture that is here is not asked for
again, and an answer to an older asking (`round`) changes nothing.
"""

import random
import tempfile
from contextlib import nullcontext
from typing import Any, BinaryIO

from django.db.models import CharField, F, Value
from django.db.models.functions import Cast, Concat

from annotation import outbound, work
from annotation.errors import Conflict, Invalid
from annotation.images import formats
from annotation.images.operations import manners
from annotation.images.operations.settling import settle_refusal
from annotation.images.operations.taking import OtherBytes, take_pieces
from annotation.images.operations.tiling import PASSING
from annotation.images.pixels import Refused
from annotation.models import Acquisition, AcquisitionState, Person, Source, WorkState, WorkUnit
from annotation.outbound import Outcome, Reply

FETCH_KIND = "fetch"
MOST_ATTEMPTS = 8
FIRST_WAIT, LONGEST_WAIT = 30, 3600  # seconds before an attempt that follows one that failed
BATCH = 1000
CHUNK = 1 << 20
FINAL = {
    Outcome.GONE: AcquisitionState.GONE,
    Outcome.REFUSED: AcquisitionState.REFUSED,
    Outcome.MISMATCH: AcquisitionState.MISMATCH,
}

# In no order of names or hosts: one slow host must not stand in front of all others.
UNITS = """
SELECT 'fetch', 'io', 'fetch:' || id || ':' || round,
       jsonb_build_object('acquisition_id', id, 'round', round, 'host', host, 'source_id', source_id, 'by_id', %(by)s::bigint)
FROM acquisition
WHERE state = 'wanted' AND host <> '' AND (%(source)s::bigint IS NULL OR source_id = %(source)s)
ORDER BY md5(id::text)
"""


class GaveUp(Conflict):
    """The host did not hand the picture out in as many attempts as are made."""

    code = "fetch-gave-up"


def acquire_by_address(*, by: Person, source: Source | None = None) -> int:
    """Make a unit of work for every wanted address, of one source or of all; how many are new. Again changes nothing."""
    return work.enqueue_selected(select=UNITS, values={"source": source and source.pk, "by": by.pk})


def fetch(*, acquisition_id: int, round: int, by: Person) -> dict[str, Any]:
    """Ask for one picture; its outcome as JSON.

    Raises work.NotYet where it is to be asked for later, GaveUp after the last attempt.
    """
    row = Acquisition.objects.select_related("source").get(pk=acquisition_id)
    if row.state == AcquisitionState.STORED or row.round != round:
        return {"outcome": row.state, "asked": False}
    with tempfile.TemporaryFile() as body:
        reply = _ask(row, body)
        if reply.outcome == Outcome.FETCHED:
            return _take(row, reply, body, by)
    if reply.outcome in FINAL:
        _settle(row, FINAL[reply.outcome], reply)
        return {"outcome": reply.outcome, "reason": reply.reason}
    return _wait(row, reply)


def settle_abandoned() -> int:
    """Mark pictures whose unit was given up because workers died over it; how many."""
    key = Concat(Value(f"{FETCH_KIND}:"), Cast("pk", CharField()), Value(":"), Cast("round", CharField()))
    fetching = Acquisition.objects.filter(state=AcquisitionState.FETCHING).annotate(unit_key=key)
    parked = dict(
        WorkUnit.objects.filter(
            natural_key__in=list(fetching.values_list("unit_key", flat=True)[:BATCH]), state=WorkState.PARKED
        ).values_list("natural_key", "reason")
    )
    for row in fetching.filter(unit_key__in=list(parked)):
        Acquisition.objects.filter(pk=row.pk, state=AcquisitionState.FETCHING).update(
            state=AcquisitionState.THROTTLED, reason=parked[row.unit_key]
        )
    return len(parked)


def _ask(row: Acquisition, body: BinaryIO) -> Reply:
    expected = outbound.Expected(formats.MAX_BYTES, row.expected_sha256, row.expected_size)
    with manners.seat(row.host) if row.host else nullcontext():
        waiting = Acquisition.objects.filter(pk=row.pk, round=row.round).exclude(state=AcquisitionState.STORED)
        waiting.update(state=AcquisitionState.FETCHING, attempts=F("attempts") + 1)
        row.attempts += 1
        return outbound.door().fetch(row.name, body, expected)


def _take(row: Acquisition, reply: Reply, body: BinaryIO, by: Person) -> dict[str, Any]:
    body.seek(0)
    pieces = iter(lambda: body.read(CHUNK), b"")
    try:
        image = take_pieces(pieces=pieces, by=by, source=row.source, name=row.name, last_status=reply.status)
    except OtherBytes as refusal:
        return {"outcome": "mismatch", "reason": refusal.message}
    except Invalid as refusal:
        if isinstance(refusal, Refused) and refusal.reason in PASSING and row.attempts < MOST_ATTEMPTS:
            _settle(row, AcquisitionState.WANTED, reply, reason=refusal.message)
            raise work.NotYet(refusal.message, seconds=_jittered(FIRST_WAIT)) from refusal
        return {"outcome": "refused", "reason": refusal.message}
    return {"outcome": "stored", "image": image.key}


def _wait(row: Acquisition, reply: Reply) -> dict[str, Any]:
    """Put the picture off, or give it up after the last attempt. Raises work.NotYet, GaveUp."""
    if row.attempts >= MOST_ATTEMPTS:
        reason = f"Given up after {row.attempts} attempts. {reply.reason}"
        _settle(row, AcquisitionState.THROTTLED, reply, reason=reason)
        raise GaveUp(f"{row.name}: {reason}")
    if reply.outcome == Outcome.THROTTLED:
        manners.leave_alone(host=row.host, seconds=reply.wait, reason=reply.reason)
        _settle(row, AcquisitionState.THROTTLED, reply)
        raise work.NotYet(reply.reason, seconds=reply.wait + _jittered(5))
    _settle(row, AcquisitionState.WANTED, reply)
    raise work.NotYet(reply.reason, seconds=_jittered(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (row.attempts - 1))))


def _settle(row: Acquisition, state: AcquisitionState, reply: Reply, *, reason: str = "") -> None:
    settle_refusal(
        source=row.source,
        name=row.name,
        state=state,
        reason=reason or reply.reason,
        asked=row.round,
        last_status=reply.status,
        received_bytes=reply.bytes,
    )


def _jittered(seconds: float) -> float:
    return seconds * random.uniform(0.5, 1.5)  # noqa: S311 - spreads visits, keeps no secret
