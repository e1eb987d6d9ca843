"""Ann skips: another question comes, nothing is skipped by a slip, and what could not be skipped is said."""

from playwright.sync_api import Page, Route, expect

from annotation.models import Assignment
from tests import factories
from tests.browser.desk import Desk, campaign_of
from tests.people import make_person

SKIP = "**/api/v1/review/skip"
KETTLE, KITES = "What is the color of the kettle?", "How many kites fly above the pier?"


def test_ann_skips_and_gets_another_question_until_only_skipped_ones_are_left(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(page, site, ann).open()
    first = desk.question.inner_text()
    desk.press("s")
    expect(desk.question).to_have_text(KITES if first == KETTLE else KETTLE)
    desk.ready().press("s")
    expect(page.get_by_role("heading", name="Only what you skipped is left")).to_be_focused()
    expect(desk.part("idle-detail")).to_contain_text("It comes back after a while")


def test_ann_sees_how_much_she_voted_in_this_campaign_and_today(page: Page, site: str) -> None:
    ann = make_person("ann")
    factories.make_vote(factories.make_item(factories.make_campaign(ann), needed=1, state="settled"), ann)
    campaign = campaign_of(ann, KETTLE, KITES)
    campaign.memberships.update(voted=41)
    desk = Desk(page, site, ann).open()
    expect(desk.part("progress")).to_have_text("41 voted by you in this campaign, 1 voted today")
    first = desk.question.inner_text()
    desk.call_it_vague().press("Enter")
    expect(desk.question).not_to_have_text(first)
    expect(desk.part("progress")).to_have_text("42 voted by you in this campaign, 2 voted today")


def test_without_a_question_no_campaign_is_named_this_one(page: Page, site: str) -> None:
    desk = Desk(page, site, make_person("ann"))
    page.goto(f"{site}/review/")
    expect(desk.part("idle")).to_be_visible()
    expect(desk.part("progress")).to_have_text("0 voted today")


def test_a_key_pressed_twice_skips_once(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(window, site, ann).open()
    first = desk.question.inner_text()
    held: list[Route] = []
    window.route(SKIP, lambda route: held.append(route))
    with window.expect_request(SKIP):
        desk.press("s", "s")
    expect(desk.missing).to_have_text("Skipping.")
    held[0].continue_()
    expect(desk.question).not_to_have_text(first)
    desk.ready()
    assert len(held) == 1
    expect(desk.notices).to_be_empty()


def test_a_skip_without_a_network_keeps_the_question_and_can_be_repeated(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(window, site, ann).open()
    first = desk.question.inner_text()
    desk.press("3", "s")
    window.context.set_offline(True)
    desk.choose("Skip it")
    expect(desk.notices).to_contain_text("Not skipped: the server cannot be reached.")
    expect(window.get_by_label("Ambiguous: it cannot be judged")).to_be_checked()
    window.context.set_offline(False)
    window.get_by_role("button", name="Try again").click()
    expect(desk.question).not_to_have_text(first)
    expect(desk.notices).to_be_empty()
    assert Assignment.objects.filter(state="skipped").count() == 1


def test_a_skip_whose_answer_got_lost_goes_on_when_repeated(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(window, site, ann).open()
    first = desk.question.inner_text()

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    window.route(SKIP, lose_the_answer, times=1)
    desk.press("s")
    window.get_by_role("button", name="Try again").click()
    expect(desk.question).not_to_have_text(first)
    expect(desk.notices).to_be_empty()


def test_a_slip_of_the_key_skips_nothing_that_was_entered(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    for leave in ("Enter", "Escape"):
        desk.press("3", "s")
        expect(page.get_by_role("button", name="Stay")).to_be_focused()
        desk.press(leave)
        expect(desk.notices).to_be_empty()
        expect(desk.question).to_be_focused()
    assert Assignment.objects.get().state == "leased"
