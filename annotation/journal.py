"""The append-only history: who did what to what, when, with the values before and after."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection, models, transaction
from django.db.models.functions import Now

from annotation.hashing import canonical_json, merkle_root, sha256_hex
from annotation.models import Checkpoint, JournalEntry, Person


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
    """Seal all entries since the last checkpoint; None if there are none.

    The table lock waits for writers in flight, so that no smaller id can appear below the sealed one later.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT hold_journal()")
        previous = Checkpoint.objects.order_by("-last_entry").first()
        fresh = JournalEntry.objects.filter(pk__gt=previous.last_entry if previous else 0).order_by("pk")
        rows = list(fresh)
        if not rows:
            return None
        root = merkle_root(leaf(row) for row in rows)
        return Checkpoint.objects.create(
            last_entry=rows[-1].pk,
            entries=len(rows),
            root=root,
            previous=previous,
            chained=sha256_hex(((previous.chained if previous else "") + root).encode()),
            created_at=Now(),
        )


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
