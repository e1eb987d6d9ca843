"""The append-only history: who did what to what, when, with the values before and after."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db import OperationalError, connection, models, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.hashing import canonical_json, merkle_root, sha256_hex
from annotation.models import Checkpoint, JournalEntry, Person

SEAL_AT_MOST = 50_000
SEAL_EVERY = timedelta(minutes=10)
LOCK_PATIENCE_MS = 500
SEAL_LOCK = 4_042_004


class JournalBusy(Conflict):
    """A transaction that writes entries has not ended; sealing now would hold up everybody else."""

    code = "journal-busy"


def entry(
    *,
    event: str,
    actor: Person | None,
    subject: models.Model,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> JournalEntry:
    """An entry that is not written yet. Values must be JSON and must not hold names or mail."""
    return JournalEntry(
        event=event,
        actor=actor,
        subject_type=subject._meta.model_name or "",
        subject_id=subject.pk,
        before=dict(before) if before is not None else None,
        after=dict(after) if after is not None else None,
    )


def record(
    *,
    event: str,
    actor: Person | None,
    subject: models.Model,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> JournalEntry:
    """Write one entry in the caller's transaction: it stands exactly if the deed stands."""
    row = entry(event=event, actor=actor, subject=subject, before=before, after=after)
    row.save(force_insert=True)
    return row


def record_many(entries: Iterable[JournalEntry]) -> list[JournalEntry]:
    """Write several entries in one statement, in the given order."""
    return JournalEntry.objects.bulk_create(list(entries), batch_size=1000)


def leaf(row: JournalEntry) -> bytes:
    """The canonical bytes of one entry, as they are sealed."""
    return canonical_json(
        {
            "id": row.pk,
            "event": row.event,
            "actor": row.actor_id,
            "subject": [row.subject_type, row.subject_id],
            "before": row.before,
            "after": row.after,
            "at": row.created_at.isoformat(),
        }
    )


def seal() -> Checkpoint | None:
    """Seal the entries since the last checkpoint, SEAL_AT_MOST of them; None if there are none, or another sealer has them.

    Raises JournalBusy where a long transaction writes entries.
    """
    previous = Checkpoint.objects.order_by("-last_entry").first()
    fresh = JournalEntry.objects.filter(pk__gt=previous.last_entry if previous else 0).order_by("pk")
    if not fresh.exists():
        return None
    rows = list(fresh.filter(pk__lte=_last_settled())[:SEAL_AT_MOST])
    root = merkle_root(leaf(row) for row in rows)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SEAL_LOCK])
        if Checkpoint.objects.order_by("-last_entry").first() != previous:
            return None
        return Checkpoint.objects.create(
            last_entry=rows[-1].pk,
            entries=len(rows),
            root=root,
            previous=previous,
            chained=sha256_hex(((previous.chained if previous else "") + root).encode()),
            created_at=Now(),
        )


def seal_when_due() -> Checkpoint | None:
    """Seal if the last checkpoint is SEAL_EVERY old, or was full; a busy journal is left to the next time."""
    recent = Checkpoint.objects.filter(created_at__gt=Now() - SEAL_EVERY, entries__lt=SEAL_AT_MOST)
    try:
        return None if recent.exists() else seal()
    except JournalBusy:
        return None


def _last_settled() -> int:
    """The last entry below which none can appear any more: the table lock waits for writers in flight.

    Whoever wants to write meanwhile waits behind it, so it does not wait for long; hashing comes after it is given up.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{LOCK_PATIENCE_MS}ms"])
            cursor.execute("SELECT hold_journal()")
            last: int = JournalEntry.objects.aggregate(last=models.Max("pk"))["last"]
    except OperationalError as error:
        raise JournalBusy(_("Somebody is writing much into the journal just now. Seal it again in a moment.")) from error
    return last


def first_broken_checkpoint() -> Checkpoint | None:
    """The earliest checkpoint that the journal no longer supports, or None if all hold."""
    start, chained = 0, ""
    for checkpoint in Checkpoint.objects.order_by("last_entry").iterator():
        rows = JournalEntry.objects.filter(pk__gt=start, pk__lte=checkpoint.last_entry).order_by("pk").iterator()
        root = merkle_root(leaf(row) for row in rows)
        chained = sha256_hex((chained + root).encode())
        if root != checkpoint.root or chained != checkpoint.chained:
            return checkpoint
        start = checkpoint.last_entry
    return None
