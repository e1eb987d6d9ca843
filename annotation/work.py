"""The WorkUnit table's one owner: enqueue, claim, finish, fail, sweep.

A unit is a row in the transaction that makes the work needed; a broker message only says "look". Leases are stamped
by the database's clock and fenced by a token: whoever lost the lease can no longer write a result.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, F, Min
from django.db.models.functions import Coalesce, Now

from annotation.errors import Conflict
from annotation.models import WorkState, WorkUnit

LEASE_SECONDS = 330
ATTEMPTS_AT_MOST = 5
SWEEP_LOCK = 4_042_002
SWEEP_BATCH = 500
HINT_AGAIN_SECONDS = 30


class PassingFailure(Exception):
    """The attempt failed for a reason that may pass; the unit is tried again later."""


class NotYet(Exception):
    """The attempt did not begin, or another end was waited for: the unit is due again in `seconds`. No attempt is counted."""

    def __init__(self, reason: str, *, seconds: float) -> None:
        super().__init__(reason)
        self.seconds = seconds


class LeaseLost(Conflict):
    """Another worker holds the unit by now; this attempt's result is not written."""

    code = "lease-lost"


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to finish one unit once."""

    unit: WorkUnit
    token: uuid.UUID


def enqueue(*, kind: str, natural_key: str, payload: dict[str, Any], queue: str) -> WorkUnit:
    """The unit of this natural key, made if it is new. Called inside the transaction that makes the work needed."""
    unit, _ = WorkUnit.objects.get_or_create(natural_key=natural_key, defaults={"kind": kind, "payload": payload, "queue": queue})
    return unit


def enqueue_many(units: list[WorkUnit]) -> None:
    """Make many units in one statement; those whose natural key is known already stay as they are."""
    WorkUnit.objects.bulk_create(units, batch_size=1000, ignore_conflicts=True)


ENQUEUE_SELECTED = """
INSERT INTO work_unit (kind, queue, natural_key, payload, state, attempts, leased_by, reason)
SELECT chosen.*, 'ready', 0, '', '' FROM ({select}) AS chosen
ON CONFLICT (natural_key) DO NOTHING
"""


def enqueue_selected(*, select: str, values: Mapping[str, Any]) -> int:
    """As `enqueue_many`, for any number of units at once; how many are new.

    `select` is a constant of the caller that gives kind, queue, natural key and payload.
    """
    with connection.cursor() as cursor:
        cursor.execute(ENQUEUE_SELECTED.format(select=select), values)
        return cursor.rowcount


CLAIM = """
UPDATE work_unit SET state = 'leased', attempts = attempts + 1, lease_token = %(token)s, leased_by = %(worker)s,
       leased_until = statement_timestamp() + make_interval(secs => %(seconds)s)
WHERE id = (
    SELECT id FROM work_unit WHERE id = %(unit)s AND state = 'ready' AND not_before <= statement_timestamp()
    FOR UPDATE SKIP LOCKED)
RETURNING id
"""


def claim(*, unit_id: int, worker: str) -> Lease | None:
    """A lease on the unit if it is ready and due; None if it is done, parked, not due or held by somebody else."""
    token = uuid.uuid4()
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, {"token": token, "worker": worker[:120], "unit": unit_id, "seconds": LEASE_SECONDS})
        if cursor.fetchone() is None:
            return None
    return Lease(unit=WorkUnit.objects.get(pk=unit_id), token=token)


def finish(*, lease: Lease, result: dict[str, Any]) -> None:
    """Mark the unit done with its result; raises LeaseLost if the lease went to somebody else."""
    _release(lease, state=WorkState.DONE, result=result, reason="", finished_at=Now())


def park(*, lease: Lease, reason: str) -> None:
    """Give the unit up for good, with the reason a person will read; raises LeaseLost."""
    _release(lease, state=WorkState.PARKED, reason=reason, finished_at=Now())


def retry_later(*, lease: Lease, reason: str) -> None:
    """Hand the unit back with a growing delay, or park it after the last attempt; raises LeaseLost."""
    if lease.unit.attempts >= ATTEMPTS_AT_MOST:
        park(lease=lease, reason=reason)
        return
    with transaction.atomic():
        _release(lease, state=WorkState.READY, reason=reason, hinted_at=None)
        _delay(lease.unit.pk, seconds=2**lease.unit.attempts)


def postpone(*, lease: Lease, reason: str, seconds: float) -> None:
    """Hand the unit back, due in `seconds`, as if it had not been claimed; raises LeaseLost."""
    with transaction.atomic():
        _release(lease, state=WorkState.READY, reason=reason, hinted_at=None, attempts=max(0, lease.unit.attempts - 1))
        _delay(lease.unit.pk, seconds=seconds)


def _release(lease: Lease, **values: Any) -> None:
    held = WorkUnit.objects.filter(pk=lease.unit.pk, state=WorkState.LEASED, lease_token=lease.token)
    if not held.update(lease_token=None, leased_until=None, **values):
        raise LeaseLost(f"Work unit {lease.unit.natural_key} is held by another worker; this result was not written.")


def _delay(unit_id: int, *, seconds: float) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE work_unit SET not_before = statement_timestamp() + make_interval(secs => %s) WHERE id = %s",
            [seconds, unit_id],
        )


def unpark(*, unit_id: int) -> None:
    """Let a parked unit be tried again from its first attempt."""
    WorkUnit.objects.filter(pk=unit_id, state=WorkState.PARKED).update(
        state=WorkState.READY, attempts=0, finished_at=None, not_before=Now(), hinted_at=None
    )


def due(*, kind: str, payload: dict[str, Any], limit: int) -> list[int]:
    """Ids of units of a kind that can be claimed now and whose payload has these values, longest due first."""
    ready = WorkUnit.objects.filter(kind=kind, state=WorkState.READY, not_before__lte=Now(), payload__contains=payload)
    return list(ready.order_by("not_before", "pk").values_list("pk", flat=True)[:limit])


def seconds_to_next(*, kind: str, payload: dict[str, Any]) -> float | None:
    """Seconds until the next such unit is due, or a lease on one ends; None if none is open."""
    open_ = WorkUnit.objects.filter(kind=kind, state__in=[WorkState.READY, WorkState.LEASED], payload__contains=payload)
    found = open_.aggregate(wait=Min(Coalesce("leased_until", "not_before")) - Now())["wait"]
    return None if found is None else max(0.0, found.total_seconds())


def hurry(*, kind: str, payload: dict[str, Any]) -> int:
    """Make all waiting units of a kind due now whose payload has these values; how many."""
    waiting = WorkUnit.objects.filter(kind=kind, state=WorkState.READY, not_before__gt=Now(), payload__contains=payload)
    return waiting.update(not_before=Now(), hinted_at=None)


EXPIRE = """
UPDATE work_unit SET lease_token = NULL, leased_until = NULL, hinted_at = NULL,
       state = CASE WHEN attempts >= %(most)s THEN 'parked' ELSE 'ready' END,
       finished_at = CASE WHEN attempts >= %(most)s THEN statement_timestamp() END,
       reason = 'The worker stopped before it finished (attempt ' || attempts || ').'
WHERE id IN (
    SELECT id FROM work_unit WHERE state = 'leased' AND leased_until < statement_timestamp() LIMIT %(batch)s
    FOR UPDATE SKIP LOCKED)
"""


# A message that was sent a moment ago is probably still queued: long runs would pile up copies of it.
HINT = """
UPDATE work_unit SET hinted_at = statement_timestamp()
WHERE id IN (
    SELECT id FROM work_unit WHERE state = 'ready' AND not_before <= statement_timestamp()
      AND (hinted_at IS NULL OR hinted_at < statement_timestamp() - make_interval(secs => %(again)s))
    ORDER BY hinted_at NULLS FIRST, not_before LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
RETURNING id, queue
"""


def expire() -> None:
    """Free units whose worker died, or park those that failed too often."""
    with connection.cursor() as cursor:
        cursor.execute(EXPIRE, {"most": ATTEMPTS_AT_MOST, "batch": SWEEP_BATCH})


def sweep() -> list[WorkUnit]:
    """Expire overdue leases, park what failed too often, and return the ready units that need a message.

    Two sweepers are harmless: the second gets nothing while the first works.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [SWEEP_LOCK])
        if not cursor.fetchone()[0]:
            return []
        expire()
        return list(WorkUnit.objects.raw(HINT, {"again": HINT_AGAIN_SECONDS, "batch": SWEEP_BATCH}))


def counts(*, prefix: str) -> dict[str, int]:
    """How many units whose natural key starts with `prefix` are in each state."""
    units = WorkUnit.objects.filter(natural_key__startswith=prefix)
    return dict.fromkeys(WorkState.values, 0) | dict(units.values_list("state").annotate(n=Count("pk")).order_by())


def parked(*, prefix: str, limit: int = 50) -> list[WorkUnit]:
    """Parked units of one family with their reasons, newest first."""
    return list(
        WorkUnit.objects.filter(natural_key__startswith=prefix, state=WorkState.PARKED).order_by(F("finished_at").desc())[:limit]
    )
