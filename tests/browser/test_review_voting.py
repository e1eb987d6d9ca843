"""Ann votes: by keys alone, on evidence, and is told what is missing."""

from playwright.sync_api import Page, expect

from annotation.models import Vote
from tests.browser.desk import Desk, campaign_of
from tests.people import make_person

KETTLE = "What is the color of the kettle?"
KITES = "How many kites fly above the pier?"


def test_ann_votes_by_keys_alone_and_the_next_question_comes_without_a_page_load(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(page, site, ann).open()
    first = desk.question.inner_text()
    page.evaluate("window.sameDocument = true")
    desk.press("b", "ArrowRight", "Shift+ArrowDown", "Enter", "1")
    page.keyboard.type("green")
    desk.press("Enter")
    expect(desk.question).not_to_have_text(first)
    assert page.evaluate("window.sameDocument")
    vote = Vote.objects.get()
    assert (vote.verdict, vote.answer, vote.evidence_kind) == ("answerable", "green", "box")


def test_the_box_ann_drew_by_keys_is_where_it_was_shown(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    desk.press("b", "Enter", "1")
    shown = desk.marks.inner_text()
    page.keyboard.type("green")
    desk.press("Enter")
    expect(desk.part("idle")).to_be_visible()
    left, top, right, bottom = Vote.objects.get().evidence["boxes"][0]
    assert f"{right - left:.0f} × {bottom - top:.0f} px" in shown
    assert abs((left + right) / 2 - 1300) < 15
    assert abs((top + bottom) / 2 - 900) < 15


def test_ann_is_told_one_thing_at_a_time_what_is_missing(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    expect(desk.missing).to_have_text("Still missing: a verdict.")
    desk.press("1")
    expect(desk.missing).to_have_text("Still missing: the answer.")
    page.keyboard.type("green")
    expect(desk.missing).to_have_text("Still missing: where you see the answer.")
    desk.press("Enter")
    assert Vote.objects.count() == 0
    desk.press("b", "Enter")
    expect(desk.missing).to_have_text("Complete. It can be submitted.")


def test_clicking_each_counted_thing_fills_in_the_number(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KITES)
    desk = Desk(page, site, ann).open()
    desk.press("p").click_at(300, 300).click_at(400, 340).click_at(500, 380).press("Escape", "1")
    expect(page.locator("#answer")).to_have_value("3")
    desk.press("Enter")
    expect(desk.part("idle")).to_be_visible()
    vote = Vote.objects.get()
    assert (vote.answer, vote.evidence_kind, len(vote.evidence["points"])) == ("3", "points", 3)


def test_a_number_ann_wrote_herself_is_not_overwritten_by_points(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KITES)
    desk = Desk(page, site, ann).open()
    desk.press("1")
    page.keyboard.type("12")
    desk.press("Escape", "p").click_at(300, 300)
    expect(desk.marks).to_have_count(1)
    expect(page.locator("#answer")).to_have_value("12")


def test_ann_chooses_among_the_options_of_a_question(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, options=["red", "green"])
    desk = Desk(page, site, ann).open()
    desk.press("1").choose("green").choose("The picture as a whole").press("Enter")
    expect(desk.part("idle")).to_be_visible()
    assert Vote.objects.get().answer == "green"


def test_a_skip_drops_nothing_that_was_entered_without_asking(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    desk.press("3", "s")
    expect(desk.notices).to_contain_text("drops what you entered")
    desk.choose("Stay")
    expect(desk.question).to_have_text(KETTLE)


def test_an_empty_queue_says_why_and_where_to_go(page: Page, site: str) -> None:
    Desk(page, site, make_person("ann"))
    page.goto(f"{site}/review/")
    expect(page.get_by_role("heading", name="No campaign is open to you")).to_be_focused()
    expect(page.get_by_role("link", name="To the start page")).to_be_visible()
