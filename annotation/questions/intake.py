"""Importing a file of rows: pictures first, then all rows in one transaction, or nothing.

A fault of the file aborts the import; a problem of a row rejects that row, with its line. The same file twice changes
nothing. Rows that are marked as unanswerable become edited twins of their originals.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation import journal
from annotation.errors import DomainError, Invalid
from annotation.hashing import normalised_text, sha256_file
from annotation.images import operations as image_operations
from annotation.models import Image, ImportBatch, Kind, Person, Question, QuestionState, Source
from annotation.questions import operations, recognising
from annotation.sources import operations as source_operations
from annotation.sources.faults import FileFault, Problem, Unreadable, problem
from annotation.sources.layouts import reading
from annotation.sources.licences import Licence
from annotation.sources.rows import LeftOut, Row

Progress = Callable[[int, int], None]
CHUNK = 2000  # rows per statement


class UnknownFolder(Invalid):
    """The image folder is not there."""

    code = "unknown-image-folder"


@dataclass(slots=True)
class Intake:
    """What one import works on and finds."""

    source: Source
    by: Person
    layout: str
    batch: ImportBatch | None = None
    images: dict[str, Image] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    accepted: int = 0
    known: int = 0

    def reject(self, row: Row, refusal: DomainError, value: object = "") -> None:
        self.problems.append(problem(row.line, refusal.message, refusal.field or "", value))


def import_rows(
    *,
    source: Source,
    path: Path,
    layout: str,
    images_dir: Path,
    by: Person,
    licences: Mapping[str, Licence] | None = None,
    progress: Progress | None = None,
) -> ImportBatch:
    """Import a file in one of the layouts of `sources.layouts`; the batch with its counts and problems.

    `images_dir` is the folder that the rows' image paths start from; `progress` hears (pictures done, pictures).
    Raises FileFault (the aborted batch is kept), AlreadyImported, UnknownFolder.
    """
    if not images_dir.is_dir():
        raise UnknownFolder(f"{images_dir.name} is no folder: name the one that the image paths start from.", field="images")
    sha256 = _hashed(path)
    source_operations.refuse_if_imported(source=source, sha256=sha256, importer=layout)
    intake = Intake(source=source, by=by, layout=layout)
    try:
        rows, ignored = _read(path, layout, intake)
    except FileFault as fault:
        source_operations.abort_batch(source=source, file_name=path.name, sha256=sha256, importer=layout, by=by, fault=fault)
        raise
    _take_in_pictures(intake, rows, images_dir, licences or {}, progress)
    with transaction.atomic():
        intake.batch = source_operations.open_batch(source=source, file_name=path.name, sha256=sha256, importer=layout, by=by)
        _store(intake, rows)
        return source_operations.close_batch(
            batch=intake.batch, accepted=intake.accepted, known=intake.known, problems=intake.problems, ignored=ignored
        )


def _hashed(path: Path) -> str:
    try:
        return sha256_file(path)
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}.", field="file") from error


def _read(path: Path, layout: str, intake: Intake) -> tuple[list[Row], Mapping[str, int]]:
    file, rows = reading(path, layout), []
    for found in file:
        if isinstance(found, Problem):
            intake.problems.append(found)
        elif not isinstance(found, LeftOut):
            rows.append(found)
    return rows, file.ignored


def _take_in_pictures(
    intake: Intake, rows: list[Row], folder: Path, licences: Mapping[str, Licence], progress: Progress | None
) -> None:
    """Fill `intake.images`; a picture that is refused rejects the rows that name it."""
    refusals: dict[str, DomainError] = {}
    names = list(dict.fromkeys(row.image.name for row in rows))
    sources = _sources(intake, rows)
    for done, name in enumerate(names):
        if progress:
            progress(done, len(names))
        try:
            intake.images[name] = image_operations.take_in(
                path=below(folder, name),
                by=intake.by,
                source=sources[name],
                name=name,
                licence=licences.get(name) or licences.get(Path(name).name),
            )
        except (image_operations.Refused, image_operations.OtherBytes) as error:
            refusals[name] = error
    for row in rows:
        if refusal := refusals.get(row.image.name):
            intake.problems.append(problem(row.line, refusal.message, "image", row.image.name))


def below(folder: Path, name: str) -> Path:
    """The file of a name below a folder; what leads out of it (by a link, say) counts as missing."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise image_operations.Refused("missing", "Its path leads out of the image folder.")
    return path


def _sources(intake: Intake, rows: list[Row]) -> dict[str, Source]:
    """Whose picture each is: the source that the row itself names, where that one is known here."""
    known = {source.key: source for source in Source.objects.all()}
    return {row.image.name: _source_of(row, known, intake.source) for row in reversed(rows)}


def _source_of(row: Row, known: Mapping[str, Source], otherwise: Source) -> Source:
    return known.get(row.data_source.lower().replace("_", "-"), otherwise)


def _store(intake: Intake, rows: list[Row]) -> None:
    known = {source.key: source for source in Source.objects.all()}
    here = [row for row in rows if row.image.name in intake.images]
    _store_originals(intake, [_drafted(intake, row, known) for row in here if not row.unanswerable])
    _store_edits(intake, [row for row in here if row.unanswerable])


def _drafted(intake: Intake, row: Row, known: Mapping[str, Source]) -> tuple[Row, Question]:
    """A row as an original that is not stored yet."""
    return row, Question(
        image=intake.images[row.image.name],
        source=_source_of(row, known, intake.source),
        batch=intake.batch,
        source_row=row.key,
        text=row.question,
        text_hash=operations.text_hash(row.question, row.options),
        options=list(row.options),
        prompt_setting=row.setting,
        family=row.family,
        kind=Kind.ORIGINAL,
        state=QuestionState.ACTIVE,
        answers=list(row.answers),
        box=list(row.boxes[0]) if row.boxes else None,
        by=intake.by,
        extra=_extra(row),
    )


def _extra(row: Row) -> dict[str, Any]:
    """What has no column: raw values that the layout kept, and the tag that the source gives its rows."""
    return {**row.extra, **({"data_source": row.data_source} if row.data_source else {})}


def _store_originals(intake: Intake, drafts: list[tuple[Row, Question]]) -> None:
    for start in range(0, len(drafts), CHUNK):
        fresh = _fresh(intake, drafts[start : start + CHUNK])
        Question.objects.bulk_create(fresh)
        intake.accepted += len(fresh)
        added = (journal.entry(event="question.added", actor=intake.by, subject=one, after=_said(one)) for one in fresh)
        journal.record_many(added)


def _fresh(intake: Intake, drafts: list[tuple[Row, Question]]) -> list[Question]:
    """The originals that are neither here already nor at odds with their picture or with what is here."""
    hashes = [question.text_hash for _, question in drafts]
    standing = Question.objects.filter(text_hash__in=hashes, kind=Kind.ORIGINAL)
    here = {(question.image_id, question.text_hash): question for question in standing}
    fresh = []
    for row, question in drafts:
        known = here.get((question.image_id, question.text_hash))
        if reason := _box_fault(question):
            intake.problems.append(problem(row.line, reason, "box", list(row.boxes[0])))
        elif known is None:
            here[question.image_id, question.text_hash] = question
            fresh.append(question)
        elif _answers(known) != _answers(question):
            reason = f"This picture has this question with another answer: {' or '.join(known.answers)}."
            intake.problems.append(problem(row.line, reason, "answer", " or ".join(question.answers)))
        else:
            intake.known += 1
    return fresh


def _said(question: Question) -> dict[str, str]:
    return {"source": question.source.key, "row": question.source_row}


def _answers(question: Question) -> set[str]:
    return {normalised_text(answer) for answer in question.answers}


def _box_fault(question: Question) -> str:
    """Why a box is none; one pixel over the edge is rounding and is cut."""
    if question.box is None:
        return ""
    x1, y1, x2, y2 = question.box
    width, height = question.image.width, question.image.height
    if x1 >= width or y1 >= height or x2 > width + 1 or y2 > height + 1:
        return f"The box reaches out of the picture of {width} x {height} pixels (upright)."
    question.box = [x1, y1, min(x2, width), min(y2, height)]
    return ""


def _store_edits(intake: Intake, rows: list[Row]) -> None:
    pictures = {intake.images[row.image.name].pk for row in rows}
    originals: dict[int, list[Question]] = defaultdict(list)
    standing = Question.objects.filter(image__in=pictures, kind=Kind.ORIGINAL, state=QuestionState.ACTIVE)
    for question in standing.select_related("image", "source").order_by("pk"):
        originals[question.image_id].append(question)
    for row in rows:
        try:
            _store_edit(intake, row, originals[intake.images[row.image.name].pk])
            intake.accepted += 1
        except operations.QuestionKnown as refusal:
            if refusal.known.kind == Kind.EDITED:
                intake.known += 1
            else:
                intake.reject(row, refusal, row.question)
        except Invalid as refusal:
            intake.reject(row, refusal, row.question)


def _store_edit(intake: Intake, row: Row, originals: list[Question]) -> Question:
    nearest = recognising.nearest_original(row.question, dict.fromkeys(question.text for question in originals))
    original = next(question for question in originals if question.text == nearest)
    return operations.add_edit(
        original=original,
        edit=recognising.recognised(nearest, row.question, row.reason),
        by=intake.by,
        engine=f"imported from {intake.source.key}",
        options=row.options or None,
        batch=intake.batch,
        source_row=row.key,
        extra=_extra(row),
    )
