"""Storing questions: originals as their source asks them, edited twins with their one change."""

from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict, Invalid
from annotation.models import (
    Edit,
    GenerationRun,
    Image,
    ImportBatch,
    Kind,
    Person,
    PromptSetting,
    Question,
    QuestionState,
    Source,
)
from annotation.questions import edits
from annotation.questions import options as option_rules
from annotation.questions.identity import text_hash


class QuestionKnown(Conflict):
    """The picture has this question already; `known` is the one that stands."""

    code = "question-known"

    def __init__(self, known: Question) -> None:
        super().__init__(_("This picture has this question already: “%(text)s”.") % {"text": known.text}, field="question")
        self.known = known


class EmptyQuestion(Invalid):
    """A question without words."""

    code = "empty-question"


class ForeignEdit(Invalid):
    """The edit changes another text than the original's, or the original is itself an edit."""

    code = "foreign-edit"


class AlreadyWithdrawn(Conflict):
    """The question was withdrawn before."""

    code = "already-withdrawn"


class QuestionInUse(Conflict):
    """The question is in an open review and cannot be withdrawn now."""

    code = "question-in-use"


@transaction.atomic
def add_original(
    *,
    image: Image,
    source: Source,
    text: str,
    answers: Sequence[str],
    by: Person,
    batch: ImportBatch | None = None,
    options: Sequence[str] = (),
    prompt_setting: str = PromptSetting.BASE,
    family: str = "",
    box: Sequence[float] | None = None,
    source_row: str = "",
    extra: dict[str, Any] | None = None,
) -> Question:
    """A new original; raises QuestionKnown where the picture has it, EmptyQuestion where it has no words."""
    if not text.strip():
        raise EmptyQuestion(_("The question is empty; give its text."), field="text")
    key = text_hash(text, options)
    _refuse_known(image, key, Kind.ORIGINAL)
    question = _created(
        image=image,
        source=source,
        batch=batch,
        source_row=source_row,
        text=text,
        text_hash=key,
        options=list(options),
        prompt_setting=prompt_setting,
        family=family,
        kind=Kind.ORIGINAL,
        state=QuestionState.ACTIVE,
        answers=list(answers),
        box=list(box) if box else None,
        by=by,
        extra=extra or {},
    )
    journal.record(event="question.added", actor=by, subject=question, after={"source": source.key, "row": source_row})
    return question


@transaction.atomic
def add_edit(
    *,
    original: Question,
    edit: edits.Edit,
    by: Person,
    engine: str,
    state: str = QuestionState.CANDIDATE,
    options: Sequence[str] | None = None,
    run: GenerationRun | None = None,
    batch: ImportBatch | None = None,
    source_row: str = "",
    extra: dict[str, Any] | None = None,
) -> Question:
    """The edited twin of an original; raises QuestionKnown where the picture has that text already, ForeignEdit where
    the edit is one of another text."""
    if original.kind != Kind.ORIGINAL or edit.change.text != original.text:
        raise ForeignEdit(
            _("The edit does not start from this original's text; make it from “%(text)s”.") % {"text": original.text}
        )
    options = edited_options(original, edit) if options is None else options
    key = text_hash(edit.edited, options)
    for kind in (Kind.EDITED, Kind.ORIGINAL):
        _refuse_known(original.image, key, kind)
    question = _created(
        image=original.image,
        source=original.source,
        batch=batch,
        source_row=source_row,
        text=edit.edited,
        text_hash=key,
        options=list(options),
        prompt_setting=original.prompt_setting,
        family=original.family,
        kind=Kind.EDITED,
        state=state,
        parent=original,
        edit=_stored(edit, engine, hint_box=None if edit.component == edits.Component.OBJECT else original.box),
        run=run,
        by=by,
        extra=extra or {},
    )
    after = {"original": original.key, "component": str(edit.component), "state": state, "engine": engine}
    journal.record(event="edit.added", actor=by, subject=question, after=after)
    return question


def edited_options(original: Question, edit: edits.Edit) -> tuple[str, ...]:
    """The original's options, changed along where they name the changed words."""
    return option_rules.edited_options(original.options, edit.change)


def _refuse_known(image: Image, key: str, kind: str) -> None:
    known = Question.objects.filter(image=image, text_hash=key, kind=kind).first()
    if known is not None:
        raise QuestionKnown(known)


def _created(**values: Any) -> Question:
    """Insert; whoever inserted the same a moment earlier wins, and the refusal says so."""
    try:
        with transaction.atomic():
            return Question.objects.create(**values)
    except IntegrityError:
        _refuse_known(values["image"], values["text_hash"], values["kind"])
        raise


def _stored(edit: edits.Edit, engine: str, *, hint_box: list[float] | None) -> Edit:
    """The row of an edit. The original's answer is where an attribute or a relation can be seen to be otherwise."""
    return Edit.objects.create(
        component=str(edit.component),
        operation=str(edit.operation),
        subtype=edit.subtype,
        original_text=edit.change.text,
        span_start=edit.change.span.start,
        span_end=edit.change.span.end,
        old_phrase=edit.change.old,
        new_phrase=edit.change.new,
        tuples=[tuple_json(claim) for claim in edit.tuples],
        falsified=tuple_json(edit.falsified),
        reason=edit.reason,
        hint_box=hint_box,
        engine=engine,
    )


def tuple_json(claim: edits.SemanticTuple) -> dict[str, Any]:
    """A claim as it is stored with the edit."""
    span = [claim.span.start, claim.span.end] if claim.span else None
    return {"kind": str(claim.kind), "parts": list(claim.parts), "parents": list(claim.parents), "span": span}


@transaction.atomic
def withdraw_of_image(*, image: Image, by: Person, reason: str) -> int:
    """Take all questions of a picture that was taken down out of everything, also those under review; how many."""
    held = list(Question.objects.select_for_update().filter(image=image).exclude(state=QuestionState.WITHDRAWN))
    states = {question.pk: question.state for question in held}
    Question.objects.filter(pk__in=states).update(state=QuestionState.WITHDRAWN)
    journal.record_many(
        journal.entry(
            event="question.withdrawn", actor=by, subject=one, before={"state": states[one.pk]}, after={"reason": reason}
        )
        for one in held
    )
    return len(held)


@transaction.atomic
def withdraw(*, question: Question, by: Person, reason: str) -> Question:
    """Take a question out of everything that is still to come; raises QuestionInUse while a campaign reviews it,
    AlreadyWithdrawn where that was done before."""
    held = Question.objects.select_for_update().get(pk=question.pk)
    if held.state == QuestionState.WITHDRAWN:
        raise AlreadyWithdrawn(_("This question was withdrawn before."))
    if held.items.filter(state="open").exists():
        raise QuestionInUse(_("This question is under review; close its campaign first."))
    before, held.state = held.state, QuestionState.WITHDRAWN
    held.save(update_fields=["state"])
    journal.record(event="question.withdrawn", actor=by, subject=held, before={"state": before}, after={"reason": reason})
    return held
