"""The shell of every page: theme and language stay as chosen, nothing is wider than the window, all is reachable."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.demo.people import password, seed_people
from tests.browser.conftest import log_in
from tests.browser.desk import Desk, campaign_of
from tests.people import make_person, with_password

NAMELESS = """() => [...document.querySelectorAll("input, select, textarea, button, a[href], summary")]
  .filter((node) => node.type !== "hidden" && node.offsetParent)
  .filter((node) => !(node.labels?.length || node.getAttribute("aria-label") || node.textContent.trim()))
  .map((node) => node.outerHTML)"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_a_theme_is_remembered_before_the_first_paint(page: Page, site: str) -> None:
    log_in(page.context, site, make_person("ann"))
    page.goto(f"{site}/")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Dark").click()
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.goto(f"{site}/")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == dark


def test_the_language_changes_where_ann_stands(page: Page, site: str) -> None:
    log_in(page.context, site, make_person("ann"))
    page.goto(f"{site}/review/")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="简体中文").click()
    expect(page).to_have_url(f"{site}/review/")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")


def test_ann_logs_in_and_out_by_form(page: Page, site: str) -> None:
    with_password(make_person("ann"))
    page.goto(f"{site}/accounts/login/?next=/review/")
    page.get_by_label("User name").fill("ann")
    page.get_by_label("Password").fill("correct horse battery")
    page.locator("main").get_by_role("button", name="Log in").click()
    expect(page).to_have_url(f"{site}/review/")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def test_the_log_in_page_of_the_demonstration_says_where_its_log_ins_are_and_names_none(
    page: Page, site: str, settings: Any, tmp_path: Path
) -> None:
    settings.DEMO, settings.STATE_DIR = True, tmp_path
    seed_people()
    page.goto(f"{site}/accounts/login/")
    expect(page.get_by_role("main")).to_contain_text("printed in the terminal where make demo runs")
    assert password() not in page.content()
    settings.DEMO = False
    page.reload()
    expect(page.get_by_role("main")).not_to_contain_text("make demo")


def test_a_wrong_password_is_said_without_naming_what_was_wrong(page: Page, site: str) -> None:
    with_password(make_person("ann"))
    page.goto(f"{site}/accounts/login/")
    page.get_by_label("User name").fill("ann")
    page.get_by_label("Password").fill("wrong")
    page.locator("main").get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("User name")).to_have_value("ann")


def test_the_first_tab_leads_past_the_navigation(page: Page, site: str) -> None:
    log_in(page.context, site, make_person("max"))
    page.goto(f"{site}/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


@pytest.mark.parametrize("width", [800, 1440])
def test_every_page_of_max_fits_the_window_and_names_every_control(page: Page, site: str, width: int) -> None:
    log_in(page.context, site, make_person("max"))
    campaign_of(make_person("ann"), "What is the color of the kettle?")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{site}/")
    paths = page.get_by_role("navigation", include_hidden=True).get_by_role("link", include_hidden=True)
    addresses = [link.get_attribute("href") for link in paths.all()]
    assert len(addresses) > 5
    for address in addresses:
        page.goto(f"{site}{address}")
        expect(page.locator("h1")).to_have_count(1)
        assert page.evaluate(TOO_WIDE) == 0, address
        assert page.evaluate(NAMELESS) == [], address


@pytest.mark.parametrize("width", [800, 1440])
def test_the_workspace_fits_the_window_and_names_every_control(page: Page, site: str, width: int) -> None:
    ann = make_person("ann")
    campaign_of(ann, "What is the color of the kettle?")
    page.set_viewport_size({"width": width, "height": 900})
    desk = Desk(page, site, ann).open()
    for verdict in ("1", "2", "3"):
        desk.press("Escape", verdict)
        assert page.evaluate(TOO_WIDE) == 0
        assert page.evaluate(NAMELESS) == []


def test_on_a_tablet_the_navigation_opens_from_a_button(page: Page, site: str) -> None:
    log_in(page.context, site, make_person("ann"))
    page.set_viewport_size({"width": 800, "height": 1000})
    page.goto(f"{site}/")
    link = page.get_by_role("navigation").get_by_role("link", name="Review")
    expect(link).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(link).to_be_visible()
    assert page.evaluate(TOO_WIDE) == 0
