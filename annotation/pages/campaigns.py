"""Campaigns: what runs, how far it is, and, for maintainers, opening, pausing, closing, roster and guideline."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation import access
from annotation.models import Campaign, CampaignState, Person
from annotation.pages.addresses import path
from annotation.pages.campaign_forms import CampaignForm, GuidelineForm, RosterForm, StateForm, named
from annotation.pages.forms import submitted
from annotation.pages.paging import page_of
from annotation.review import operations, queries


@require_http_methods(["GET", "HEAD", "POST"])
def campaigns(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "see-candidates")
    if request.method != "POST":
        return _list(request, CampaignForm() if access.may(request.user, "maintain") else None)
    by = access.require(request.user, "maintain")
    form = CampaignForm(request.POST)

    def opened(campaign: Campaign) -> HttpResponse:
        messages.success(request, _("The campaign is open."))
        return redirect("campaign", campaign.key)

    return submitted(form, partial(operations.open_campaign, by=by), then=opened, again=partial(_list, request, form))


def _list(request: HttpRequest, form: CampaignForm | None, status: int = 200) -> HttpResponse:
    page = page_of(Campaign.objects.all(), request)
    figures = queries.figures(page.rows)
    rows = [{"campaign": campaign, "figures": figures[campaign.pk]} for campaign in page.rows]
    return render(
        request, "annotation/campaigns/list.html", {**page.context("rows"), "campaigns": rows, "form": form}, status=status
    )


@require_safe
def campaign(request: HttpRequest, key: str) -> HttpResponse:
    access.require(request.user, "see-candidates")
    return _detail(request, _known(key))


@require_POST
def change_state(request: HttpRequest, key: str) -> HttpResponse:
    by, found, form = access.require(request.user, "maintain"), _known(key), StateForm(request.POST)
    verb = partial(operations.set_campaign_state, campaign=found, by=by)
    return submitted(form, verb, then=partial(_changed, request), again=partial(_refused_state, request, key, form))


def _changed(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    said = {
        CampaignState.OPEN: _("The campaign is open again."),
        CampaignState.PAUSED: _("The campaign is paused: nobody gets a new item from it."),
        CampaignState.CLOSED: _("The campaign is closed for good. Its votes and decisions stay."),
    }
    messages.success(request, said[CampaignState(campaign.state)])
    return redirect("campaign", campaign.key)


def _refused_state(request: HttpRequest, key: str, form: StateForm, status: int) -> HttpResponse:
    """The buttons have no place for errors, so they stand above the page, with the state as it is now."""
    for errors in form.errors.values():
        for error in errors:
            messages.error(request, str(error))
    return _detail(request, _known(key), status=status)


@require_POST
def add_to_roster(request: HttpRequest, key: str) -> HttpResponse:
    by, found = access.require(request.user, "maintain"), _known(key)
    form = RosterForm(request.POST, campaign=found)
    verb = partial(operations.add_member, campaign=found, by=by)
    again = partial(_detail, request, found, roster_form=form)
    return submitted(form, verb, then=lambda membership: redirect("campaign", key), again=lambda status: again(status=status))


@require_POST
def write_guideline(request: HttpRequest, key: str) -> HttpResponse:
    by, found, form = access.require(request.user, "maintain"), _known(key), GuidelineForm(request.POST)
    verb = partial(operations.write_guideline, campaign=found, by=by)
    again = partial(_detail, request, found, guideline_form=form)
    return submitted(form, verb, then=lambda guideline: redirect("campaign", key), again=lambda status: again(status=status))


def _known(key: str) -> Campaign:
    return get_object_or_404(Campaign, key=key)


def _detail(
    request: HttpRequest,
    campaign: Campaign,
    *,
    roster_form: RosterForm | None = None,
    guideline_form: GuidelineForm | None = None,
    status: int = 200,
) -> HttpResponse:
    may_change = access.may(request.user, "maintain")
    page = page_of(queries.roster(campaign).select_related("person__user"), request, oldest_first=True)
    guideline = campaign.guidelines.order_by("-version").first()
    forms: dict[str, Any] = {}
    if may_change:
        forms["roster_form"] = roster_form or RosterForm(campaign=campaign)
        forms["guideline_form"] = guideline_form or GuidelineForm(initial={"text": guideline.text if guideline else ""})
    context = {
        **page.context("rows"),
        **forms,
        "campaign": campaign,
        "counts": queries.items_by_state(campaign),
        "votes": queries.figures([campaign])[campaign.pk].votes,
        "roster": _members(page.rows, named if may_change else str),
        "guideline": guideline,
        "may_change": may_change,
        "may_adjudicate": access.may(request.user, "adjudicate"),
    }
    return render(request, "annotation/campaigns/detail.html", context, status=status)


def _members(memberships: list[Any], name_of: Callable[[Person], str]) -> list[dict[str, Any]]:
    today = queries.votes_today(memberships)
    return [
        {
            "name": name_of(membership.person),
            "active": membership.active,
            "voted": membership.voted,
            "today": today.get(membership.person_id, 0),
        }
        for membership in memberships
    ]


urlpatterns = [
    path("campaigns/", campaigns, name="campaigns"),
    path("campaigns/<key:key>/", campaign, name="campaign"),
    path("campaigns/<key:key>/state/", change_state, name="campaign-state"),
    path("campaigns/<key:key>/roster/", add_to_roster, name="campaign-roster"),
    path("campaigns/<key:key>/guideline/", write_guideline, name="campaign-guideline"),
]
