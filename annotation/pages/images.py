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
from annotation.images import queries, tiling
from annotation.models import Image, PyramidState, Source, Takedown
from annotation.pages.addresses import path
from annotation.pages.middleware import STATUS
from annotation.pages.paging import PAGE_SIZE, page_of

SOURCES_AT_MOST = 200
FORMATS = ("jpeg", "png", "webp", "tiff", "avif", "heic")
SIZES: dict[str, tuple[int, int | None, Any]] = {
    "small": (0, 1_000_000, gettext_lazy("up to 1 megapixel")),
    "middle": (1_000_000, 10_000_000, gettext_lazy("1 to 10 megapixels")),
    "large": (10_000_000, 50_000_000, gettext_lazy("10 to 50 megapixels")),
    "huge": (50_000_000, None, gettext_lazy("more than 50 megapixels")),
}
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

    format = forms.ChoiceField(
        label=gettext_lazy("Format"), required=False, choices=[("", gettext_lazy("All")), *((one, one) for one in FORMATS)]
    )
    size = forms.ChoiceField(
        label=gettext_lazy("Size"),
        required=False,
        choices=[("", gettext_lazy("All")), *((key, label) for key, (_least, _most, label) in SIZES.items())],
    )
    text = forms.CharField(label=gettext_lazy("Text in a name"), required=False, max_length=200)
    copies = forms.BooleanField(label=gettext_lazy("With copies"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = Source.objects.order_by("name").values_list("key", "name")[:SOURCES_AT_MOST]
        self.fields["source"].choices = [("", _("All")), *named]  # type: ignore[attr-defined]

    def source_key(self) -> str:
        return self.cleaned_data["source"] if self.is_valid() else ""

    def chosen(self) -> QuerySet[Image]:
        if not self.is_valid():
            return Image.objects.none()
        values = self.cleaned_data
        least, most, _label = SIZES.get(values["size"], (0, None, ""))
        return queries.images(
            source=values["source"],
            state=values["state"],
            format=values["format"],
            text=values["text"],
            copies=values["copies"],
            pixels=(least, most),
        )


@require_safe
def images(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "see-candidates")
    filters, at = ImageFilter(request.GET), timezone.now()
    page = page_of(filters.chosen(), request)
    rows = [{"image": image, "thumb_url": thumb_url(image, at), "megapixels": _megapixels(image)} for image in page.rows]
    source = filters.source_key()
    counted = queries.tiling_counts(Source.objects.get(key=source) if source else None)
    counts = [{"state": state, "count": count} for state, count in counted.items()]
    context = {**page.context("rows"), "images": rows, "filters": filters, "counts": counts, "source": source}
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
