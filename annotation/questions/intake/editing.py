"""Unanswerable rows become edited twins of their originals: which original, and what was changed, is recognised."""

from collections import defaultdict
from collections.abc import Iterable

from annotation.errors import Invalid
from annotation.models import Image, ImportBatch, ImportedRow, Kind, Question, QuestionState
from annotation.questions import operations, recognising
from annotation.questions.intake.judging import Judged
from annotation.sources.faults import problem


def settle(batch: ImportBatch, ids: list[int]) -> Judged:
    """Edits of the rows of some keys; a row whose original is not here, or not surely the one, is rejected. One that is
    here already is known, whatever originals came since."""
    rows = list(ImportedRow.objects.filter(pk__in=ids).select_related("acquisition__image").order_by("pk"))
    originals, standing = _originals(_image(row) for row in rows), _standing(rows)
    judged = Judged()
    for row in rows:
        try:
            if (known := standing.get((_image(row).pk, row.text_hash))) is not None:
                raise operations.QuestionKnown(known)
            _add(batch, row, originals[_image(row).pk])
            judged.accepted += 1
        except operations.QuestionKnown as refusal:
            if refusal.known.kind == Kind.EDITED:
                judged.known += 1
            else:
                judged.problems.append(problem(row.line, refusal.message, refusal.field or "", row.text))
        except Invalid as refusal:
            judged.problems.append(problem(row.line, refusal.message, refusal.field or "", row.text))
    return judged


def _standing(rows: list[ImportedRow]) -> dict[tuple[int, str], Question]:
    """The questions that have the texts of some rows, by picture and text; of two the edited one."""
    found = Question.objects.filter(
        image__in={_image(row).pk for row in rows},
        text_hash__in={row.text_hash for row in rows},
        kind__in=[Kind.ORIGINAL, Kind.EDITED],
    )
    return {(one.image_id, one.text_hash): one for one in sorted(found, key=lambda one: one.kind == Kind.EDITED)}


def _originals(images: Iterable[Image]) -> dict[int, list[Question]]:
    """The originals that may be edited, by image."""
    found: dict[int, list[Question]] = defaultdict(list)
    standing = Question.objects.filter(image__in=list(images), kind=Kind.ORIGINAL, state=QuestionState.ACTIVE)
    for question in standing.select_related("image", "source").order_by("pk"):
        found[question.image_id].append(question)
    return found


def _image(row: ImportedRow) -> Image:
    image = row.acquisition.image
    assert image is not None  # only rows whose picture is here come so far
    return image


def _add(batch: ImportBatch, row: ImportedRow, originals: list[Question]) -> Question:
    nearest = recognising.nearest_original(row.text, dict.fromkeys(question.text for question in originals))
    original = next(question for question in originals if question.text == nearest)
    return operations.add_edit(
        original=original,
        edit=recognising.recognised(nearest, row.text, row.reason),
        by=batch.by,
        engine=f"imported from {batch.source.key}",
        options=row.options or None,
        batch=batch,
        source_row=row.source_row,
        extra=row.extra,
    )
