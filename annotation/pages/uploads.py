"""A file that a maintainer brought: what it was found to be, its columns mapped, its first rows as they would be read,
before anything is written; then its import."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation import access
from annotation.errors import DomainError
from annotation.models import Person, UploadedFile
from annotation.pages.addresses import path
from annotation.pages.forms import refused
from annotation.pages.middleware import STATUS
from annotation.questions import intake
from annotation.sources.faults import FileFault
from annotation.sources.layouts import LAYOUTS, Options, mapped
from annotation.sources.operations import AlreadyImported
from annotation.sources.previews import Preview, preview
from annotation.sources.records import Description, described
from annotation.storage import store
from annotation.tasks.work import send

ROWS, LOOKED_AT, COLUMNS = 20, 2000, 100
MOST_TEXT = 20_000
NEEDS_FILES = {"vstar"}  # its boxes lie in files beside the pictures
ENCODINGS = ("utf-8", "utf-16", "gb18030", "big5", "shift_jis", "euc-kr", "cp1252", "latin-1")


def _pairs(text: str) -> dict[str, str]:
    """Lines of `name = value`. Raises ValidationError with the line that is none."""
    found: dict[str, str] = {}
    for line in filter(str.strip, text.splitlines()):
        name, sign, value = (part.strip() for part in line.partition("="))
        if not name or not sign or name in found:
            raise forms.ValidationError(_("“%(line)s” is no line such as name = value.") % {"line": line[:80]})
        found[name] = value
    return found


class ReadingForm(forms.Form):
    """How a file is to be read. Each column of the file is a choice of its own where columns are mapped by hand."""

    layout = forms.ChoiceField(
        label=gettext_lazy("Layout"),
        choices=[(one.key, one.title) for one in LAYOUTS.values() if one.key not in NEEDS_FILES],
    )
    encoding = forms.ChoiceField(
        label=gettext_lazy("Encoding"),
        required=False,
        choices=[("", gettext_lazy("As it is found to be")), *((one, one) for one in ENCODINGS)],
    )
    with_search = forms.BooleanField(label=gettext_lazy("Rows that need a web search, too"), required=False)
    split_options = forms.CharField(
        label=gettext_lazy("What parts options in a cell"), required=False, max_length=10, strip=False
    )
    split_answers = forms.CharField(
        label=gettext_lazy("What parts answers in a cell"), required=False, max_length=10, strip=False
    )

    ids = forms.CharField(
        label=gettext_lazy("Only the rows with these ids"),
        help_text=gettext_lazy("One a line; empty: all rows."),
        required=False,
        max_length=MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    inner = forms.CharField(
        label=gettext_lazy("Columns inside others"),
        help_text=gettext_lazy("One a line, such as extra_info.answer = answer, or images.0.image = image."),
        required=False,
        max_length=MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    constants = forms.CharField(
        label=gettext_lazy("The same for every row"),
        help_text=gettext_lazy("One a line, such as family = count."),
        required=False,
        max_length=MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, columns: tuple[str, ...], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        targets = [("", _("not read")), *((name, f"{name}: {rule.means}"[:80]) for name, rule in mapped.TARGETS.items())]
        self.columns = {f"column-{number}": name for number, name in enumerate(columns[:COLUMNS])}
        for field, name in self.columns.items():
            self.fields[field] = forms.ChoiceField(label=name, required=False, choices=targets)

    @property
    def column_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.columns]

    @property
    def usual_fields(self) -> list[forms.BoundField]:
        return [self["layout"], self["encoding"], self["with_search"], self["ids"]]

    @property
    def split_fields(self) -> list[forms.BoundField]:
        return [self["split_options"], self["split_answers"], self["inner"], self["constants"]]

    def clean_inner(self) -> dict[str, str]:
        return _pairs(self.cleaned_data["inner"])

    def clean_constants(self) -> dict[str, str]:
        return _pairs(self.cleaned_data["constants"])

    def options(self) -> Options:
        """Of a form that is valid."""
        values = self.cleaned_data
        ids = frozenset(line.strip() for line in values["ids"].splitlines() if line.strip())
        shared: dict[str, Any] = {"encoding": values["encoding"] or None, "ids": ids}
        if values["layout"] == mapped.LAYOUT.key:
            mapping = {name: values[field] for field, name in self.columns.items() if values[field]} | values["inner"]
            marks = {"options": values["split_options"], "answers": values["split_answers"]}
            given = {target: mark for target, mark in marks.items() if mark}
            return Options(mapping=mapping, split=given, constants=values["constants"], **shared)
        return Options(only_without_search=not values["with_search"], **shared)


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest, source: str, key: str) -> HttpResponse:
    """GET shows what would be read with the choices of the address, and writes nothing; POST imports so."""
    by = access.require(request.user, "maintain")
    file = get_object_or_404(UploadedFile.objects.select_related("source"), source__key=source, key=key)
    found, fault = _described(file)
    columns = found.columns if found else ()
    data: Mapping[str, Any] = request.POST if request.method == "POST" else request.GET or _guessed(file, columns)
    form = ReadingForm(columns, data)
    if fault:
        form.is_valid()
        form.add_error(None, fault)
    show = partial(_shown, request, file, found, form)
    if not form.is_valid():
        return show(STATUS["invalid"])
    return _imported(form, file, by, show) if request.method == "POST" else show(200, _previewed(file, form))


def _imported(form: ReadingForm, file: UploadedFile, by: Person, again: Callable[[int], HttpResponse]) -> HttpResponse:
    source = file.source.key
    try:
        batch, unit = intake.start_import(upload=file, layout=form.cleaned_data["layout"], options=form.options(), by=by)
    except AlreadyImported as known:
        return redirect("import", source, known.batch.key)
    except DomainError as refusal:
        return again(refused(form, refusal))
    send([unit])
    return redirect("import", source, batch.key)


def _shown(
    request: HttpRequest,
    file: UploadedFile,
    found: Description | None,
    form: ReadingForm,
    status: int,
    preview: Preview | None = None,
) -> HttpResponse:
    context = {"upload": file, "found": found, "form": form, "preview": preview, "looked_at": LOOKED_AT}
    return render(request, "annotation/sources/upload.html", context, status=status)


def _described(file: UploadedFile) -> tuple[Description | None, str]:
    """What the file is, or why it is none, in words that name it as people do."""
    try:
        with store().local_copy(file.storage_key) as path:
            return described(path), ""
    except FileFault as fault:
        return None, fault.message.replace(path.name, file.file_name)


def _guessed(file: UploadedFile, columns: tuple[str, ...]) -> dict[str, str]:
    """The layout of the source, else columns that are called as ours are."""
    layouts = (layout.key for layout in LAYOUTS.values() if layout.source_key == file.source.key)
    layout = next(layouts, "generic" if {"image", "question"} <= set(columns) else mapped.LAYOUT.key)
    same = {f"column-{number}": name for number, name in enumerate(columns[:COLUMNS]) if name in mapped.TARGETS}
    return {"layout": layout, **same}


def _previewed(file: UploadedFile, form: ReadingForm) -> Preview | None:
    """The first rows; where the file is not of this layout, why, on the form."""
    try:
        with store().local_copy(file.storage_key) as path:
            known = intake.Trial(file.source)
            return preview(path, form.cleaned_data["layout"], form.options(), rows=ROWS, most=LOOKED_AT, judge=known)
    except FileFault as fault:
        form.add_error(fault.field if fault.field in form.fields else None, fault.message.replace(path.name, file.file_name))
        return None


urlpatterns = [path("sources/<slug:source>/files/<key:key>/", upload, name="upload")]
