"""The review workspace: one page, no page loads between items. Everything moves over the review API."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation import access
from annotation.models import Campaign
from annotation.pages.addresses import path


@require_safe
def workspace(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "review")
    return render(request, "annotation/review/workspace.html", {"title": "Review"})


@require_safe
def guideline(request: HttpRequest, key: str) -> HttpResponse:
    """The newest guideline of a campaign, to its roster and to those who may know everything."""
    person = access.person_of(request.user)
    campaigns: Any = Campaign.objects.all() if access.may(request.user, "see-candidates") else access.campaigns_open_to(person)
    campaign = get_object_or_404(campaigns, key=key)
    shown = {"campaign": campaign, "guideline": campaign.guidelines.latest("version")}
    return render(request, "annotation/review/guideline.html", shown)


urlpatterns = [
    path("review/", workspace, name="review"),
    path("review/guideline/<key:key>/", guideline, name="guideline"),
]
