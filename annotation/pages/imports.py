"""One import: what was read, what waits for pictures, what was rejected and why, on a page and as a table to take away."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation import access
from annotation.models import AcquisitionState, ImportBatch, ImportProblem, ImportState
from annotation.pages.acquisitions import STATES
from annotation.pages.addresses import path
from annotation.pages.middleware import STATUS
from annotation.pages.paging import page_of
from annotation.questions import intake
from annotation.sources import queries
from annotation.tasks.work import send

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
CSV_CHUNK = 1000
KINDS_SHOWN = 30
UNDER_WAY = (ImportState.READING, ImportState.STORING)


class ProblemFilter(forms.Form):
    field = forms.CharField(label=gettext_lazy("Field"), required=False, max_length=80, strip=False)
    reason = forms.CharField(label=gettext_lazy("Why it was rejected"), required=False, max_length=400, strip=False)

    def narrowed(self, rows: QuerySet[ImportProblem]) -> QuerySet[ImportProblem]:
        if not self.is_valid():
            return rows.none()
        values = self.cleaned_data
        rows = rows.filter(field=values["field"]) if values["field"] else rows
        return rows.filter(reason__icontains=values["reason"]) if values["reason"] else rows


class WaitingFilter(forms.Form):
    state = forms.ChoiceField(
        label=gettext_lazy("State of the picture"),
        required=False,
        choices=[
            ("", gettext_lazy("All")),
            *((state, word) for state, word in STATES.items() if state != AcquisitionState.STORED),
        ],
    )


@require_safe
def detail(request: HttpRequest, source: str, key: str) -> HttpResponse:
    access.require(request.user, "see-candidates")
    batch = _batch(source, key)
    filters = ProblemFilter(request.GET)
    page = page_of(filters.narrowed(queries.problems(batch)), request, oldest_first=True)
    context = {
        **page.context("problems"),
        "batch": batch,
        "filters": filters,
        "kinds": _kinds(batch),
        "pictures": [
            {"state": state, "count": count, "lost": state in intake.FAILED}
            for state, count in intake.pictures_waited_for(batch).items()
        ],
        "under_way": batch.state in UNDER_WAY,
        "may_change": access.may(request.user, "maintain"),
    }
    return render(request, "annotation/sources/import.html", context, status=_status(filters))


@require_safe
def waiting(request: HttpRequest, source: str, key: str) -> HttpResponse:
    """The rows that are no questions yet, with what became of the picture of each."""
    access.require(request.user, "see-candidates")
    batch = _batch(source, key)
    filters = WaitingFilter(request.GET)
    rows = intake.waiting_rows(batch, filters.cleaned_data["state"] if filters.is_valid() else "")
    page = page_of(rows if filters.is_valid() else rows.none(), request, oldest_first=True)
    context = {**page.context("rows"), "batch": batch, "filters": filters}
    return render(request, "annotation/sources/waiting.html", context, status=_status(filters))


@require_POST
def resume(request: HttpRequest, source: str, key: str) -> HttpResponse:
    """Go on with an import that stopped, or take what has arrived since."""
    by = access.require(request.user, "maintain")
    batch = _batch(source, key)
    try:
        send([intake.resume(batch=batch, by=by)])
    except intake.NothingLeft as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The import goes on in the background."))
    return redirect("import", source, key)


@require_safe
def problems_csv(request: HttpRequest, source: str, key: str) -> HttpResponseBase:
    """The rejected rows that the filters show; no cell is a formula in a spreadsheet."""
    access.require(request.user, "see-candidates")
    batch = _batch(source, key)
    rows = ProblemFilter(request.GET).narrowed(queries.problems(batch))
    name = f"rejected-{batch.source.key}-{batch.file_sha256[:12]}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return StreamingHttpResponse(_csv_lines(rows), content_type="text/csv; charset=utf-8", headers=headers)


def _status(filters: forms.Form) -> int:
    return 200 if filters.is_valid() else STATUS["invalid"]


def _batch(source: str, key: str) -> ImportBatch:
    return get_object_or_404(ImportBatch.objects.select_related("source", "by"), source__key=source, key=key)


def _kinds(batch: ImportBatch) -> list[Any]:
    """The most frequent reasons by field, with how many rows each rejected."""
    if not batch.rows_rejected:
        return []
    grouped = queries.problems(batch).values("field", "reason").annotate(count=Count("pk"))
    return list(grouped.order_by("-count", "field", "reason")[:KINDS_SHOWN])


def _csv_lines(rows: QuerySet[ImportProblem]) -> Iterator[str]:
    yield _csv_line(["line", "field", "found", "reason"])
    for row in rows.iterator(chunk_size=CSV_CHUNK):
        yield _csv_line([str(row.line), row.field, row.value, row.reason])


def _csv_line(cells: list[str]) -> str:
    line = StringIO()
    csv.writer(line).writerow([harmless(cell) for cell in cells])
    return line.getvalue()


def harmless(cell: str) -> str:
    """A cell that spreadsheets would run as a formula gets an apostrophe in front, and is text."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


IMPORT = "sources/<slug:source>/imports/<key:key>"
urlpatterns = [
    path(f"{IMPORT}/", detail, name="import"),
    path(f"{IMPORT}/waiting/", waiting, name="import-waiting"),
    path(f"{IMPORT}/resume/", resume, name="import-resume"),
    path(f"{IMPORT}/problems.csv", problems_csv, name="import-problems-csv"),
]
