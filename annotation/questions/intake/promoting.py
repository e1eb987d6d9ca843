"""Waiting rows become questions when their picture is here: a chunk per transaction, in a few statements.

A chunk locks its batch, so that no two promotions take the same row, and deletes the rows it settled: whatever cuts a
promotion off, the next one goes on with what is left. A large batch is promoted in lanes, by threads that share the lock:
each takes the pictures of its own, so that of two rows about one picture the first of the file is still the first.
"""

from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from annotation import journal
from annotation.models import AcquisitionState, ImportBatch, ImportedRow, ImportProblem, ImportState, Source
from annotation.questions.intake import editing, statements
from annotation.questions.intake.judging import Judged, standing, unfit
from annotation.questions.intake.lanes import in_lanes

CHUNK = 5000
EDITS = 200  # each takes a dozen statements
LANES, MANY = 2, 20_000  # lanes, and how many rows must wait
PROMOTION_LOCK = 4_042_005  # class of the advisory locks; the batch's key is the object
LATELY = timedelta(minutes=15)
OPEN = (ImportState.STORING, ImportState.DONE)

Told = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Promotion:
    """How many rows became questions, were known, or were rejected after all."""

    accepted: int = 0
    known: int = 0
    rejected: int = 0

    def __add__(self, other: "Promotion") -> "Promotion":
        return Promotion(self.accepted + other.accepted, self.known + other.known, self.rejected + other.rejected)

    @property
    def rows(self) -> int:
        return self.accepted + self.known + self.rejected


def promote_rows(
    *,
    acquisition_ids: Collection[int] | None = None,
    batch: ImportBatch | None = None,
    source: Source | None = None,
    told: Told | None = None,
) -> Promotion:
    """Make questions of the waiting rows whose pictures are stored: of some pictures, of a batch, or all of a source.

    Rows of files that are not read to their end stay. Originals come first, so that edits find them. `told` hears how
    many rows each transaction settled. Again changes nothing.
    """
    rows = ImportedRow.objects.filter(acquisition__state=AcquisitionState.STORED, batch__state__in=OPEN)
    if acquisition_ids is not None:
        rows = rows.filter(acquisition__in=acquisition_ids)
    if source is not None:
        rows = rows.filter(acquisition__source=source)
    total = Promotion()
    for pk in [batch.pk] if batch is not None else _batches(rows):
        with closing(_promoted(pk, None if acquisition_ids is None else list(acquisition_ids))) as promoted:
            for settled in promoted:
                total += settled
                if told is not None:
                    told(settled.rows)
    return total


def promote_arrived() -> Promotion:
    """The waiting rows of pictures that came lately: what a promotion that was cut off left."""
    arrived = ImportedRow.objects.filter(
        acquisition__state=AcquisitionState.STORED, acquisition__fetched_at__gt=Now() - LATELY, batch__state__in=OPEN
    )
    return promote_rows(acquisition_ids=list(arrived.values_list("acquisition_id", flat=True).distinct()[:CHUNK]))


def _batches(rows: QuerySet[ImportedRow]) -> list[int]:
    return sorted(rows.values_list("batch_id", flat=True).distinct())


def _promoted(batch_id: int, acquisition_ids: list[int] | None) -> Generator[Promotion, None, None]:
    """Originals first, then edits, each from the first waiting row to the last."""
    values = {"batch": batch_id, "acquisitions": acquisition_ids, "lanes": 1, "lane": 0}
    originals, edits = {**values, "unanswerable": False, "most": CHUNK}, {**values, "unanswerable": True, "most": EDITS}
    if acquisition_ids is None and _is_large(batch_id):
        lanes = {**originals, "lanes": LANES, "most": CHUNK * LANES}
        yield from in_lanes(lambda lane: _walked({**lanes, "lane": lane}), LANES)
    else:
        yield from _walked(originals)
    yield from _walked(edits)


def _is_large(batch_id: int) -> bool:
    """Whether lanes pay; what this connection has not committed, theirs would not see."""
    return not connection.in_atomic_block and ImportBatch.objects.filter(pk=batch_id, rows_waiting__gte=MANY).exists()


def _walked(values: dict[str, Any]) -> Iterator[Promotion]:
    after: int | None = 0
    while after is not None:
        after, settled = _settle_next({**values, "after": after})
        if settled.rows:
            yield settled


@transaction.atomic
def _settle_next(values: dict[str, Any]) -> tuple[int | None, Promotion]:
    """Settle what has arrived among the next waiting rows; the last row's key, None after the last, and what became."""
    batch = _locked(values["batch"], shared=values["lanes"] > 1)
    if batch is None:
        return None, Promotion()
    of_batch = values["acquisitions"] is None
    window = _rows(statements.ARRIVED_OF_BATCH if of_batch else statements.ARRIVED_OF_PICTURES, values)
    after = window[-1][0] if len(window) == values["most"] else None
    arrived = {pk: fits for pk, is_here, fits in window if is_here}
    return after, _settled(batch, arrived, unanswerable=values["unanswerable"])


def _locked(batch_id: int, *, shared: bool) -> ImportBatch | None:
    """The batch, if its rows may be promoted; lanes share it with one another, and with nobody else."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_xact_lock{'_shared' if shared else ''}(%s, %s)", [PROMOTION_LOCK, batch_id])
    batches = ImportBatch.objects.select_related("source", "by").filter(pk=batch_id, state__in=OPEN)
    return (batches if shared else batches.select_for_update(of=("self",))).first()


def _settled(batch: ImportBatch, arrived: dict[int, bool], *, unanswerable: bool) -> Promotion:
    """Rows by key, with whether their boxes fit."""
    if not arrived:
        return Promotion()
    judged = unfit([pk for pk, fits in arrived.items() if not fits])
    fitting = [pk for pk, fits in arrived.items() if fits]
    judged += editing.settle(batch, fitting) if unanswerable else _settle_originals(batch, fitting)
    _write(batch, list(arrived), judged)
    return Promotion(judged.accepted, judged.known, len(judged.problems))


def _settle_originals(batch: ImportBatch, ids: list[int]) -> Judged:
    (accepted, digest), *_ = _rows(statements.ADD, {"ids": ids, "by": batch.by_id})
    if accepted == len(ids):
        return Judged(accepted=accepted, digest=digest)
    return Judged(accepted=accepted, digest=digest) + standing(_rows(statements.STANDING, {"ids": ids}))


def _write(batch: ImportBatch, ids: list[int], judged: Judged) -> None:
    """Settle the rows: problems, one entry in the journal, they no longer wait, and last the counts: all before, foreign
    keys too, is done while other lanes are at theirs."""
    rejected = len(judged.problems)
    ImportProblem.objects.bulk_create(
        [ImportProblem(batch=batch, line=p.line, field=p.field, value=p.value, reason=p.reason) for p in judged.problems],
        batch_size=1000,
    )
    counts = {"accepted": judged.accepted, "known": judged.known, "rejected": rejected}
    after = {"source": batch.source.key, **counts, "keys_sha256": judged.digest}
    journal.record(event="questions.added", actor=batch.by, subject=batch, after=after)
    with connection.cursor() as cursor:
        cursor.execute(statements.SETTLED, {"ids": ids})
    connection.check_constraints()
    ImportBatch.objects.filter(pk=batch.pk).update(
        rows_accepted=F("rows_accepted") + judged.accepted,
        rows_known=F("rows_known") + judged.known,
        rows_rejected=F("rows_rejected") + rejected,
        rows_waiting=F("rows_waiting") - len(ids),
    )


def _rows(statement: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()
