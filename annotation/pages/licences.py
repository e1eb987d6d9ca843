"""The licence card of a source: what is known, who found it out, and a written word where nothing is."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from annotation import access
from annotation.models import UNKNOWN_LICENCE, LicenceRuling, Source
from annotation.pages.addresses import path
from annotation.pages.forms import submitted
from annotation.pages.sources import CardForm
from annotation.sources import operations
from annotation.sources.cards import card_of


class RulingForm(forms.Form):
    """Its cleaned values are arguments of `rule_on_licence`."""

    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("At least 20 characters, without names of people: it is written into every release."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def licence(request: HttpRequest, key: str) -> HttpResponse:
    """The card; a maintainer corrects it by POST."""
    access.require(request.user, "see-candidates")
    source = get_object_or_404(Source, key=key)
    if request.method != "POST":
        return _card(request, source)
    by = access.require(request.user, "maintain")
    form = CardForm(request.POST)

    def written(_source: Source) -> HttpResponse:
        messages.success(request, _("The card is written down. Releases that are built already keep what they say."))
        return redirect("source-licence", key)

    verb = partial(operations.describe_source, source_key=key, by=by)
    return submitted(form, verb, then=written, again=lambda status: _card(request, source, status, card_form=form))


@require_POST
def ruling(request: HttpRequest, key: str) -> HttpResponse:
    """Allow the rows of a source without a known licence, or take that back."""
    by = access.require(request.user, "maintain")
    source = get_object_or_404(Source, key=key)
    form, allowed = RulingForm(request.POST), request.POST.get("allowed") == "yes"

    def ruled(_ruling: Any) -> HttpResponse:
        said = _("Its rows may be released.") if allowed else _("Its rows stay out of releases.")
        messages.success(request, said)
        return redirect("source-licence", key)

    verb = partial(operations.rule_on_licence, source_key=key, allowed=allowed, by=by)
    return submitted(form, verb, then=ruled, again=lambda status: _card(request, source, status, ruling_form=form))


def _card(request: HttpRequest, source: Source, status: int = 200, **forms_: forms.Form) -> HttpResponse:
    maintains, unknown = access.may(request.user, "maintain"), source.licence == UNKNOWN_LICENCE
    values = {name: getattr(source, name) for name in CardForm.base_fields}
    rulings = list(LicenceRuling.objects.filter(source=source).select_related("by").order_by("-pk")[:50])
    context = {
        "source": source,
        "known": card_of(source.key),
        "unknown": unknown,
        "rulings": rulings,
        "allowed": bool(rulings) and rulings[0].allowed,
        "card_form": forms_.get("card_form", CardForm(initial=values)) if maintains else None,
        "ruling_form": forms_.get("ruling_form", RulingForm()) if maintains and unknown else None,
    }
    return render(request, "annotation/sources/licence.html", context, status=status)


urlpatterns = [
    path("sources/<slug:key>/licence/", licence, name="source-licence"),
    path("sources/<slug:key>/licence/ruling/", ruling, name="source-licence-ruling"),
]
