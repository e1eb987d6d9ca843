"""Sources with their licences and their imports, and bringing a file to import."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.core.files.uploadedfile import UploadedFile as DjangoFile
from django.db.models import Sum
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation import access, scratch
from annotation.images import queries as image_queries
from annotation.models import Source, UploadedFile
from annotation.pages.forms import submitted
from annotation.pages.paging import page_of
from annotation.sources import operations, queries
from annotation.sources.cards import CARDS


class CardForm(forms.Form):
    """What is known about a source. Its cleaned values are arguments of `describe_source` and `add_source`."""

    licence = forms.CharField(
        label=gettext_lazy("Licence"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("An SPDX identifier, such as CC-BY-4.0. An unknown one keeps its rows out of releases."),
    )
    homepage = forms.URLField(label=gettext_lazy("Homepage"), required=False, assume_scheme="https")
    citation = forms.CharField(label=gettext_lazy("Citation"), required=False, widget=forms.Textarea(attrs={"rows": 3}))
    images_redistributable = forms.BooleanField(label=gettext_lazy("Its pictures may be passed on"), required=False)


class SourceForm(CardForm):
    """Its cleaned values are the arguments of `add_source`."""

    key = forms.SlugField(
        label=gettext_lazy("Key"),
        max_length=40,
        help_text=gettext_lazy(
            "Small letters, digits, hyphens. For a source we know, such as pixmo-count, the rest is filled in."
        ),
    )
    name = forms.CharField(label=gettext_lazy("Name"), max_length=200, required=False)
    field_order = ("key", "name")


@require_http_methods(["GET", "HEAD", "POST"])
def sources(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "see-candidates")
    if request.method != "POST":
        return _list(request, SourceForm() if access.may(request.user, "maintain") else None)
    by = access.require(request.user, "maintain")
    form = SourceForm(request.POST)

    def added(source: Source) -> HttpResponse:
        messages.success(request, _("The source is here. Bring a file with its rows."))
        return redirect("source-imports", source.key)

    return submitted(form, partial(operations.add_source, by=by), then=added, again=partial(_list, request, form))


def _list(request: HttpRequest, form: SourceForm | None, status: int = 200) -> HttpResponse:
    page = page_of(queries.sources(), request, oldest_first=True)
    return render(request, "annotation/sources/list.html", {**page.context("sources"), "form": form}, status=status)


class UploadForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("File"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit = {"most": filesizeformat(operations.MOST_BYTES)}
        told = _("JSON lines, a JSON list, CSV or Parquet, at most %(most)s. Larger files come with the command import_source.")
        self.fields["file"].help_text = told % limit


@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: HttpRequest, key: str) -> HttpResponse:
    access.require(request.user, "see-candidates")
    source = get_object_or_404(Source, key=key)
    if request.method != "POST":
        return _source(request, source, UploadForm() if access.may(request.user, "maintain") else None)
    by = access.require(request.user, "maintain")
    form = UploadForm(request.POST, request.FILES)

    def kept(file: DjangoFile) -> UploadedFile:
        with _on_disk(file) as path:
            return operations.keep_upload(source=source, path=path, file_name=file.name or "", by=by)

    return submitted(
        form, kept, then=lambda upload: redirect("upload", source.key, upload.key), again=partial(_source, request, source, form)
    )


@contextmanager
def _on_disk(file: DjangoFile) -> Iterator[Path]:
    """An upload as a file, wherever the framework keeps it."""
    if isinstance(file, TemporaryUploadedFile):
        yield Path(file.temporary_file_path())
        return
    with scratch.folder("upload") as folder:
        copy = folder / "upload"
        with copy.open("wb") as out:
            out.writelines(file.chunks())
        yield copy


def _source(request: HttpRequest, source: Source, form: UploadForm | None, status: int = 200) -> HttpResponse:
    batches = queries.batches(source)
    page = page_of(batches, request)
    context = {
        **page.context("batches"),
        "source": source,
        "card": CARDS.get(source.key),
        "totals": batches.aggregate(questions=Coalesce(Sum("rows_accepted"), 0), waiting=Coalesce(Sum("rows_waiting"), 0)),
        "pictures": [
            {"state": state, "count": count} for state, count in image_queries.progress(source=source).counts.items() if count
        ],
        "form": form,
    }
    return render(request, "annotation/sources/imports.html", context, status=status)


urlpatterns = [
    path("sources/", sources, name="sources"),
    path("sources/<slug:key>/", imports, name="source-imports"),
]
