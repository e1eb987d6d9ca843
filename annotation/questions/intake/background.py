"""Imports of uploaded files, done by workers: each going on is a unit of work, and one that is cut off is done again."""

from contextlib import suppress
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import work
from annotation.errors import Conflict
from annotation.models import ImportBatch, ImportState, Person, UploadedFile, WorkState, WorkUnit
from annotation.questions.intake.importing import import_rows
from annotation.questions.intake.promoting import promote_rows
from annotation.sources.choices import choices, options_of
from annotation.sources.fingerprints import fingerprint
from annotation.sources.layouts import LAYOUTS, Options, reading
from annotation.sources.operations import AlreadyImported, ImportUnderWay, finish_batch, held, open_batch
from annotation.storage import store

IMPORT_KIND = "import"
BUSY_SECONDS = 15
LIVE = (WorkState.READY, WorkState.LEASED)


class NothingLeft(Conflict):
    """There is nothing left to do for this import, or not by a page."""

    code = "import-nothing-left"


def start_import(*, upload: UploadedFile, layout: str, options: Options, by: Person) -> tuple[ImportBatch, WorkUnit]:
    """The batch of an uploaded file, and the unit that imports it. Raises WrongLayout, AlreadyImported, and FileFault where
    the file does not begin as one of its kind."""
    with store().local_copy(upload.storage_key) as path:
        reading(path, layout, options)
        facts = fingerprint(path)
    batch = open_batch(
        source=upload.source,
        file=type(facts)(upload.file_name, facts.sha256, facts.lines),
        importer=layout,
        version=LAYOUTS[layout].version,
        options=choices(options),
        by=by,
    )
    if batch.state == ImportState.DONE:
        raise AlreadyImported(batch)
    return batch, _unit(batch)


def resume(*, batch: ImportBatch, by: Person) -> WorkUnit:
    """Go on with an import that stopped, or take what arrived for one that is done. `by` is who asked; rows stay those of
    whoever began. Raises NothingLeft."""
    if batch.state == ImportState.ABORTED or (batch.state == ImportState.DONE and not batch.rows_waiting):
        raise NothingLeft(_("Nothing is left to do for this import."))
    if batch.state == ImportState.READING and not _uploads(batch).exists():
        raise NothingLeft(_("The file of this import is not here: run the command import_source again with it."))
    return _unit(batch)


def _unit(batch: ImportBatch) -> WorkUnit:
    """The unit that is at it, or a new one."""
    with transaction.atomic():
        ImportBatch.objects.select_for_update().get(pk=batch.pk)
        units = WorkUnit.objects.filter(kind=IMPORT_KIND, natural_key__startswith=f"import:{batch.key}:")
        live = units.filter(state__in=LIVE).first()
        if live is not None:
            return live
        key = f"import:{batch.key}:{units.count()}"
        return work.enqueue(kind=IMPORT_KIND, natural_key=key, payload={"batch_id": batch.pk}, queue="io")


def _uploads(batch: ImportBatch) -> Any:
    return UploadedFile.objects.filter(source=batch.source, sha256=batch.file_sha256)


def go_on(*, batch_id: int) -> dict[str, Any]:
    """Do what is left of an import; its counts as JSON. Raises FileFault, and work.NotYet while somebody else is at it."""
    batch = ImportBatch.objects.select_related("source", "by").get(pk=batch_id)
    try:
        if batch.state == ImportState.READING:
            _read(batch)
        else:
            _store(batch)
    except ImportUnderWay as refusal:
        raise work.NotYet(refusal.message, seconds=BUSY_SECONDS) from refusal
    batch.refresh_from_db()
    return {"read": batch.rows_read, "accepted": batch.rows_accepted, "waiting": batch.rows_waiting}


def _read(batch: ImportBatch) -> None:
    upload = _uploads(batch).get()
    with store().local_copy(upload.storage_key) as path, suppress(AlreadyImported):
        import_rows(
            source=batch.source,
            path=path,
            layout=batch.importer,
            by=batch.by,
            options=options_of(batch.options),
            file_name=batch.file_name,
        )


def _store(batch: ImportBatch) -> None:
    if batch.state == ImportState.ABORTED:
        return
    with held(batch):
        promote_rows(batch=batch)
        finish_batch(batch=batch)
