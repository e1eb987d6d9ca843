"""A question that is not Ann's any more: she is told while she works, not after she has finished."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.models import Assignment, ReviewItem, Vote
from tests.browser.desk import Desk, campaign_of
from tests.people import make_person

KETTLE, KITES = "What is the color of the kettle?", "How many kites fly above the pier?"
ELSEWHERE = "You have voted on this question already, in another window."


@pytest.fixture
def impatient(window: Page) -> Iterator[Page]:
    """A window that renews its lease each second."""

    def renew_soon(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        if body["assignment"]:
            body["assignment"]["renew_seconds"] = 1
        route.fulfill(response=answer, json=body)

    window.route("**/api/v1/review/next", renew_soon)
    yield window
    window.unroute_all(behavior="wait")


def test_ann_who_voted_in_another_window_is_told_before_she_does_it_again(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(window, site, ann).open()
    first = desk.question.inner_text()
    other = Desk(window.context.new_page(), site, ann).open()
    other.call_it_vague().press("Enter")
    expect(other.question).not_to_have_text(first)
    desk.press("1")
    window.keyboard.type("green")
    expect(desk.notices).to_contain_text(ELSEWHERE)
    window.get_by_role("button", name="Next question").click()
    expect(desk.question).not_to_have_text(first)
    expect(desk.notices).to_be_empty()
    assert Vote.objects.count() == 1


def test_a_lease_that_ran_out_is_said_until_the_vote_is_cast(impatient: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(impatient, site, ann).open()
    Assignment.objects.update(state="expired")
    ReviewItem.objects.update(leased=0)
    expect(desk.notices).to_contain_text("Your time with this question has run out.")
    impatient.route("**/api/v1/review/renew", lambda route: route.abort())
    with impatient.expect_response("**/api/v1/review/draft") as saved:
        desk.call_it_vague()
    assert saved.value.status == 204
    impatient.evaluate("new Promise(requestAnimationFrame)")  # until the page has taken the answer in
    expect(desk.notices).to_contain_text("Your time with this question has run out.")
    desk.press("Enter")
    expect(desk.part("idle")).to_be_visible()
    expect(desk.notices).to_be_empty()
    assert Vote.objects.get().verdict == "ambiguous"
