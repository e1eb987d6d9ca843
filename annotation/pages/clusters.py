"""Copies of one picture: the clusters there are, why they were joined, and splitting or joining them by hand."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation import access
from annotation.images import operations, queries
from annotation.models import ClusterRuling, Image, ImageLikeness, Source
from annotation.pages.addresses import is_key, path
from annotation.pages.forms import submitted
from annotation.pages.images import thumb_url
from annotation.pages.middleware import STATUS
from annotation.pages.paging import page_of

CLUSTERS_A_PAGE = 20
SHOWN_IN_A_ROW = 5
SHOWN_AT_MOST = 200
RULINGS_AT_MOST = 500
KINDS = [
    ("", gettext_lazy("All")),
    ("sources", gettext_lazy("From several sources")),
    ("mirrored", gettext_lazy("With a mirrored copy")),
    ("ruled", gettext_lazy("Ruled on by people")),
]


class ClusterFilter(forms.Form):
    source = forms.ModelChoiceField(Source.objects.none(), label=gettext_lazy("Source"), required=False, to_field_name="key")
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), required=False, choices=KINDS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen: Any = self.fields["source"]
        chosen.queryset = Source.objects.order_by("name")
        chosen.empty_label = _("All")


class ReasonForm(forms.Form):
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))


class SplitForm(ReasonForm):
    """Which pictures of a cluster are not the same as its others."""

    prefix = "split"
    images = forms.ModelMultipleChoiceField(
        Image.objects.none(),
        to_field_name="key",
        error_messages={"required": gettext_lazy("Choose the pictures that do not belong here.")},
    )

    def __init__(self, *args: Any, members: Sequence[Image], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen: Any = self.fields["images"]
        chosen.queryset = Image.objects.filter(pk__in=[image.pk for image in members])

    def ticked(self) -> set[str]:
        """The keys that were chosen, so that a refused form shows them again."""
        return set(self["images"].value() or [])


class JoinForm(ReasonForm):
    """With which picture the cluster is to be one."""

    prefix = "join"
    other = forms.ModelChoiceField(Image.objects.all(), to_field_name="key", widget=forms.HiddenInput)


@require_safe
def clusters(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "see-candidates")
    filters = ClusterFilter(request.GET)
    values, at = filters.cleaned_data if filters.is_valid() else {}, timezone.now()
    rows = queries.clusters(source=values.get("source"), kind=values.get("kind", ""))
    page = page_of(rows if filters.is_valid() else rows.none(), request, size=CLUSTERS_A_PAGE)
    names = [oldest.pk for oldest in page.rows]
    members, likenesses = queries.members_of(names, most=SHOWN_IN_A_ROW), queries.likenesses_within(names)
    found = [_row(oldest, members[oldest.pk], likenesses.get(oldest.pk, []), at) for oldest in page.rows]
    context = {**page.context("rows"), "clusters": found, "filters": filters}
    status = 200 if filters.is_valid() else STATUS["invalid"]
    return render(request, "annotation/clusters/list.html", context, status=status)


@require_safe
def cluster(request: HttpRequest, key: str) -> HttpResponse:
    """The cluster that a picture is in."""
    access.require(request.user, "see-candidates")
    return _cluster(request, _image(key))


@require_POST
def split(request: HttpRequest, key: str) -> HttpResponse:
    by, image = access.require(request.user, "maintain"), _image(key)
    form = SplitForm(request.POST, members=_members(image))

    def done(_cluster: int) -> HttpResponse:
        messages.success(request, _("Split. No later look-alike brings these pictures together again."))
        return redirect("cluster", form.cleaned_data["images"][0].key)

    verb = partial(operations.split_cluster, by=by)
    return submitted(form, verb, then=done, again=lambda status: _cluster(request, image, split_form=form, status=status))


@require_POST
def join(request: HttpRequest, key: str) -> HttpResponse:
    by, image = access.require(request.user, "maintain"), _image(key)
    form = JoinForm(request.POST)

    def done(_cluster: int) -> HttpResponse:
        messages.success(request, _("Joined. These pictures will serve one split together."))
        return redirect("cluster", image.key)

    verb = partial(operations.join_clusters, one=image, by=by)
    return submitted(form, verb, then=done, again=lambda status: _cluster(request, image, join_form=form, status=status))


def _cluster(
    request: HttpRequest,
    image: Image,
    *,
    split_form: SplitForm | None = None,
    join_form: JoinForm | None = None,
    status: int = 200,
) -> HttpResponse:
    members, at = _members(image), timezone.now()
    asked = (join_form["other"].value() if join_form else request.GET.get("with", "")) or ""
    other = Image.objects.select_related("source").filter(key=asked).first() if is_key(asked) else None
    split_form = split_form or SplitForm(members=members)
    likenesses = queries.likenesses_within([image.cluster]).get(image.cluster, []) if image.cluster else []
    context = {
        "image": image,
        "members": [_member(one, likenesses, split_form.ticked(), at) for one in members],
        "size": getattr(members[0], "size", 1),
        "rulings": _rulings(queries.rulings_on(members, most=RULINGS_AT_MOST)),
        "may_rule": access.may(request.user, "maintain"),
        "split_form": split_form,
        "join_form": join_form or JoinForm(initial={"other": asked}),
        "asked": asked,
        "other": other and {"image": other, "thumb_url": thumb_url(other, at), "here": _is_here(other, image)},
    }
    return render(request, "annotation/clusters/detail.html", context, status=status)


def _image(key: str) -> Image:
    return get_object_or_404(Image.objects.select_related("source"), key=key)


def _members(image: Image) -> list[Image]:
    """The pictures of a cluster, the oldest first; one that is not tiled yet is alone."""
    if image.cluster is None:
        return [image]
    return queries.members_of([image.cluster], most=SHOWN_AT_MOST)[image.cluster]


def _is_here(other: Image, image: Image) -> bool:
    return other.pk == image.pk or (image.cluster is not None and other.cluster == image.cluster)


def _row(oldest: Image, members: Sequence[Image], likenesses: Sequence[ImageLikeness], at: datetime) -> dict[str, Any]:
    size = getattr(members[0], "size", len(members))
    return {
        "image": oldest,
        "size": size,
        "more": size - len(members),
        "members": [{"image": image, "thumb_url": thumb_url(image, at)} for image in members],
        "sources": sorted({image.source.name for image in members}),
        "weakest": likenesses[-1] if likenesses else None,
        "mirrored": any(likeness.mirrored for likeness in likenesses),
    }


def _member(image: Image, likenesses: Iterable[ImageLikeness], ticked: set[str], at: datetime) -> dict[str, Any]:
    """A picture with its strongest likeness to another one of the cluster."""
    best = next((one for one in likenesses if image.pk in (one.one_id, one.other_id)), None)
    like = best and (best.other if best.one_id == image.pk else best.one)
    return {"image": image, "thumb_url": thumb_url(image, at), "likeness": best, "like": like, "ticked": image.key in ticked}


def _rulings(rows: Iterable[ClusterRuling]) -> list[dict[str, Any]]:
    """Rulings of one deed, which are one pair each, as one line."""
    found = []
    for _deed, pairs in groupby(rows, key=lambda row: (row.created_at, row.by_id, row.same, row.reason)):
        first, *rest = pairs
        found.append({"ruling": first, "more": len(rest)})
    return found


urlpatterns = [
    path("clusters/", clusters, name="clusters"),
    path("clusters/<key:key>/", cluster, name="cluster"),
    path("clusters/<key:key>/split/", split, name="cluster-split"),
    path("clusters/<key:key>/join/", join, name="cluster-join"),
]
