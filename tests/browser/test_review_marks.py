"""Marks are drawn by mouse, finger and keys, and stay on the pixels they were drawn on."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Vote
from tests.browser.desk import Desk, campaign_of
from tests.people import make_person

KETTLE = "What is the color of the kettle?"


def size_of(text: str) -> tuple[int, int]:
    found = re.search(r"(\d+) × (\d+) px", text)
    assert found is not None, text
    return int(found[1]), int(found[2])


def test_a_box_is_dragged_by_mouse_while_the_picture_stays(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    scale = desk.part("scale").inner_text()
    desk.press("b").drag((300, 300), (400, 360))
    expect(desk.marks).to_have_count(1)
    width, height = size_of(desk.marks.inner_text())
    assert width / height == pytest.approx(100 / 60, rel=0.05)
    assert desk.part("scale").inner_text() == scale


def test_a_box_is_dragged_by_finger(chromium: Browser, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    context = chromium.new_context(viewport={"width": 820, "height": 1180}, has_touch=True)
    desk = Desk(context.new_page(), site, ann).open()
    desk.page.get_by_role("button", name="Box").tap()
    frame = desk.part("viewer").bounding_box()
    assert frame is not None
    fingers = context.new_cdp_session(desk.page)
    for kind, x, y in (("touchStart", 200, 150), ("touchMove", 250, 200), ("touchMove", 320, 230)):
        place = {"x": frame["x"] + x, "y": frame["y"] + y}
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(desk.marks).to_have_count(1)
    width, height = size_of(desk.marks.inner_text())
    assert width / height == pytest.approx(120 / 80, rel=0.05)
    context.close()


def test_escape_drops_a_box_and_delete_removes_a_kept_one(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    desk.press("b", "Escape")
    expect(desk.marks).to_have_count(0)
    desk.press("b", "Enter")
    expect(desk.marks).to_have_count(1)
    desk.press("Delete")
    expect(desk.marks).to_have_count(0)


def test_arrows_move_the_picture_until_a_box_is_in_hand(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    desk.press("b", "Enter", "b", "ArrowRight", "ArrowRight", "Enter")
    expect(desk.marks).to_have_count(2)
    first, second = (size_of(text) for text in desk.marks.all_inner_texts())
    assert first == second
    desk.press("1")
    page.keyboard.type("green")
    desk.press("Enter")
    expect(desk.part("idle")).to_be_visible()
    kept, moved = Vote.objects.get().evidence["boxes"]
    assert moved[0] > kept[0]
    assert moved[1] == kept[1]


def test_on_a_turned_picture_right_is_still_right(page: Page, site: str) -> None:
    """After a quarter turn clockwise, the screen's right is the picture's up."""
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    desk.press("r")
    expect(page.locator(".marks > g:not(.ground)")).to_have_attribute("transform", re.compile(r"rotate\(90\)"))
    desk.press("b", "Enter", "b", "ArrowRight", "Enter", "1")
    page.keyboard.type("green")
    desk.press("Enter")
    expect(desk.part("idle")).to_be_visible()
    kept, moved = Vote.objects.get().evidence["boxes"]
    assert moved[1] < kept[1]
    assert moved[0] == pytest.approx(kept[0], abs=1)
