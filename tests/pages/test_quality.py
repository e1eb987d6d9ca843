"""Ada and Max read how far voters agree and how they met controls; whoever reviews never does."""

import re

import pytest
from django.test import Client

from annotation.models import Campaign, Person, Role
from tests import factories
from tests.conftest import browser_of, counted_statements
from tests.decided import decide

PATH = "/quality/"


@pytest.fixture
def campaign(ann: Person, ben: Person) -> Campaign:
    """Three items on which Ann and Ben agree twice."""
    campaign = factories.make_campaign(ann, ben, name="First look")
    for verdicts in (("unanswerable", "unanswerable"), ("answerable", "answerable"), ("answerable", "unanswerable")):
        item = factories.make_item(campaign)
        for person, verdict in zip((ann, ben), verdicts, strict=True):
            factories.make_vote(item, person, verdict)
    return campaign


def words(person: Person, **query: str) -> str:
    html = browser_of(person).get(PATH, query).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def row(text: str, name: str, many: int) -> list[str]:
    """The words that follow a name in the text of a table."""
    return text.partition(f" {name} ")[2].split(" ")[:many]


def test_ada_reads_each_figure_with_its_interval(campaign: Campaign, ada: Person) -> None:
    text = words(ada)
    assert row(text, "Raw agreement", 2) == ["3", "0.667"]
    for name in ("Gwet AC1", "Fleiss kappa", "Krippendorff alpha"):
        assert re.match(r"3 -?\d\.\d{3} -?\d\.\d{3} to -?\d\.\d{3}", text.partition(f" {name} ")[2]), name


def test_a_figure_that_does_not_exist_says_why(campaign: Campaign, ada: Person) -> None:
    assert "Agreement on ambiguous 3 undefined: nobody gave this label" in words(ada)
    assert "undefined: undefined" not in words(ada)


def test_each_person_is_counted(campaign: Campaign, ada: Person) -> None:
    assert row(words(ada), "ann", 5) == ["3", "2", "1", "0", "0.667"]
    assert row(words(ada), "ben", 5) == ["3", "1", "2", "0", "0.667"]


def test_a_record_on_controls_is_shown_beside_its_person(campaign: Campaign, ann: Person, ada: Person) -> None:
    factories.make_control(campaign.items.order_by("pk")[1].question, truth="answerable")
    assert re.search(r" ann 3 2 1 0 0\.667 1\.000 0\.207 to 1\.000 undefined: they met no control", words(ada))


def test_labels_are_counted_by_what_they_rest_on(campaign: Campaign, ada: Person) -> None:
    item = campaign.items.order_by("pk")[0]
    decide(item.question, "unanswerable", item=item)
    assert "Decided by consensus 1 Decided by adjudication 0" in words(ada)


def test_without_a_campaign_there_is_nothing_to_measure(ada: Person) -> None:
    assert "Nothing to measure yet" in words(ada)


def test_a_campaign_without_votes_says_so(ann: Person, ada: Person) -> None:
    factories.make_campaign(ann)
    text = words(ada)
    assert "Raw agreement 0 undefined: no item was labelled by two people" in text
    assert "Nobody has voted yet" in text


def test_the_newest_campaign_with_votes_comes_first_and_another_can_be_chosen(
    campaign: Campaign, ann: Person, ada: Person
) -> None:
    second = factories.make_campaign(ann, name="Second look")
    assert "Nobody has voted yet" in words(ada)
    campaign.memberships.filter(person=ann).update(voted=3)
    assert "0.667" in words(ada)
    assert "Nobody has voted yet" in words(ada, campaign=second.key)
    for key in ("none-such", "x\x00", "x" * 99):
        assert browser_of(ada).get(PATH, {"campaign": key}).status_code == 404, key


def test_whoever_reviews_or_is_outside_sees_no_quality(
    campaign: Campaign, ann: Person, rae: Person, otto: Person, max_: Person
) -> None:
    assert browser_of(max_).get(PATH).status_code == 200
    for person in (ann, rae, otto):
        assert browser_of(person).get(PATH).status_code == 403, person
    assert Client().get(PATH).status_code == 302
    assert max_.user is not None
    max_.user.roles = [Role.MAINTAINER, Role.ADJUDICATOR]
    max_.user.save()
    assert browser_of(max_).get(PATH).status_code == 403


def test_reading_costs_the_same_for_three_items_and_for_thirty(campaign: Campaign, ann: Person, ben: Person, ada: Person) -> None:
    client = browser_of(ada)

    def statements() -> int:
        with counted_statements() as asked:
            assert client.get(PATH).status_code == 200
        return len(asked)

    factories.make_control(campaign.items.order_by("pk")[0].question)
    few = statements()
    for _ in range(27):
        item = factories.make_item(campaign)
        factories.make_control(item.question)
        for person in (ann, ben):
            factories.make_vote(item, person)
    assert statements() == few <= 11
