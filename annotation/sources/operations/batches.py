"""The record of one reading of one file: opened once, gone on with after a break, finished or aborted."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import IntegrityError, InterfaceError, OperationalError, connection, transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict
from annotation.hashing import canonical_json, sha256_hex
from annotation.models import ImportBatch, ImportedRow, ImportState, Person, Source
from annotation.sources.faults import FileFault
from annotation.sources.fingerprints import Fingerprint

BATCH_LOCK = 4_042_004  # class of the advisory locks; the batch's key is the object


class AlreadyImported(Conflict):
    """The same file was imported for this source before, in the same way; `batch` is that import."""

    code = "already-imported"

    def __init__(self, batch: ImportBatch) -> None:
        super().__init__(_("This file was imported before; nothing was changed."))
        self.batch = batch


class ImportUnderWay(Conflict):
    """Somebody is importing this very file at this moment."""

    code = "import-under-way"


def open_batch(
    *, source: Source, file: Fingerprint, importer: str, version: int, by: Person, options: dict[str, Any] | None = None
) -> ImportBatch:
    """The batch of this file, importer and options: a new one, or the one that stands, whatever became of it by now.
    An aborted one does not stand in the way."""
    chosen = options or {}
    same: dict[str, Any] = {
        "source": source,
        "file_sha256": file.sha256,
        "importer": importer,
        "importer_version": version,
        "options_sha256": sha256_hex(canonical_json(chosen)) if chosen else "",
    }
    standing = ImportBatch.objects.exclude(state=ImportState.ABORTED).filter(**same)
    values = {"file_name": file.name[:255], "file_lines": file.lines, "options": chosen, "by": by}
    found = standing.first()
    if found is None:
        with suppress(IntegrityError), transaction.atomic():  # whoever opened it a moment earlier wins
            return ImportBatch.objects.create(**same, **values)
        found = standing.get()
    return found


@contextmanager
def held(batch: ImportBatch) -> Iterator[None]:
    """Nobody else reads into this batch meanwhile: a lock that ends with the connection, so that one which was killed
    holds nothing. The batch is as it stands afterwards. Raises ImportUnderWay."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [BATCH_LOCK, batch.pk])
        if not cursor.fetchone()[0]:
            raise ImportUnderWay(_("This file is being imported at this moment; look at its import."))
    try:
        batch.refresh_from_db()
        yield
    finally:
        with suppress(InterfaceError, OperationalError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [BATCH_LOCK, batch.pk])


def read_whole(*, batch: ImportBatch) -> None:
    """The file is read to its end: from now on its rows may become questions."""
    ImportBatch.objects.filter(pk=batch.pk, state=ImportState.READING).update(state=ImportState.STORING)
    batch.refresh_from_db()


@transaction.atomic
def finish_batch(*, batch: ImportBatch) -> ImportBatch:
    """All rows whose pictures are here are questions; what waits now waits for its pictures."""
    held_row = ImportBatch.objects.select_for_update().get(pk=batch.pk)
    if held_row.state == ImportState.STORING:
        held_row.state = ImportState.DONE
        held_row.save(update_fields=["state"])
        journal.record(event="batch.imported", actor=batch.by, subject=batch, after=_said(held_row))
    return held_row


@transaction.atomic
def abort_batch(*, batch: ImportBatch, fault: FileFault) -> ImportBatch:
    """The file has a fault: none of its rows stays, only why. Rows that were rejected by then stay with their reasons."""
    ImportedRow.objects.filter(batch=batch).delete()
    ImportBatch.objects.filter(pk=batch.pk).update(state=ImportState.ABORTED, fault=fault.message, rows_waiting=0)
    after = {"source": batch.source.key, "file_sha256": batch.file_sha256, "fault": fault.code}
    journal.record(event="batch.aborted", actor=batch.by, subject=batch, after=after)
    batch.refresh_from_db()
    return batch


def _said(batch: ImportBatch) -> dict[str, Any]:
    return {
        "source": batch.source.key,
        "file_sha256": batch.file_sha256,
        "read": batch.rows_read,
        "accepted": batch.rows_accepted,
        "known": batch.rows_known,
        "waiting": batch.rows_waiting,
        "rejected": batch.rows_rejected,
        "left_out": batch.left_out,
        "ignored_fields": batch.ignored,
    }
