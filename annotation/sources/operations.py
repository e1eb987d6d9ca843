"""Sources, and the record of what was read from their files."""

import re
from collections.abc import Iterable, Mapping

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict, Invalid
from annotation.models import UNKNOWN_LICENCE, ImportBatch, ImportProblem, ImportState, Person, Source
from annotation.sources.faults import FileFault, Problem

IMPORTER_VERSION = 1  # raise it when the same file would give other rows
KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class SourceKnown(Conflict):
    """There is a source of this key already."""

    code = "source-known"


class BadSource(Invalid):
    """The key or the name of a source is none."""

    code = "bad-source"


class AlreadyImported(Conflict):
    """The same file was imported for this source before, by the same importer; `batch` is that import."""

    code = "already-imported"

    def __init__(self, batch: ImportBatch) -> None:
        super().__init__(_("This file was imported before; nothing was changed."))
        self.batch = batch


@transaction.atomic
def add_source(
    *,
    key: str,
    name: str,
    by: Person,
    licence: str = UNKNOWN_LICENCE,
    homepage: str = "",
    citation: str = "",
    images_redistributable: bool = False,
) -> Source:
    """A new source. `licence` is an SPDX identifier or `unknown`. Raises BadSource, SourceKnown."""
    if len(key) > 40 or not KEY.fullmatch(key):
        raise BadSource(_("A key has small letters, digits and hyphens, such as pixmo-count."), field="key")
    if not name.strip():
        raise BadSource(_("Give the source a name."), field="name")
    values = {"homepage": homepage, "citation": citation, "images_redistributable": images_redistributable}
    licence = licence.strip() or UNKNOWN_LICENCE
    source, made = Source.objects.get_or_create(key=key, defaults={"name": name.strip(), "licence": licence, **values})
    if not made:
        raise SourceKnown(_("There is a source %(key)s already.") % {"key": key}, field="key")
    journal.record(event="source.added", actor=by, subject=source, after={"key": key, "licence": licence})
    return source


def refuse_if_imported(*, source: Source, sha256: str, importer: str) -> None:
    """Raises AlreadyImported where this file's rows are here already."""
    same = ImportBatch.objects.filter(
        source=source, file_sha256=sha256, importer=importer, importer_version=IMPORTER_VERSION
    ).exclude(state=ImportState.ABORTED)
    if (known := same.first()) is not None:
        raise AlreadyImported(known)


def open_batch(*, source: Source, file_name: str, sha256: str, importer: str, by: Person) -> ImportBatch:
    """A batch in the caller's transaction. Of two at once the second raises AlreadyImported."""
    try:
        with transaction.atomic():
            return _batch(source, file_name, sha256, importer, by, state=ImportState.READING)
    except IntegrityError:
        refuse_if_imported(source=source, sha256=sha256, importer=importer)
        raise


@transaction.atomic
def close_batch(
    *, batch: ImportBatch, accepted: int, known: int, problems: Iterable[Problem], ignored: Mapping[str, int]
) -> ImportBatch:
    """Write down how the reading ended: counts, and every rejected row."""
    ordered = sorted(problems, key=lambda one: one.line)
    rows = [ImportProblem(batch=batch, line=p.line, field=p.field, value=p.value, reason=p.reason) for p in ordered]
    ImportProblem.objects.bulk_create(rows, batch_size=1000)
    batch.state = ImportState.DONE
    batch.rows_accepted, batch.rows_known, batch.rows_rejected = accepted, known, len(rows)
    batch.rows_read = accepted + known + len(rows)
    batch.save()
    after = {
        "source": batch.source.key,
        "file_sha256": batch.file_sha256,
        "accepted": accepted,
        "known": known,
        "rejected": len(rows),
        "ignored_fields": dict(ignored),
    }
    journal.record(event="batch.imported", actor=batch.by, subject=batch, after=after)
    return batch


@transaction.atomic
def abort_batch(*, source: Source, file_name: str, sha256: str, importer: str, by: Person, fault: FileFault) -> ImportBatch:
    """Write down that a file could not be imported, and why."""
    batch = _batch(source, file_name, sha256, importer, by, state=ImportState.ABORTED, fault=fault.message)
    after = {"source": source.key, "file_sha256": sha256, "fault": fault.code}
    journal.record(event="batch.aborted", actor=by, subject=batch, after=after)
    return batch


def _batch(source: Source, file_name: str, sha256: str, importer: str, by: Person, **state: str) -> ImportBatch:
    return ImportBatch.objects.create(
        source=source,
        file_name=file_name[:255],
        file_sha256=sha256,
        importer=importer,
        importer_version=IMPORTER_VERSION,
        by=by,
        **state,
    )
