"""Evaluation: a model's predictions on a release are taken, scored in the background, and shown with their intervals."""

from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from annotation import access
from annotation.evaluation import operations, queries
from annotation.evaluation.submissions import PredictionsInvalid, Problem
from annotation.models import ReleaseState, Score, ScoreState, Submission
from annotation.pages.addresses import path
from annotation.pages.forms import submitted
from annotation.pages.measures import Measure, measure
from annotation.pages.paging import page_of
from annotation.releases.queries import releases
from annotation.tasks.work import send

UPLOAD_AT_MOST = 64 * 1024 * 1024
RELEASES_OFFERED = 100
FIGURES = {
    "reliability": gettext_lazy("Reliability accuracy"),
    "accuracy": gettext_lazy("Accuracy on answerable"),
    "selective_accuracy": gettext_lazy("Accuracy where it answered"),
    "refusal_precision": gettext_lazy("Refusal precision"),
    "refusal_recall": gettext_lazy("Refusal recall"),
    "refusal_f1": gettext_lazy("Refusal F1"),
    "over_refusal": gettext_lazy("Over-refusal"),
    "missed_refusal": gettext_lazy("Missed refusal"),
    "balanced": gettext_lazy("Balanced score"),
    "dual_accuracy": gettext_lazy("Dual accuracy"),
    "phi_1": "Phi, c = 1",
    "phi_10": "Phi, c = 10",
    "phi_100": "Phi, c = 100",
    "aurc": "AURC",
    "coverage_at_0.05": gettext_lazy("Coverage at 5 % risk"),
    "coverage_at_0.10": gettext_lazy("Coverage at 10 % risk"),
    "ece": "ECE",
}
ROTUS = ("acc", "precision", "recall", "f1", "overall_acc")
HEADLINES = ("reliability", "accuracy", "refusal_recall", "over_refusal", "dual_accuracy")
GROUPS = {
    "split": gettext_lazy("By split"),
    "source": gettext_lazy("By source"),
    "component": gettext_lazy("By component"),
    "prompt_setting": gettext_lazy("By prompt setting"),
}


class SubmissionForm(forms.Form):
    release_key = forms.ChoiceField(label=gettext_lazy("Release"))
    model = forms.CharField(label=gettext_lazy("Model"), max_length=operations.MODEL_AT_MOST)
    predictions = forms.FileField(label=gettext_lazy("Predictions"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        open_for_scoring = releases().filter(state__in=[ReleaseState.BUILT, ReleaseState.PUBLISHED])
        named = open_for_scoring.values_list("key", "version")[:RELEASES_OFFERED]
        self.fields["release_key"].choices = [*named]  # type: ignore[attr-defined]
        limit = {"most": filesizeformat(UPLOAD_AT_MOST)}
        help_text = _("JSONL with row_id (a row's id) and prediction in each line, at most %(most)s.")
        self.fields["predictions"].help_text = help_text % limit

    def clean_predictions(self) -> bytes:
        upload: UploadedFile = self.cleaned_data["predictions"]
        if upload.size is None or upload.size > UPLOAD_AT_MOST:
            raise ValidationError(_("The file is larger than %(most)s.") % {"most": filesizeformat(UPLOAD_AT_MOST)})
        return upload.read()


@require_http_methods(["GET", "HEAD", "POST"])
def evaluation(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "evaluate")
    if request.method == "POST":
        return _submit(request)
    return _list(request, SubmissionForm() if access.may(request.user, "maintain") else None, [])


def _submit(request: HttpRequest) -> HttpResponse:
    by = access.require(request.user, "maintain")
    form = SubmissionForm(request.POST, request.FILES)
    problems: list[Problem] = []

    def submit(**values: Any) -> Submission:
        try:
            return operations.submit(by=by, **values)
        except PredictionsInvalid as refusal:
            problems.extend(refusal.problems)
            raise

    def taken(submission: Submission) -> HttpResponse:
        transaction.on_commit(lambda: send(queries.units_to_do(submission)))
        return redirect("submission", submission.key)

    return submitted(form, submit, then=taken, again=partial(_list, request, form, problems))


def _list(request: HttpRequest, form: SubmissionForm | None, problems: list[Problem], status: int = 200) -> HttpResponse:
    found = page_of(queries.submissions(), request)
    context = {
        **found.context("submissions"),
        "submissions": [_listed(submission) for submission in found.rows],
        "form": form,
        "problems": problems,
    }
    return render(request, "annotation/evaluation/list.html", context, status=status)


def _listed(submission: Any) -> dict[str, Any]:
    score = next(iter(submission.finished_scores), None)
    figures = score.metrics["overall"]["figures"] if score else {}
    return {
        "key": submission.key,
        "model": submission.model,
        "release": submission.release,
        "created_at": submission.created_at,
        "score": score,
        "reliability": measure(figures["reliability"]) if figures else None,
        "dual_accuracy": measure(figures["dual_accuracy"]) if figures else None,
    }


@require_safe
def submission(request: HttpRequest, key: str) -> HttpResponse:
    access.require(request.user, "evaluate")
    found = queries.submission_by_key(key)
    score = queries.newest_score(found)
    context = {"submission": found, "score": score, "working": _is_working(score)}
    if score and score.state == ScoreState.FINISHED:
        context |= _results(score.metrics)
    return render(request, "annotation/evaluation/detail.html", context)


@require_safe
def state(request: HttpRequest, key: str) -> HttpResponse:
    """Asked by the page while a submission is scored: nothing to say, or "load me again" when it is over."""
    access.require(request.user, "evaluate")
    working = _is_working(queries.newest_score(queries.submission_by_key(key)))
    return HttpResponse(status=204) if working else HttpResponse(headers={"HX-Refresh": "true"})


def _is_working(score: Score | None) -> bool:
    return score is None or score.state == ScoreState.WAITING


def _results(metrics: dict[str, Any]) -> dict[str, Any]:
    overall = metrics["overall"]
    return {
        "tally": overall["counts"],
        "figures": [{"name": FIGURES.get(name, name), **shown} for name, shown in _measures(overall).items()],
        "headlines": [FIGURES[name] for name in HEADLINES],
        "groups": [
            {"name": title, "rows": [_group_row(key, found) for key, found in sorted(metrics["by"][name].items())]}
            for name, title in GROUPS.items()
            if len(metrics["by"].get(name, {})) > 1
        ],
        "rotus": [{"name": name, "value": overall["rotus"].get(name)} for name in ROTUS],
    }


def _group_row(key: str, found: dict[str, Any]) -> dict[str, Any]:
    measures = _measures(found)
    return {"name": key, "n": found["counts"]["rows"], "measures": [measures[name] for name in HEADLINES]}


def _measures(found: dict[str, Any]) -> dict[str, Measure]:
    """Figures in the order of FIGURES; those that a later scorer adds come last."""
    figures = found["figures"]
    ordered = [*(name for name in FIGURES if name in figures), *(name for name in figures if name not in FIGURES)]
    return {name: measure(figures[name]) for name in ordered}


urlpatterns = [
    path("evaluation/", evaluation, name="evaluation"),
    path("evaluation/<key:key>/", submission, name="submission"),
    path("evaluation/<key:key>/state/", state, name="submission-state"),
]
