"""Keys are there for everything, silent while somebody types, and never two actions on one."""

from playwright.sync_api import Page, expect

from tests.browser.desk import Desk, campaign_of
from tests.people import make_person

KETTLE, KITES = "What is the color of the kettle?", "How many kites fly above the pier?"
COMPOSING = """() => document.dispatchEvent(
  new KeyboardEvent("keydown", {key: "2", code: "Digit2", bubbles: true, isComposing: true}))"""
CYRILLIC = """() => document.body.dispatchEvent(
  new KeyboardEvent("keydown", {key: "и", code: "KeyB", bubbles: true, cancelable: true}))"""


def test_keys_are_silent_while_ann_types(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    desk.press("1")
    page.keyboard.type("b2sn?")
    expect(page.locator("#answer")).to_have_value("b2sn?")
    expect(page.get_by_label("Answerable", exact=False).first).to_be_checked()
    expect(desk.part("keys")).to_be_hidden()
    expect(desk.part("hint")).to_be_hidden()


def test_keys_are_silent_while_ann_composes_chinese(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    page.evaluate(COMPOSING)
    expect(desk.missing).to_have_text("Still missing: a verdict.")
    assert page.locator("input[name=verdict]:checked").count() == 0


def test_on_a_keyboard_without_latin_letters_the_place_of_the_key_counts(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    page.evaluate(CYRILLIC)
    expect(desk.part("hint")).to_contain_text("Draw a box")


def test_ann_gives_an_action_another_key_and_a_taken_one_is_refused(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(page, site, ann).open()
    skips: list[str] = []
    page.on("request", lambda request: skips.append(request.url) if request.url.endswith("/skip") else None)
    desk.press("?")
    page.get_by_role("button", name="Skip: S. Change").click()
    desk.press("b")
    expect(desk.part("keys-status")).to_have_text("That key already belongs to: Draw a box. Press another one.")
    desk.press("x", "Escape")
    expect(desk.part("keys")).to_be_hidden()
    expect(page.locator("[data-action=skip] kbd")).to_have_text("X")
    desk.open()
    expect(page.locator("[data-action=skip] kbd")).to_have_text("X")
    desk.press("s", "3")
    expect(desk.missing).to_have_text("Still missing: why it cannot be judged.")
    assert skips == []
    desk.press("x")
    page.get_by_role("button", name="Skip it").click()
    expect(desk.missing).to_have_text("Still missing: a verdict.")
    assert len(skips) == 1


def test_the_focus_goes_to_each_new_question(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(page, site, ann).open()
    expect(desk.question).to_be_focused()
    first = desk.question.inner_text()
    desk.call_it_vague().press("Enter")
    expect(desk.question).not_to_have_text(first)
    expect(desk.question).to_be_focused()


def test_a_tool_chosen_by_mouse_leaves_enter_to_the_form(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    desk.call_it_vague()
    page.get_by_role("button", name="Turn").click()
    desk.press("Enter")
    expect(desk.part("idle")).to_be_visible()


def test_what_is_saved_is_said_to_screen_readers(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    page.evaluate(
        """() => {
          window.said = [];
          const live = document.querySelector("[data-part=live]");
          new MutationObserver(() => window.said.push(live.textContent)).observe(live, {childList: true});
        }"""
    )
    desk.call_it_vague().press("Enter")
    expect(desk.part("idle")).to_be_visible()
    expect(desk.part("live")).to_contain_text("Nothing is left for you")
    assert page.evaluate("window.said.length") > 1
