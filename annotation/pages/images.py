"""Pictures that are here: the list with small views, and one picture to look at closely."""

from datetime import datetime
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from annotation import access
from annotation.images import tiling
from annotation.models import Image, PyramidState, Source, Takedown
from annotation.pages.addresses import path
from annotation.pages.middleware import STATUS
from annotation.pages.paging import PAGE_SIZE, page_of

SOURCES_AT_MOST = 200
ROLE = "staff"


class ImageFilter(forms.Form):
    source = forms.ChoiceField(label=gettext_lazy("Source"), required=False)
    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[
            ("", gettext_lazy("All")),
            (PyramidState.WAITING, gettext_lazy("waiting")),
            (PyramidState.TILED, gettext_lazy("tiled")),
            (PyramidState.FAILED, gettext_lazy("failed")),
            (PyramidState.ERASED, gettext_lazy("taken down")),
        ],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = Source.objects.order_by("name").values_list("key", "name")[:SOURCES_AT_MOST]
        self.fields["source"].choices = [("", _("All")), *named]  # type: ignore[attr-defined]

    def chosen(self) -> QuerySet[Image]:
        rows = Image.objects.select_related("source")
        if not self.is_valid():
            return rows.none()
        if source := self.cleaned_data["source"]:
            rows = rows.filter(source__key=source)
        if state := self.cleaned_data["state"]:
            rows = rows.filter(pyramid_state=state)
        return rows


@require_safe
def images(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "see-candidates")
    filters, at = ImageFilter(request.GET), timezone.now()
    page = page_of(filters.chosen(), request)
    rows = [{"image": image, "thumb_url": thumb_url(image, at), "megapixels": _megapixels(image)} for image in page.rows]
    context = {**page.context("rows"), "images": rows, "filters": filters}
    return render(request, "annotation/images/list.html", context, status=200 if filters.is_valid() else STATUS["invalid"])


@require_safe
def image(request: HttpRequest, key: str) -> HttpResponse:
    """One picture; its questions only for those who may know kinds and reference answers."""
    access.require(request.user, "see-candidates")
    found = get_object_or_404(Image.objects.select_related("source"), key=key)
    stands = found.pyramid_state != PyramidState.ERASED
    questions = access.questions_visible_to(request.user).filter(image=found).order_by("pk")[:PAGE_SIZE]
    context = {
        "image": found,
        "info_url": info_url(found, timezone.now()),
        "marks": [],
        "copies": Image.objects.filter(cluster=found.cluster).exclude(pk=found.pk).count() if found.cluster else 0,
        "questions": questions,
        "may_download": stands and access.may(request.user, "download-originals"),
        "takedown": None if stands else Takedown.objects.get(image=found),
        "may_take_down": stands and access.may(request.user, "maintain"),
    }
    return render(request, "annotation/images/detail.html", context)


def info_url(image: Image, at: datetime) -> str:
    """The address of the picture's description; empty while there are no tiles."""
    tiled = image.pyramid_state == PyramidState.TILED
    return access.image_info_url(image_key=image.key, role=ROLE, at=at) if tiled else ""


def thumb_url(image: Image, at: datetime) -> str:
    """The address of the pyramid's smallest level, one stored tile of at most 512 pixels; empty while there is none."""
    address = info_url(image, at)
    smallest = tiling.tile_at(image.width, image.height, tiling.scale_factors(image.width, image.height)[-1], 0, 0)
    return f"{address.removesuffix('info.json')}{smallest.name}/0/default.jpg" if address else ""


def _megapixels(image: Image) -> float:
    return image.width * image.height / 1_000_000


urlpatterns = [
    path("images/", images, name="images"),
    path("images/<key:key>/", image, name="image"),
]
