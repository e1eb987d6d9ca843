"""Sources with their licences, their imports, and the rows that were rejected, on a page and as a table to take away."""

import csv
from collections.abc import Iterator
from functools import partial
from io import StringIO

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from annotation import access
from annotation.models import ImportBatch, ImportProblem, ImportState, Source
from annotation.pages.forms import submitted
from annotation.pages.paging import page_of
from annotation.sources import operations, queries

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
CSV_CHUNK = 1000


class SourceForm(forms.Form):
    """Its cleaned values are the arguments of `add_source`."""

    key = forms.SlugField(
        label=gettext_lazy("Key"),
        max_length=40,
        help_text=gettext_lazy("Small letters, digits and hyphens, such as pixmo-count."),
    )
    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    licence = forms.CharField(
        label=gettext_lazy("Licence"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("An SPDX identifier, such as CC-BY-4.0. Left empty it is unknown, which blocks releases."),
    )
    homepage = forms.URLField(label=gettext_lazy("Homepage"), required=False, assume_scheme="https")
    citation = forms.CharField(label=gettext_lazy("Citation"), required=False, widget=forms.Textarea(attrs={"rows": 3}))
    images_redistributable = forms.BooleanField(label=gettext_lazy("Its pictures may be passed on"), required=False)


@require_http_methods(["GET", "HEAD", "POST"])
def sources(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "see-candidates")
    if request.method != "POST":
        return _list(request, SourceForm() if access.may(request.user, "maintain") else None)
    by = access.require(request.user, "maintain")
    form = SourceForm(request.POST)

    def added(source: Source) -> HttpResponse:
        messages.success(request, _("The source is here. Its rows come with the command import_source."))
        return redirect("source-imports", source.key)

    return submitted(form, partial(operations.add_source, by=by), then=added, again=partial(_list, request, form))


def _list(request: HttpRequest, form: SourceForm | None, status: int = 200) -> HttpResponse:
    page = page_of(queries.sources(), request, oldest_first=True)
    return render(request, "annotation/sources/list.html", {**page.context("sources"), "form": form}, status=status)


@require_safe
def imports(request: HttpRequest, key: str) -> HttpResponse:
    access.require(request.user, "see-candidates")
    source = get_object_or_404(Source, key=key)
    page = page_of(queries.batches(source), request)
    return render(request, "annotation/sources/imports.html", {**page.context("batches"), "source": source})


@require_safe
def problems(request: HttpRequest, **address: str) -> HttpResponse:
    access.require(request.user, "see-candidates")
    batch = _batch(**address)
    page = page_of(queries.problems(batch), request, oldest_first=True)
    return render(request, "annotation/sources/problems.html", {**page.context("problems"), "batch": batch})


@require_safe
def problems_csv(request: HttpRequest, **address: str) -> HttpResponseBase:
    """All rejected rows of one import; no cell of it is a formula in a spreadsheet."""
    access.require(request.user, "see-candidates")
    batch = _batch(**address)
    name = f"rejected-{batch.source.key}-{batch.file_sha256[:12]}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return StreamingHttpResponse(_csv_lines(queries.problems(batch)), content_type="text/csv; charset=utf-8", headers=headers)


def _batch(*, source: str, importer: str, version: str, sha256: str) -> ImportBatch:
    """An import by what it read: one file is imported once by one importer, unless it was aborted."""
    rows = ImportBatch.objects.select_related("source").exclude(state=ImportState.ABORTED)
    return get_object_or_404(rows, source__key=source, importer=importer, importer_version=version, file_sha256=sha256)


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


BATCH = "sources/<slug:source>/imports/<slug:importer>/<int:version>/<slug:sha256>"
urlpatterns = [
    path("sources/", sources, name="sources"),
    path("sources/<slug:key>/", imports, name="source-imports"),
    path(f"{BATCH}/", problems, name="import-problems"),
    path(f"{BATCH}/problems.csv", problems_csv, name="import-problems-csv"),
]
