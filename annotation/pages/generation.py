"""Generation runs: started, watched while they work, stopped."""

import json
from decimal import Decimal
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation import access
from annotation.errors import DomainError
from annotation.generation import operations, queries
from annotation.generation.providers.registry import ENGINES
from annotation.models import GenerationRun, RunState
from annotation.pages.addresses import path
from annotation.pages.forms import submitted
from annotation.pages.middleware import STATUS
from annotation.pages.paging import page_of
from annotation.tasks.work import send

MILLIONTHS = Decimal(1_000_000)
SEED_AT_MOST = 2**53 - 1  # what a browser's number field keeps exactly


class RunForm(forms.Form):
    engine = forms.ChoiceField(label=_("Engine"), choices=[(name, name) for name in ENGINES])
    limit = forms.IntegerField(label=_("Originals at most"), min_value=1, max_value=operations.QUESTIONS_AT_MOST, initial=100)
    wanted = forms.IntegerField(
        label=_("Edits of each at most"), min_value=1, max_value=operations.WANTED_AT_MOST, initial=operations.WANTED
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=SEED_AT_MOST,
        initial=1,
        help_text=_("The same seed, originals and engine give the same edits."),
    )
    again = forms.BooleanField(label=_("Also take originals that this engine has edited before"), required=False)


@require_http_methods(["GET", "HEAD", "POST"])
def runs(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "see-candidates")
    if request.method == "POST":
        return _start(request)
    return _list(request, RunForm() if access.may(request.user, "maintain") else None)


def _start(request: HttpRequest) -> HttpResponse:
    by = access.require(request.user, "maintain")
    form = RunForm(request.POST)

    def started(run: GenerationRun) -> HttpResponse:
        transaction.on_commit(lambda: send(queries.units_to_do(run)))
        return redirect("run", run.key)

    return submitted(form, partial(operations.start_run, by=by), then=started, again=partial(_list, request, form))


def _list(request: HttpRequest, form: RunForm | None, status: int = 200) -> HttpResponse:
    found = page_of(queries.runs().defer("parameters"), request)
    tallies = queries.tallies(found.rows)
    for run in found.rows:
        _price(run)
        run.candidate_count, run.failed_count = tallies[run.pk].candidates, tallies[run.pk].failed
    return render(request, "annotation/generation/runs.html", {**found.context("runs"), "form": form}, status=status)


@require_safe
def run(request: HttpRequest, key: str) -> HttpResponse:
    access.require(request.user, "see-candidates")
    return _detail(request, _run(key))


@require_safe
def progress(request: HttpRequest, key: str) -> HttpResponse:
    """The live part alone; it asks for itself again until the run has ended."""
    access.require(request.user, "see-candidates")
    return render(request, "annotation/generation/_run_progress.html", _progress(request, _run(key)))


@require_POST
def stop(request: HttpRequest, key: str) -> HttpResponse:
    by = access.require(request.user, "maintain")
    try:
        operations.stop_run(run=_run(key), by=by)
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return _detail(request, _run(key), status=STATUS[refusal.kind])
    return redirect("run", key)


def _run(key: str) -> GenerationRun:
    return get_object_or_404(queries.runs(), key=key)


def _detail(request: HttpRequest, shown: GenerationRun, status: int = 200) -> HttpResponse:
    small = {name: value for name, value in shown.parameters.items() if name != "pool"}
    parameters = json.dumps(small, ensure_ascii=False, indent=1, sort_keys=True)
    context = {**_progress(request, shown), "parameters_text": parameters}
    return render(request, "annotation/generation/run.html", context, status=status)


def _progress(request: HttpRequest, shown: GenerationRun) -> dict[str, Any]:
    far = queries.progress(shown)
    _price(shown)
    return {
        "run": shown,
        "progress": {
            "asked": far.total,
            "done": far.ended,
            "waiting": far.total - far.ended if shown.state == RunState.RUNNING else 0,
            "failed": far.units["parked"],
            "candidates": far.questions.get("candidate", 0),
            "rejected": far.questions.get("rejected", 0),
        },
        "failures": [{"reason": reason, "count": count} for reason, count in queries.failures(shown)],
        "may_stop": access.may(request.user, "maintain"),
    }


def _price(shown: Any) -> None:
    """The columns hold millionths of a dollar; pages show dollars."""
    for name in ("spent", "reserved", "budget"):
        setattr(shown, f"{name}_dollars", getattr(shown, name) / MILLIONTHS)


urlpatterns = [
    path("generation/", runs, name="runs"),
    path("generation/<key:key>/", run, name="run"),
    path("generation/<key:key>/progress/", progress, name="run-progress"),
    path("generation/<key:key>/stop/", stop, name="run-stop"),
]
