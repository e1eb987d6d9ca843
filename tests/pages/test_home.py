"""The first page tells each person truly what waits for them, with the next step."""

import html
import re

import pytest

from annotation import journal
from annotation.models import Campaign, Decision, GenerationRun, Membership, Person, Release, Role
from tests import factories
from tests.conftest import browser_of, counted_statements
from tests.domain.test_adjudication import disputed_item


def home(person: Person) -> str:
    return html.unescape(browser_of(person).get("/").content.decode())


def test_ann_reads_which_campaign_is_open_and_how_often_she_voted(ann: Person) -> None:
    campaign = factories.make_campaign(ann, name="Kettles")
    factories.make_item(campaign)
    assert "The campaign “Kettles” is open. You have voted on 0 items of it." in home(ann)
    Membership.objects.update(voted=1)
    assert "You have voted on one item of it." in home(ann)
    assert 'href="/review/"' in home(ann)


def test_ann_is_not_sent_to_a_campaign_that_takes_no_votes(ann: Person) -> None:
    campaign = factories.make_campaign(ann, name="Kettles")
    factories.make_item(campaign, state="settled")
    assert "The campaign “Kettles” is open, but no item takes votes just now." in home(ann)


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_ann_is_told_when_no_campaign_is_open_for_her(ann: Person, ben: Person, state: str) -> None:
    factories.make_campaign(ann, state=state)
    factories.make_campaign(ben)
    assert "You are on no open campaign." in home(ann)


def test_rae_reads_how_many_cases_wait(ann: Person, ben: Person, rae: Person) -> None:
    assert "All that your roles ask for is done for now." in home(rae)
    disputed_item(ann, ben)
    assert "One case waits for your decision." in home(rae)
    disputed_item(ann, ben)
    disputed_item(ann, rae)
    page = home(rae)
    assert "2 cases wait for your decision." in page
    assert 'href="/adjudication/"' in page


def test_a_long_queue_is_not_counted_to_its_end(ann: Person, rae: Person) -> None:
    campaign = factories.make_campaign(ann)
    for _ in range(101):
        factories.make_item(campaign, state="disputed", dispute_reason="not-sure")
    assert "More than 99 cases wait for your decision." in home(rae)


def test_max_reads_what_is_missing_before_anybody_can_vote(max_: Person) -> None:
    page = home(max_)
    assert "No source is here yet" in page
    assert "No campaign is open, so nobody can vote." in page


def test_max_reads_which_candidates_and_runs_wait(ann: Person, max_: Person) -> None:
    campaign = factories.make_campaign(ann)
    first, second = (factories.make_edit(factories.make_original()) for _ in range(2))
    factories.make_item(campaign, first)
    GenerationRun.objects.create(engine="offline", engine_version="1", seed=1, question_limit=1, by=max_)
    page = home(max_)
    assert "One of the newest candidates is in no campaign yet." in page
    assert "One generation run is at work." in page
    assert "No campaign is open" not in page
    assert "No source" not in page
    factories.make_item(campaign, second)
    assert "newest candidates" not in home(max_)


def test_max_reads_how_many_campaigns_are_open_and_whether_an_adjudicator_is_waited_for(
    ann: Person, ben: Person, max_: Person
) -> None:
    factories.make_campaign(ann)
    factories.make_campaign(ann, state="paused")
    assert "One campaign is open." in home(max_)
    disputed_item(ann, ben)
    page = home(max_)
    assert "2 campaigns are open. One item waits for an adjudicator." in page
    assert 'href="/campaigns/"' in page


def test_max_reads_what_the_newest_release_waits_for(max_: Person) -> None:
    assert "There is no release yet." in home(max_)
    release = Release.objects.create(version="7.8.9", plan={}, by=max_)
    assert "Release 7.8.9 is a draft." in home(max_)
    for state, words in (("building", "is being built"), ("built", "waits to be published")):
        Release.objects.filter(pk=release.pk).update(state=state, manifest_sha256="ab" * 32)
        assert words in home(max_)
    Release.objects.filter(pk=release.pk).update(state="published", published_at="2026-11-05T00:00:00Z")
    assert "7.8.9" not in home(max_)


def test_ada_reads_what_was_decided_and_what_is_not_sealed(ann: Person, ada: Person) -> None:
    original = factories.make_original()
    Decision.objects.create(
        question=original, verdict="ambiguous", method="consensus", rule_version="settle-1", created_at="2026-11-05T00:00:00Z"
    )
    journal.record(event="campaign.opened", actor=None, subject=factories.make_campaign(ann))
    page = home(ada)
    assert "The newest decision is of Nov. 5, 2026." in page
    assert "One entry was written since the journal was last sealed." in page
    journal.seal()
    assert "since the journal was last sealed" not in home(ada)


def test_an_administrator_reads_what_maintainers_and_auditors_read(ada: Person) -> None:
    assert ada.user is not None
    ada.user.roles = [Role.ADMINISTRATOR]
    ada.user.save()
    journal.record(event="campaign.opened", actor=None, subject=ada)
    page = home(ada)
    assert "No campaign is open" in page
    assert "since the journal was last sealed" in page


def test_otto_reads_that_nothing_waits_and_why(otto: Person) -> None:
    page = home(otto)
    assert "Nothing waits for you" in page
    assert "You have no role yet." in page


def test_each_person_is_shown_the_pages_they_may_open_and_no_others(
    ann: Person, rae: Person, max_: Person, ada: Person, otto: Person
) -> None:
    staff = {"sources", "images", "candidates", "generation", "campaigns", "quality", "releases", "evaluation", "journal"}
    expected = {ann: {"review"}, rae: {"review", "adjudication"}, max_: staff, ada: staff, otto: set()}
    everything = {"review", "adjudication"} | staff
    for person, pages in expected.items():
        client = browser_of(person)
        page = client.get("/").content.decode()
        assert {name for name in everything if f'<li><a href="/{name}/"' in page} == pages, person
        assert {name for name in everything if client.get(f"/{name}/").status_code == 200} == pages, person


@pytest.mark.parametrize("roles", [[role] for role in Role.values])
def test_the_first_page_asks_as_much_for_much_work_as_for_little(ann: Person, ben: Person, ada: Person, roles: list[str]) -> None:
    assert ada.user is not None
    ada.user.roles = roles
    ada.user.save()
    work(ann, ben, ada)
    client = browser_of(ada)
    with counted_statements() as little:
        client.get("/")
    for _ in range(9):
        work(ann, ben, ada)
    with counted_statements() as much:
        client.get("/")
    assert len(little) == len(much) <= 12, much
    assert Campaign.objects.count() == 20


def work(ann: Person, ben: Person, member: Person) -> None:
    disputed_item(ann, ben)
    factories.make_item(factories.make_campaign(member))
    journal.record(event="campaign.opened", actor=None, subject=ann)
    Decision.objects.create(question=factories.make_original(), verdict="ambiguous", method="consensus", rule_version="settle-1")


@pytest.mark.parametrize(
    ("address", "mark"), [("/images/", "page"), ("/acquisitions/", "true"), ("/clusters/", "true"), ("/sources/", None)]
)
def test_the_menu_shows_where_max_is_on_the_page_itself_and_below_it(max_: Person, address: str, mark: str | None) -> None:
    page = browser_of(max_).get(address).content.decode()
    found = re.findall(r'<a href="/images/"(?: aria-current="(\w+)")?>', page)
    assert found[0] == (mark or "")
    assert page.count("aria-current=") == 1
