"""Quality of a campaign: how far its voters agree, what its labels rest on, and each person's record."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from annotation.access import Viewer
from annotation.models import Campaign
from annotation.pages.addresses import is_key
from annotation.pages.measures import measure
from annotation.pages.truth import require_truth
from annotation.quality import queries
from annotation.quality.agreement import PersonCounts
from annotation.quality.figures import Figure, share
from annotation.quality.queries import ControlRecord

CAMPAIGNS_AT_MOST = 200
RESAMPLES = 200  # enough for a page; the command `agreement` takes more time and more of them
FIGURES = {
    "raw": _("Raw agreement"),
    "ac1": "Gwet AC1",
    "kappa": "Fleiss kappa",
    "alpha": "Krippendorff alpha",
    "specific:answerable": _("Agreement on answerable"),
    "specific:unanswerable": _("Agreement on unanswerable"),
    "specific:ambiguous": _("Agreement on ambiguous"),
}
NO_CONTROLS = Figure(None, 0, undefined="undefined because they met no control")


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """The campaign that `?campaign=` names, else the newest that has votes, else the newest."""
    require_truth(request.user, "see-quality")
    campaigns = Campaign.objects.order_by("-pk")
    key = request.GET.get("campaign", "")
    if key and not is_key(key):
        raise Http404
    campaign = get_object_or_404(campaigns, key=key) if key else queries.newest_to_measure()
    measured = _measured(campaign, request.user) if campaign else {}
    context = {"campaigns": campaigns[:CAMPAIGNS_AT_MOST], "campaign": campaign, **measured}
    return render(request, "annotation/quality/overview.html", context)


def _measured(campaign: Campaign, viewer: Viewer) -> dict[str, Any]:
    found = queries.agreement_of(campaign, resamples=RESAMPLES)
    records = {record.person: record for record in queries.control_records(campaign, viewer=viewer)}
    return {
        "agreement": [{"name": title, **measure(found.figures[name].as_json())} for name, title in FIGURES.items()],
        "decided": queries.decided(campaign),
        "waivers": measure(queries.waiver_share(campaign).as_json()),
        "people": [_person(counts, records.get(counts.person)) for counts in found.people],
    }


def _person(counts: PersonCounts, record: ControlRecord | None) -> dict[str, Any]:
    agreed = share(counts.agreed, counts.pairs, nothing="nobody else saw the same items")
    return {
        "pseudonym": counts.person,
        "votes": counts.votes,
        **{verdict: counts.labels.get(verdict, 0) for verdict in queries.LABELS},
        "agreed": {**measure(agreed.as_json()), "low": None},
        "sensitivity": measure((record.sensitivity if record else NO_CONTROLS).as_json()),
        "specificity": measure((record.specificity if record else NO_CONTROLS).as_json()),
    }


urlpatterns = [path("quality/", overview, name="quality")]
