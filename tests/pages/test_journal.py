"""Ada reads who did what to what; whoever also reviews does not read what others decided."""

import pytest
from django.test import Client

from annotation import journal
from annotation.models import Campaign, JournalEntry, Person, Role
from tests import factories
from tests.canary import seen_by_those_who_may
from tests.conftest import browser_of, counted_statements


@pytest.fixture
def campaign(ann: Person, max_: Person) -> Campaign:
    campaign = factories.make_campaign(ann)
    journal.record(event="campaign.opened", actor=max_, subject=campaign, after={"items": 3})
    journal.record(event="vote.cast", actor=ann, subject=campaign, before={"verdict": "none"}, after={"verdict": "ambiguous"})
    journal.record(event="item.settled", actor=None, subject=campaign)
    return campaign


def read(client: Client, **filters: str) -> str:
    return client.get("/journal/", filters).content.decode()


def test_ada_reads_events_by_pseudonym_newest_first(campaign: Campaign, ada: Person) -> None:
    page = read(browser_of(ada))
    assert page.index("<code>item.settled") < page.index("<code>vote.cast") < page.index("<code>campaign.opened")
    assert "the system" in page
    assert f"campaign {campaign.pk}" in page
    assert "{&quot;verdict&quot;: &quot;ambiguous&quot;}" in page


def test_ada_narrows_it_to_an_event_or_a_subject(campaign: Campaign, ada: Person) -> None:
    client = browser_of(ada)
    page = read(client, event="vote.cast")
    assert "<code>vote.cast" in page
    assert "<code>item.settled" not in page
    other = factories.make_campaign()
    journal.record(event="campaign.paused", actor=None, subject=other)
    page = read(client, subject=f"campaign {other.pk}")
    assert "<code>campaign.paused" in page
    assert "<code>vote.cast" not in page


def test_a_filter_that_makes_no_sense_says_so_at_its_field(campaign: Campaign, ada: Person) -> None:
    client = browser_of(ada)
    page = read(client, subject="the kettle")
    assert "Write a subject as the list does" in page
    assert "No entry fits these filters" in page
    assert "No entry fits these filters" in read(client, event="no.such.event")
    assert client.get("/journal/", {"subject": "the kettle"}).status_code == 400


def test_ada_reads_in_her_menu_under_which_name_the_journal_knows_her(ada: Person) -> None:
    Person.objects.filter(pk=ada.pk).update(pseudonym="person-6c17f0")
    assert "You act as person-6c17f0" in read(browser_of(ada))


def test_an_empty_journal_says_so(ada: Person) -> None:
    assert "Nothing has happened yet" in read(browser_of(ada))


def test_the_newest_seal_is_shown(campaign: Campaign, ada: Person) -> None:
    checkpoint = journal.seal()
    assert checkpoint is not None
    page = read(browser_of(ada))
    assert f"entry {checkpoint.last_entry}" in page
    assert checkpoint.root[:24] in page


def test_ada_reads_a_hidden_value_that_reviewers_never_get(campaign: Campaign, ada: Person) -> None:
    hidden = factories.canary("reason-of-edit")
    journal.record(event="question.edited", actor=None, subject=campaign, after={"reason": hidden})
    seen_by_those_who_may.clear()
    assert hidden in read(browser_of(ada))
    assert seen_by_those_who_may


def test_whoever_also_reviews_reads_the_journal_without_values(campaign: Campaign, ada: Person) -> None:
    hidden = factories.canary("reason-of-edit")
    journal.record(event="question.edited", actor=None, subject=campaign, after={"reason": hidden})
    assert ada.user is not None
    ada.user.roles = [Role.AUDITOR, Role.ANNOTATOR]
    ada.user.save()
    page = read(browser_of(ada))
    assert "<code>question.edited" in page
    assert hidden not in page
    assert "ambiguous" not in page


def test_annotators_adjudicators_and_outsiders_do_not_read_it(
    campaign: Campaign, ann: Person, rae: Person, max_: Person, otto: Person
) -> None:
    for person in (ann, rae, otto):
        assert browser_of(person).get("/journal/").status_code == 403, person
    assert browser_of(max_).get("/journal/").status_code == 200


def test_the_journal_asks_as_much_for_thirty_entries_as_for_one(ann: Person, ada: Person) -> None:
    campaign = factories.make_campaign(ann)
    client = browser_of(ada)
    journal.record(event="vote.cast", actor=ann, subject=campaign)
    with counted_statements() as one:
        read(client)
    for _ in range(59):
        journal.record(event="vote.cast", actor=ann, subject=campaign, after={"verdict": "ambiguous"})
    with counted_statements() as many:
        page = read(client)
    assert page.count("<code>vote.cast") == 50
    assert 'rel="next"' in page
    assert len(one) == len(many) == 5, many
    assert JournalEntry.objects.count() == 60
