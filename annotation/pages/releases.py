"""Releases: drafted from a plan, built in the background, published, handed out, withdrawn."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation import access
from annotation.errors import Conflict
from annotation.models import Person, Release, ReleaseState, RowRole, WorkState
from annotation.pages.addresses import path
from annotation.pages.forms import submitted
from annotation.pages.middleware import STATUS
from annotation.pages.paging import page_of
from annotation.pages.truth import require_truth
from annotation.releases import operations, queries
from annotation.releases.plans import DEFAULT_PLAN, DEMO_PLAN, Plan, arithmetic, plan_from_json, plan_to_json
from annotation.storage import store
from annotation.tasks.work import send

PLANS = {plan.name: plan for plan in (DEMO_PLAN, DEFAULT_PLAN)}
CONTENT_TYPES = {
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".md": "text/markdown; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
    ".py": "text/x-python; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}
DOWNLOAD = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache"}


class DraftForm(forms.Form):
    version = forms.CharField(
        label=gettext_lazy("Version"), max_length=40, help_text=gettext_lazy("Letters, digits, dots and hyphens, such as 1.0.0.")
    )
    plan = forms.ChoiceField(
        label=gettext_lazy("Plan"),
        choices=[(name, name) for name in PLANS],
        widget=forms.RadioSelect,
        initial=DEMO_PLAN.name,
    )

    def plans(self) -> list[dict[str, Any]]:
        """Each choice with what the plan comes to, line by line."""
        return [{"radio": radio, "lines": arithmetic(plan)} for radio, plan in zip(self["plan"], PLANS.values(), strict=True)]

    def clean_plan(self) -> dict[str, Any]:
        return plan_to_json(PLANS[self.cleaned_data["plan"]])


class WithdrawForm(forms.Form):
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3}))


@require_http_methods(["GET", "HEAD", "POST"])
def releases(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "see-releases")
    if request.method != "POST":
        return _list(request, DraftForm() if access.may(request.user, "maintain") else None)
    by = access.require(request.user, "maintain")
    form = DraftForm(request.POST)
    return submitted(
        form,
        partial(operations.draft_release, by=by),
        then=lambda release: redirect("release", release.key),
        again=partial(_list, request, form),
    )


def _list(request: HttpRequest, form: DraftForm | None, status: int = 200) -> HttpResponse:
    found = page_of(queries.releases(), request)
    return render(request, "annotation/releases/list.html", {**found.context("releases"), "form": form}, status=status)


@require_safe
def release(request: HttpRequest, key: str) -> HttpResponse:
    access.require(request.user, "see-releases")
    return _detail(request, key)


@require_safe
def state(request: HttpRequest, key: str) -> HttpResponse:
    """Asked by the page while a release is built: nothing to say, or "load me again" when it is over."""
    access.require(request.user, "see-releases")
    found = queries.release_by_key(key)
    working = found.state == ReleaseState.BUILDING and not _halt(found)
    return HttpResponse(status=204) if working else HttpResponse(headers={"HX-Refresh": "true"})


@require_POST
def build(request: HttpRequest, key: str) -> HttpResponse:
    def asked(by: Person) -> None:
        unit = operations.request_build(release_key=key, by=by)
        transaction.on_commit(lambda: send([unit]))

    return _deed(request, key, asked)


@require_POST
def publish(request: HttpRequest, key: str) -> HttpResponse:
    return _deed(request, key, lambda by: operations.publish_release(release_key=key, by=by))


def _deed(request: HttpRequest, key: str, deed: Callable[[Person], Any]) -> HttpResponse:
    """Do it and show the release; a refusal stands above it."""
    by = access.require(request.user, "maintain")
    try:
        deed(by)
    except Conflict as refusal:
        messages.error(request, refusal.message)
        return _detail(request, key, status=STATUS[refusal.kind])
    return redirect("release", key)


@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, key: str) -> HttpResponse:
    """A page of its own between the wish and the deed: what it means, and the reason."""
    by = access.require(request.user, "maintain")
    if request.method != "POST":
        return _withdrawal(request, key, WithdrawForm())
    form = WithdrawForm(request.POST)
    return submitted(
        form,
        partial(operations.withdraw_release, release_key=key, by=by),
        then=lambda _withdrawn: redirect("release", key),
        again=partial(_withdrawal, request, key, form),
    )


def _withdrawal(request: HttpRequest, key: str, form: WithdrawForm, status: int = 200) -> HttpResponse:
    found = queries.release_by_key(key)
    if request.method != "POST" and found.state != ReleaseState.PUBLISHED:
        return redirect("release", key)  # its page says what there is to do
    context = {"release": found, "form": form}
    return render(request, "annotation/releases/withdraw.html", context, status=status)


@require_safe
def artifact(request: HttpRequest, key: str, file: str) -> FileResponse:
    """One file of a built release, byte for byte."""
    require_truth(request.user, "see-releases")
    found = get_object_or_404(queries.artifacts_of(queries.release_by_key(key)), path=file)
    name = PurePosixPath(found.path)
    return FileResponse(
        store().open(found.storage_key),
        as_attachment=True,
        filename=name.name,
        content_type=CONTENT_TYPES.get(name.suffix, "application/octet-stream"),
        headers=DOWNLOAD,
    )


@require_safe
def archive(request: HttpRequest, key: str) -> StreamingHttpResponse:
    """The whole release as a zip that is made while it is sent."""
    require_truth(request.user, "see-releases")
    found = queries.release_by_key(key)
    headers = {**DOWNLOAD, "Content-Disposition": f'attachment; filename="hardbench-{found.version}.zip"'}
    return StreamingHttpResponse(operations.zip_chunks(release=found), content_type="application/zip", headers=headers)


@require_safe
def errata(request: HttpRequest, key: str) -> JsonResponse:
    """What was found wrong with rows of a release since it was published, as it is handed out beside its files."""
    access.require(request.user, "see-releases")
    return JsonResponse(queries.errata_json(queries.release_by_key(key)), json_dumps_params={"ensure_ascii": False})


def _detail(request: HttpRequest, key: str, status: int = 200) -> HttpResponse:
    found = queries.release_by_key(key)
    maintains = access.may(request.user, "maintain")
    plan, halt = plan_from_json(found.plan), _halt(found)
    context = {
        "release": found,
        "plan_lines": arithmetic(plan),
        "plan_text": json.dumps(found.plan, ensure_ascii=False, indent=1),
        "counts": _counts(plan, queries.counts_of(found)),
        "left_out": {reason: count for reason, count in (found.cut or {}).get("left_out", {}).items() if count},
        "shortfalls": found.shortfalls,
        "artifacts": queries.artifacts_of(found) if access.may_know_truth(request.user) else [],
        "errata": queries.errata_of(found),
        **(_hindrances(found) if found.state == ReleaseState.BUILT else {}),
        "withdrawal": queries.why_withdrawn(found) if found.state == ReleaseState.WITHDRAWN else "",
        "halt": halt,
        "working": found.state == ReleaseState.BUILDING and not halt,
        "may_build": maintains and (found.state == ReleaseState.DRAFT or bool(halt)),
        "may_publish": maintains and found.state == ReleaseState.BUILT,
        "may_withdraw": maintains and found.state == ReleaseState.PUBLISHED,
    }
    return render(request, "annotation/releases/detail.html", context, status=status)


def _hindrances(found: Release) -> dict[str, Any]:
    """What would keep a built release from being published, by what came to be known since."""
    return {
        "withdrawn_rows": queries.withdrawn_rows(found),
        "unlicensed": queries.unlicensed_sources(found),
        "straddling": queries.straddling_clusters(found),
    }


def _halt(found: Release) -> str:
    """Why the build of a release came to a halt; "" while it goes on, and for a release that is not being built."""
    unit = queries.newest_build(found) if found.state == ReleaseState.BUILDING else None
    return unit.reason if unit and unit.state == WorkState.PARKED else ""


def _counts(plan: Plan, built: dict[str, dict[str, int]]) -> list[dict[str, Any]]:
    """Planned and built rows of each split and role, in the plan's order; roles that are neither are left out."""
    planned = {
        split.name: {
            RowRole.ORIGINAL: split.answerable - split.traps,
            RowRole.EDIT: split.unanswerable,
            RowRole.TRAP: split.traps,
        }
        for split in plan.splits
    }
    return [
        {"split": split, "role": role, "planned": number, "built": built.get(split, {}).get(role)}
        for split, roles in planned.items()
        for role, number in roles.items()
        if number or built.get(split, {}).get(role)
    ]


urlpatterns = [
    path("releases/", releases, name="releases"),
    path("releases/<key:key>/", release, name="release"),
    path("releases/<key:key>/state/", state, name="release-state"),
    path("releases/<key:key>/build/", build, name="release-build"),
    path("releases/<key:key>/publish/", publish, name="release-publish"),
    path("releases/<key:key>/withdraw/", withdraw, name="release-withdraw"),
    path("releases/<key:key>/errata/", errata, name="release-errata"),
    path("releases/<key:key>/zip/", archive, name="release-zip"),
    path("releases/<key:key>/files/<file:file>", artifact, name="artifact"),
]
