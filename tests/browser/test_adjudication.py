"""Rae decides in a browser: she sees whose mark is whose, and why a decision was not taken."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Decision, Person, ReviewItem, SearchRecord
from annotation.review import coverage
from tests import factories
from tests.browser.conftest import log_in
from tests.browser.desk import tiled_image
from tests.people import make_person

BOX = {"evidence_kind": "box", "evidence": {"boxes": [[100, 200, 300, 400]]}}


@pytest.fixture
def rae(window: Page, site: str) -> Person:
    person = make_person("rae")
    log_in(window.context, site, person)
    return person


@pytest.fixture
def item(site: str) -> ReviewItem:
    """A question on which Ann and Ben marked the same place, and disagree."""
    ann, ben = make_person("ann"), make_person("ben")
    question = factories.make_original("What is the color of the kettle?", image=tiled_image())
    item = factories.make_item(factories.make_campaign(ann, ben), question)
    factories.make_vote(item, ann, "answerable", answer="green", **BOX)
    factories.make_vote(item, ben, **BOX)
    ReviewItem.objects.filter(pk=item.pk).update(state="disputed", dispute_reason="evidence-against-absent")
    return item


def test_two_voters_who_marked_the_same_place_are_both_named(rae: Person, item: ReviewItem, window: Page, site: str) -> None:
    window.goto(f"{site}/adjudication/{item.key}/")
    expect(window.locator(".marks text")).to_have_text("Voter 1, Voter 2")


def test_rae_is_led_to_why_nothing_was_decided(rae: Person, item: ReviewItem, window: Page, site: str) -> None:
    window.goto(f"{site}/adjudication/{item.key}/")
    window.get_by_role("radio", name="Answerable", exact=True).check()
    window.get_by_label("Reason").fill("It is painted on the wall.")
    window.get_by_role("button", name="Decide").click()
    expect(window.get_by_text("Nothing was decided.")).to_be_in_viewport()
    window.get_by_role("link", name="Answer", exact=True).click()
    window.keyboard.type("green")
    expect(window.get_by_label("Answer", exact=True)).to_have_value("green")


def test_a_case_that_was_decided_in_another_window_offers_no_second_decision(
    rae: Person, item: ReviewItem, window: Page, site: str
) -> None:
    window.goto(f"{site}/adjudication/{item.key}/")
    window.get_by_role("radio", name="Answerable", exact=True).check()
    window.get_by_label("Reason").fill("It is painted on the wall.")
    ReviewItem.objects.filter(pk=item.pk).update(state="settled")
    window.get_by_role("button", name="Decide").click()
    expect(window.locator(".notice:focus")).to_contain_text("This item is not in dispute any more")
    expect(window.get_by_role("button", name="Decide")).to_have_count(0)
    expect(window.get_by_label("Reason")).to_have_value("It is painted on the wall.")
    assert not Decision.objects.exists()


REASON = "It is painted on the wall, and so is its label."


def test_what_rae_wrote_outlives_a_reload_and_a_server_that_was_away(
    rae: Person, item: ReviewItem, window: Page, site: str
) -> None:
    window.goto(f"{site}/adjudication/{item.key}/")
    window.get_by_role("radio", name="Answerable", exact=True).check()
    window.get_by_label("Reason").fill(REASON)
    window.reload()
    expect(window.get_by_label("Reason")).to_have_value(REASON)
    expect(window.get_by_role("radio", name="Answerable", exact=True)).to_be_checked()
    window.route("**/adjudication/**", lambda route: route.abort())
    window.get_by_role("button", name="Decide").click()
    window.wait_for_url("chrome-error://**")
    window.unroute("**/adjudication/**")
    window.goto(f"{site}/adjudication/{item.key}/")
    expect(window.get_by_label("Reason")).to_have_value(REASON)


def test_a_decision_that_was_taken_leaves_nothing_behind_in_the_tab(
    rae: Person, item: ReviewItem, window: Page, site: str
) -> None:
    window.goto(f"{site}/adjudication/{item.key}/")
    window.get_by_role("radio", name="Answerable", exact=True).check()
    window.get_by_label("Answer", exact=True).fill("green")
    window.get_by_label("It rests on").select_option("voter-1")
    window.get_by_label("Reason").fill(REASON)
    window.get_by_role("button", name="Decide").click()
    expect(window.get_by_text("Decided. No case is left.")).to_be_visible()
    assert REASON not in window.evaluate("JSON.stringify({ ...sessionStorage })")


def searched(item: ReviewItem) -> None:
    """Voter 1 looked at the left half, then at the middle."""
    image, vote = item.question.image, item.votes.order_by("pk")[0]
    width, height = image.width, image.height
    views = [(0, 0), (1500, width / 4)]
    trace = [{"t": t, "x": x, "y": 0, "w": width / 2, "h": height, "s": 1, "r": 0} for t, x in views]
    grid = coverage.grid_of(coverage.read_trace(trace), width=width, height=height, duration_ms=3000)
    values = {"trace": trace, "grid": grid.as_json(), "grid_version": coverage.GRID_VERSION}
    SearchRecord.objects.create(vote=vote, **values, needed_scale=0.5, seen_share=0.75, server_ms=3000)


def test_rae_sees_what_a_voter_left_unseen_and_the_search_again(rae: Person, item: ReviewItem, window: Page, site: str) -> None:
    searched(item)
    window.goto(f"{site}/adjudication/{item.key}/")
    voter = window.locator(".vote").first
    voter.get_by_role("button", name="Show what was seen").click()
    unseen = window.locator(".ground .unseen")
    expect(unseen.first).to_be_attached()
    width = item.question.image.width
    assert {float(at) for at in unseen.evaluate_all("rects => rects.map((r) => r.getAttribute('x'))")} == {width * 0.75}
    voter.get_by_role("button", name="Show what was seen").click()
    expect(unseen).to_have_count(0)
    voter.get_by_role("button", name="Replay the search").click()
    view = window.locator(".ground .view")
    expect(view).to_have_attribute("x", "0")
    expect(voter.get_by_role("status")).to_have_text("0 of 3 s, at 100 %")
    expect(view).to_have_attribute("x", str(round(width / 4)))
    expect(view).to_have_count(0)
    expect(voter.get_by_role("button", name="Replay the search")).to_have_attribute("aria-pressed", "false")


def test_a_voter_without_a_search_offers_none(rae: Person, item: ReviewItem, window: Page, site: str) -> None:
    window.goto(f"{site}/adjudication/{item.key}/")
    expect(window.locator(".marks text")).to_have_count(1)
    expect(window.get_by_role("button", name="Replay the search")).to_have_count(0)
