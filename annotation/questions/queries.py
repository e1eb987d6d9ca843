"""Reading questions: candidates with their originals, twins, and what is known about a picture."""

from django.db.models import Prefetch, QuerySet

from annotation.models import Decision, Image, Kind, Question, QuestionState, Screening
from annotation.questions.screening import Sibling


def edited(*, component: str = "", state: str = "", run: str = "") -> QuerySet[Question]:
    """Edited questions, newest first, with original, edit, picture and screenings; filters are closed lists of values."""
    rows = Question.objects.filter(kind=Kind.EDITED).select_related("parent", "edit", "image", "run").order_by("-id")
    rows = rows.prefetch_related(Prefetch("screenings", Screening.objects.order_by("id")))
    if component:
        rows = rows.filter(edit__component=component)
    if state:
        rows = rows.filter(state=state)
    return rows.filter(run__key=run) if run else rows


def originals_to_edit() -> QuerySet[Question]:
    """Active originals, oldest first."""
    return Question.objects.filter(kind=Kind.ORIGINAL, state=QuestionState.ACTIVE).select_related("image").order_by("id")


def reviewable() -> QuerySet[Question]:
    """What a campaign may take: active originals and candidates, with what building it reads."""
    rows = Question.objects.filter(state__in=[QuestionState.ACTIVE, QuestionState.CANDIDATE])
    return rows.select_related("edit", "control").order_by("id")


def twins(question: Question) -> QuerySet[Question]:
    """All other questions that share the question's original, that one included."""
    root = question.parent_id or question.pk
    return (Question.objects.filter(pk=root) | Question.objects.filter(parent_id=root)).exclude(pk=question.pk)


def siblings(image: Image, *, but: Question) -> tuple[Sibling, ...]:
    """The other originals of a picture with their answers: they say what is there."""
    rows = Question.objects.filter(image=image, kind=Kind.ORIGINAL).exclude(pk=but.pk).order_by("id")
    return tuple(Sibling(row.text, tuple(row.answers)) for row in rows)


def current_decision(question: Question) -> Decision | None:
    """The verdict of record, if there is one."""
    return question.decisions.filter(superseded_by__isnull=True).first()
