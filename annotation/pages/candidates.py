"""Edited questions: what was changed in each, which premise fails, and what screening said about it."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from annotation.generation.queries import runs
from annotation.models import Component, GenerationRun, Question, QuestionState
from annotation.pages.paging import page_of
from annotation.pages.truth import require_truth
from annotation.questions import queries

RUNS_OFFERED = 50
ALL = ("", _("all"))
COMPONENTS = [
    ALL,
    (Component.OBJECT, _("object")),
    (Component.RELATION, _("relation")),
    (Component.ATTRIBUTE, _("attribute")),
]
STATES = [
    ALL,
    (QuestionState.CANDIDATE, _("candidate")),
    (QuestionState.REJECTED, _("rejected")),
    (QuestionState.WITHDRAWN, _("withdrawn")),
]


class Filters(forms.Form):
    """Closed filters; any run may be named in the address, the newest are offered."""

    component = forms.ChoiceField(label=_("Component"), choices=COMPONENTS, required=False)
    state = forms.ChoiceField(label=_("State"), choices=STATES, required=False)
    run = forms.CharField(label=_("Generation run"), max_length=22, required=False, widget=forms.Select)

    def __init__(self, data: QueryDict, *, offered: Iterable[GenerationRun]) -> None:
        super().__init__(data)
        names = {run.key: f"{run.created_at:%Y-%m-%d %H:%M}, {run.engine}" for run in offered}
        named = data.get("run", "")
        self.fields["run"].widget.choices = list({"": ALL[1], **names, named: names.get(named, named or ALL[1])}.items())


@require_safe
def candidates(request: HttpRequest) -> HttpResponse:
    """Fifty edited questions at a time, newest first. A filter that does not exist gives 400 and no rows."""
    require_truth(request.user, "see-candidates")
    filters = Filters(request.GET, offered=runs()[:RUNS_OFFERED])
    if not filters.is_valid():
        return render(request, "annotation/questions/candidates.html", {"filters": filters}, status=400)
    found = page_of(queries.edited(**filters.cleaned_data), request)
    context = {**found.context("candidates"), "candidates": [_row(question) for question in found.rows], "filters": filters}
    return render(request, "annotation/questions/candidates.html", context)


def _row(question: Question) -> dict[str, Any]:
    """An edit in pieces: before + old + after is the original, before + new + after the edited text."""
    edit, checks = question.edit, list(question.screenings.all())
    assert edit is not None
    return {
        "question": question,
        "before": edit.original_text[: edit.span_start],
        "old": edit.old_phrase,
        "new": edit.new_phrase,
        "after": edit.original_text[edit.span_end :],
        "failed": [check for check in checks if not check.passed],
        "passed": [check for check in checks if check.passed],
    }


urlpatterns = [path("candidates/", candidates, name="candidates")]
