"""Max opens, pauses and closes campaigns; Ada reads them; nobody else gets there."""

import re
from typing import Any

import pytest
from django.test import Client

from annotation.models import Campaign, Membership, Person, Question, ReviewItem, Vote
from tests import factories
from tests.conftest import browser_of, counted_statements


def pair() -> tuple[Question, Question]:
    original = factories.make_original()
    return original, factories.make_edit(original)


def entered(*people: Person, **values: Any) -> dict[str, Any]:
    return {
        "name": "Kettles",
        "questions": "pairs",
        "at_most": 100,
        "people": [person.key for person in people],
        "votes_needed": 2,
        "votes_at_most": 4,
        "guideline": "Look before you answer.",
        **values,
    }


def start(client: Client, *people: Person, **values: Any) -> Any:
    return client.post("/campaigns/", entered(*people, **values))


def test_max_opens_a_campaign_with_candidates_and_their_originals(ann: Person, ben: Person, max_: Person) -> None:
    original, edit = pair()
    factories.make_original()
    answer = start(browser_of(max_), ann, ben)
    campaign = Campaign.objects.get()
    assert answer["Location"] == f"/campaigns/{campaign.key}/"
    assert set(campaign.items.values_list("question", flat=True)) == {original.pk, edit.pk}
    assert (campaign.votes_needed, campaign.votes_at_most, campaign.by) == (2, 4, max_)
    assert set(campaign.memberships.values_list("person", flat=True)) == {ann.pk, ben.pk}
    assert campaign.guidelines.get().text == "Look before you answer."


def test_max_opens_a_campaign_with_all_that_can_be_reviewed_up_to_a_limit(ann: Person, max_: Person) -> None:
    pair()
    factories.make_original(state="withdrawn")
    factories.make_original()
    client = browser_of(max_)
    start(client, ann, questions="all", name="All")
    assert Campaign.objects.get(name="All").items.count() == 3
    start(client, ann, questions="all", name="Two", at_most=2, again="on")
    assert Campaign.objects.get(name="Two").items.count() == 2


def test_questions_that_a_campaign_had_are_left_out_unless_max_asks_for_them(ann: Person, max_: Person) -> None:
    pair()
    client = browser_of(max_)
    start(client, ann)
    refused = start(client, ann, name="Again")
    assert refused.status_code == 400
    assert "needs at least one question" in refused.content.decode()
    assert start(client, ann, name="Again", again="on").status_code == 302


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"people": []}, "This field is required."),
        ({"people": ["nobody"]}, "nobody is not one of the available choices"),
        ({"people": ["nul\x00"]}, "is not one of the available choices"),
        ({"at_most": 0}, "greater than or equal to 1"),
        ({"at_most": 10_000_000}, "less than or equal to 20000"),
        ({"votes_needed": 5, "votes_at_most": 3}, "cannot be less than the votes per question"),
        ({"guideline": "  "}, "This field is required."),
    ],
)
def test_a_refused_campaign_comes_back_with_its_reason_and_what_was_entered(
    ann: Person, max_: Person, values: dict[str, Any], words: str
) -> None:
    pair()
    answer = start(browser_of(max_), ann, **{"name": "Kettles and pots", **values})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert words in page
    assert "Kettles and pots" in page or values.get("name") == ""
    assert not Campaign.objects.exists()


def test_a_name_that_is_taken_is_refused_at_its_field(ann: Person, max_: Person) -> None:
    pair()
    factories.make_campaign(name="Kettles")
    answer = start(browser_of(max_), ann)
    assert answer.status_code == 400
    assert "There is a campaign of this name already" in answer.content.decode()


def test_only_people_who_may_vote_can_be_chosen(ann: Person, rae: Person, max_: Person, otto: Person) -> None:
    page = browser_of(max_).get("/campaigns/").content.decode()
    assert ann.key in page
    assert rae.key in page
    assert max_.key not in page
    assert otto.key not in page


def test_max_finds_people_by_log_in_and_nobody_else_learns_who_acts_as_whom(ann: Person, max_: Person, ada: Person) -> None:
    Person.objects.filter(pk=ann.pk).update(pseudonym="person-7f")
    campaign = factories.make_campaign(ann)
    for path in ("/campaigns/", f"/campaigns/{campaign.key}/"):
        assert "ann (person-7f)" in browser_of(max_).get(path).content.decode()
        assert "ann (" not in browser_of(ada).get(path).content.decode()
    assert '<th scope="row">person-7f</th>' in browser_of(ada).get(f"/campaigns/{campaign.key}/").content.decode()


def test_who_lost_the_log_in_is_known_by_pseudonym_alone(ann: Person, max_: Person) -> None:
    campaign = factories.make_campaign(Person.objects.create(pseudonym="person-8e"))
    assert '<th scope="row">person-8e</th>' in browser_of(max_).get(f"/campaigns/{campaign.key}/").content.decode()


def test_the_campaign_page_tells_how_far_it_is(ann: Person, ben: Person, ada: Person) -> None:
    campaign = factories.make_campaign(ann, ben)
    factories.make_vote(factories.make_item(campaign), ann)
    factories.make_item(campaign, state="settled")
    factories.make_item(campaign, state="disputed")
    Membership.objects.filter(person=ann).update(voted=7)
    page = browser_of(ada).get(f"/campaigns/{campaign.key}/").content.decode()
    for figure in (
        "<dt>Open</dt><dd>1</dd>",
        "<dt>Settled</dt><dd>1</dd>",
        "<dt>Disputed</dt><dd>1</dd>",
        "<dt>Votes</dt><dd>7</dd>",
    ):
        assert figure in page, figure
    members = [row.split() for row in cells(page)]
    assert members == [["ann", "yes", "7", "1"], ["ben", "yes", "0", "0"]]


def cells(page: str) -> list[str]:
    """The words in the rows of the last table."""
    table = page.split("<tbody>")[-1].split("</tbody>")[0]
    return [re.sub(r"<[^>]*>", " ", row).strip() for row in table.split("</tr>")[:-1]]


def test_yesterdays_votes_are_not_todays(ann: Person, ada: Person) -> None:
    campaign = factories.make_campaign(ann)
    factories.make_vote(factories.make_item(campaign), ann, created_at="2026-01-01T00:00:00Z")
    assert Vote.objects.count() == 1
    page = browser_of(ada).get(f"/campaigns/{campaign.key}/").content.decode()
    assert [row.split() for row in cells(page)] == [["ann", "yes", "0", "0"]]


def test_max_pauses_opens_and_closes_a_campaign(ann: Person, max_: Person) -> None:
    campaign = factories.make_campaign(ann)
    client = browser_of(max_)
    for state in ("paused", "open", "closed"):
        assert client.post(f"/campaigns/{campaign.key}/state/", {"state": state}).status_code == 302
        campaign.refresh_from_db()
        assert campaign.state == state


def test_a_move_that_came_too_late_is_told_on_the_page(ann: Person, max_: Person) -> None:
    campaign = factories.make_campaign(ann, state="closed")
    answer = browser_of(max_).post(f"/campaigns/{campaign.key}/state/", {"state": "open"})
    assert answer.status_code == 409
    assert "The campaign is closed and cannot become open." in answer.content.decode()
    assert browser_of(max_).post(f"/campaigns/{campaign.key}/state/", {"state": "gone"}).status_code == 400


def test_max_puts_ben_on_the_roster(ann: Person, ben: Person, max_: Person, otto: Person) -> None:
    campaign = factories.make_campaign(ann)
    client = browser_of(max_)
    assert client.post(f"/campaigns/{campaign.key}/roster/", {"person": ben.key}).status_code == 302
    assert campaign.memberships.filter(person=ben).exists()
    for key in (otto.key, ben.key, "", "nul\x00"):
        assert client.post(f"/campaigns/{campaign.key}/roster/", {"person": key}).status_code == 400
    assert campaign.memberships.count() == 2


def test_max_writes_the_next_version_of_the_guideline(ann: Person, max_: Person, ada: Person) -> None:
    campaign = factories.make_campaign(ann)
    client = browser_of(max_)
    assert client.post(f"/campaigns/{campaign.key}/guideline/", {"text": "Look twice."}).status_code == 302
    assert client.post(f"/campaigns/{campaign.key}/guideline/", {"text": ""}).status_code == 400
    assert campaign.guidelines.latest("version").version == 2
    for person in (max_, ada, ann):
        assert "Look twice." in browser_of(person).get(f"/review/guideline/{campaign.key}/").content.decode(), person


def test_ada_reads_campaigns_and_changes_nothing(ann: Person, ada: Person) -> None:
    campaign = factories.make_campaign(ann)
    client = browser_of(ada)
    assert '<form class="form card"' not in client.get("/campaigns/").content.decode()
    assert "Close for good" not in client.get(f"/campaigns/{campaign.key}/").content.decode()
    assert start(client, ann).status_code == 403
    for path, body in (("state", {"state": "closed"}), ("roster", {"person": ann.key}), ("guideline", {"text": "No."})):
        assert client.post(f"/campaigns/{campaign.key}/{path}/", body).status_code == 403, path
    campaign.refresh_from_db()
    assert campaign.state == "open"


def test_who_reviews_or_is_outside_does_not_see_campaigns(ann: Person, rae: Person, otto: Person) -> None:
    campaign = factories.make_campaign(ann)
    for person in (ann, rae, otto):
        for path in ("/campaigns/", f"/campaigns/{campaign.key}/"):
            assert browser_of(person).get(path).status_code == 403, (person, path)


def test_a_campaign_that_is_not_there_is_not_found(max_: Person) -> None:
    client = browser_of(max_)
    for key in ("none", "%00", "x" * 400):
        assert client.get(f"/campaigns/{key}/").status_code == 404, key
    assert client.post("/campaigns/none/state/", {"state": "paused"}).status_code == 404


def test_the_list_says_what_is_still_to_do(ann: Person, ben: Person, ada: Person) -> None:
    client = browser_of(ada)
    assert "No campaign yet" in client.get("/campaigns/").content.decode()
    campaign = factories.make_campaign(ann, ben, name="Kettles")
    assert cells(client.get("/campaigns/").content.decode())[0].split()[:6] == ["Kettles", "open", "no", "no", "2", "0"]
    factories.make_item(campaign)
    factories.make_item(campaign, state="disputed")
    Membership.objects.update(voted=3)
    assert cells(client.get("/campaigns/").content.decode())[0].split()[:6] == ["Kettles", "open", "yes", "yes", "2", "6"]
    Campaign.objects.update(state="paused")
    assert cells(client.get("/campaigns/").content.decode())[0].split()[:3] == ["Kettles", "paused", "no"]


def test_the_list_asks_as_much_for_thirty_campaigns_as_for_one(ann: Person, ben: Person, ada: Person) -> None:
    client = browser_of(ada)
    factories.make_item(factories.make_campaign(ann))
    with counted_statements() as one:
        client.get("/campaigns/")
    for _ in range(29):
        factories.make_item(factories.make_campaign(ann, ben))
    with counted_statements() as thirty:
        page = client.get("/campaigns/").content.decode()
    assert page.count("row-link") == 30
    assert len(one) == len(thirty) == 4, thirty


def test_a_campaign_asks_as_much_for_thirty_people_as_for_one(ann: Person, max_: Person) -> None:
    campaign = factories.make_campaign(ann)
    factories.make_vote(factories.make_item(campaign), ann)
    client = browser_of(max_)
    with counted_statements() as one:
        client.get(f"/campaigns/{campaign.key}/")
    for number in range(60):
        person = Person.objects.create(pseudonym=f"voter {number}")
        Membership.objects.create(campaign=campaign, person=person)
    with counted_statements() as many:
        page = client.get(f"/campaigns/{campaign.key}/").content.decode()
    assert page.count('<th scope="row">voter') == 49
    assert 'rel="next"' in page
    assert len(one) == len(many) == 9, many


def test_opening_a_campaign_asks_as_much_for_thirty_pairs_as_for_one(ann: Person, max_: Person) -> None:
    client = browser_of(max_)
    pair()
    with counted_statements() as one:
        start(client, ann)
    for _ in range(30):
        pair()
    with counted_statements() as thirty:
        start(client, ann, name="More")
    assert ReviewItem.objects.count() == 62
    assert len(one) == len(thirty), thirty
