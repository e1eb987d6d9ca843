"""What the review tells Ann about her own work, and why there is nothing for her."""

import pytest
from django.test import Client

from annotation.models import Campaign, Membership, Person
from tests import factories
from tests.api.test_voting import absent, next_token, post, vote
from tests.conftest import browser_of, counted_statements

pytestmark = pytest.mark.django_db


def test_ann_who_skipped_all_that_is_left_is_told_the_truth_about_it(ann: Person) -> None:
    factories.make_item(factories.make_campaign(ann))
    client = browser_of(ann)
    post(client, "skip", {"assignment": next_token(client)})
    answer = post(client, "next", {}).json()
    assert (answer["assignment"], answer["reason"]) == (None, "skipped-only")
    assert "skipped" in answer["detail"]


def test_next_needs_four_queries_with_skipped_items_too(ann: Person) -> None:
    campaign = factories.make_campaign(ann)
    for _item in range(2):
        factories.make_item(campaign)
    client = browser_of(ann)
    post(client, "skip", {"assignment": next_token(client)})
    with counted_statements() as asked:
        next_token(client)
    assert len(asked) <= 4, asked


def test_ann_is_told_what_she_voted_in_the_campaign_and_today(ann: Person) -> None:
    older, campaign = factories.make_campaign(ann), factories.make_campaign(ann)
    factories.make_vote(factories.make_item(older, needed=1, state="settled"), ann)
    for _item in range(2):
        factories.make_item(campaign)
    client: Client = browser_of(ann)
    assert vote(client, absent(next_token(client))).json()["progress"] == {"voted": 1}
    assert post(client, "next", {}).json()["progress"] == {"voted": 1, "today": 2}


def test_a_pause_is_called_a_pause_and_today_s_votes_stay_counted(ann: Person) -> None:
    campaign = factories.make_campaign(ann)
    factories.make_item(campaign)
    client = browser_of(ann)
    vote(client, absent(next_token(client)))
    Campaign.objects.update(state="paused")
    answer = post(client, "next", {}).json()
    assert (answer["reason"], answer["progress"]) == ("paused", {"voted": 0, "today": 1})
    Membership.objects.update(active=False)
    assert post(client, "next", {}).json()["reason"] == "no-campaign"
    Membership.objects.update(active=True)
    Campaign.objects.update(state="closed")
    assert post(client, "next", {}).json()["reason"] == "no-campaign"
