"""Ann skips: another question comes, and when only skipped ones are left she is told so."""

from playwright.sync_api import Page, expect

from tests import factories
from tests.browser.desk import Desk, campaign_of
from tests.people import make_person

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
