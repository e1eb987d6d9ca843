"""Manners towards hosts: how often, how many at once, and whom we leave alone for a while. All by the database's clock."""

import random
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation import journal, work
from annotation.errors import Invalid, Missing
from annotation.models import FetchHost, FetchSeat, Person

SEAT_SECONDS = 360  # longer than any attempt: a seat whose worker died is free again then
WAITED_FOR = 2.0  # seconds that a worker waits for its turn; for a later one the unit is handed back
HELD_SECONDS = 60  # how often a unit looks whether a person let its host go on

MAKE = "INSERT INTO fetch_host (host) VALUES (%(host)s) ON CONFLICT (host) DO NOTHING"

# The host's row is locked first, so that of two workers the second counts the first one's seat.
LOCK = "SELECT id FROM fetch_host WHERE host = %(host)s FOR UPDATE"
TIDY = "DELETE FROM fetch_seat WHERE host_id = %(id)s AND until < clock_timestamp()"
SIT = """
WITH turn AS (
    UPDATE fetch_host SET next_slot = greatest(next_slot, clock_timestamp()) + spacing
    WHERE id = %(id)s AND NOT held AND coalesce(paused_until, '-infinity') <= clock_timestamp()
      AND next_slot <= clock_timestamp() + make_interval(secs => %(waited)s)
      AND (SELECT count(*) FROM fetch_seat WHERE host_id = %(id)s) < at_once
    RETURNING id, next_slot - spacing AS slot)
INSERT INTO fetch_seat (host_id, token, until)
SELECT id, %(token)s, slot + make_interval(secs => %(seconds)s) FROM turn
RETURNING extract(epoch FROM until - make_interval(secs => %(seconds)s) - clock_timestamp())::float8
"""
WHY_NOT = """
SELECT held, extract(epoch FROM coalesce(paused_until, '-infinity') - clock_timestamp())::float8,
       extract(epoch FROM next_slot - clock_timestamp())::float8, extract(epoch FROM spacing)::float8
FROM fetch_host WHERE id = %(id)s
"""
LEAVE = """
UPDATE fetch_host SET reason = %(reason)s,
       paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => %(seconds)s))
WHERE host = %(host)s
"""


class BadManners(Invalid):
    """Requests to a host that nobody should send."""

    code = "host-manners-bad"


class NoSuchHost(Missing):
    """Nothing was ever fetched from this host."""

    code = "no-such-host"


@contextmanager
def seat(host: str) -> Iterator[None]:
    """The right to send one request to a host, after waiting for one's turn. Raises work.NotYet if that is far off."""
    token = uuid.uuid4()
    time.sleep(max(0.0, _sit(host, token)))
    try:
        yield
    finally:
        FetchSeat.objects.filter(token=token).delete()


def leave_alone(*, host: str, seconds: float, reason: str) -> None:
    """The host asked us to wait: nobody asks it for so many seconds."""
    with connection.cursor() as cursor:
        cursor.execute(LEAVE, {"host": host, "seconds": seconds, "reason": reason})


@transaction.atomic
def pause_host(*, host: str, by: Person) -> None:
    """Fetch nothing more from a host until somebody resumes it; what is under way ends. Raises NoSuchHost."""
    row = _locked(host)
    if not row.held:
        FetchHost.objects.filter(pk=row.pk).update(held=True)
        journal.record(event="host.paused", actor=by, subject=row, after={"host": host})


@transaction.atomic
def resume_host(*, host: str, by: Person) -> None:
    """Go on fetching from a host, also if it asked us to wait longer. Raises NoSuchHost."""
    row = _locked(host)
    if row.held or row.paused_until is not None:
        FetchHost.objects.filter(pk=row.pk).update(held=False, paused_until=None, reason="")
        work.hurry(kind="fetch", payload={"host": host})
        journal.record(event="host.resumed", actor=by, subject=row, after={"host": host})


@transaction.atomic
def set_manners(*, host: str, spacing_ms: int, at_once: int, by: Person) -> None:
    """How many milliseconds lie between two requests, and how many are under way at most. Raises NoSuchHost, BadManners."""
    if not 0 <= spacing_ms <= 3_600_000:
        raise BadManners(_("Wait between 0 and 3,600,000 milliseconds."), field="spacing_ms")
    if not 1 <= at_once <= 64:
        raise BadManners(_("Send between 1 and 64 requests at once."), field="at_once")
    row = _locked(host)
    before = {"spacing_ms": row.spacing_ms, "at_once": row.at_once}
    FetchHost.objects.filter(pk=row.pk).update(spacing=timedelta(milliseconds=spacing_ms), at_once=at_once)
    after = {"host": host, "spacing_ms": spacing_ms, "at_once": at_once}
    journal.record(event="host.manners-set", actor=by, subject=row, before=before, after=after)


def _sit(host: str, token: uuid.UUID) -> float:
    """Take a seat; the seconds until one's turn. Raises work.NotYet."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(MAKE, {"host": host})
        cursor.execute(LOCK, {"host": host})
        values = {"id": cursor.fetchone()[0], "token": token, "waited": WAITED_FOR, "seconds": SEAT_SECONDS}
        cursor.execute(TIDY, values)
        cursor.execute(SIT, values)
        if (turn := cursor.fetchone()) is not None:
            return turn[0]
        cursor.execute(WHY_NOT, values)
        raise _not_yet(host, *cursor.fetchone())


def _not_yet(host: str, held: bool, paused: float, slot: float, spacing: float) -> work.NotYet:
    share = random.uniform(0.5, 1.5)  # noqa: S311 - spreads visits, keeps no secret
    if held:
        return work.NotYet(f"{host} is paused by a person.", seconds=HELD_SECONDS * share)
    if paused > 0:
        return work.NotYet(f"{host} asked us to wait.", seconds=paused + 5 * share)
    return work.NotYet(f"Others are served by {host} at present.", seconds=max(slot, spacing, 1.0) * share)


def _locked(host: str) -> FetchHost:
    row = FetchHost.objects.select_for_update().filter(host=host).first()
    if row is None:
        raise NoSuchHost(_("Nothing was fetched from %(host)s yet.") % {"host": host})
    return row
