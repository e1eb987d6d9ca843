"""What Ann entered and did not send yet stays hers, also when the server could not be told of it."""

from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from tests.browser.conftest import log_in
from tests.browser.desk import Desk, campaign_of
from tests.people import make_person

KETTLE = "What is the color of the kettle?"
DRAFTS = "**/api/v1/review/draft"


def test_what_ann_entered_after_a_log_out_is_there_when_she_is_back(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(window, site, ann).open()
    Session.objects.all().delete()
    desk.press("1")
    window.keyboard.type("green")
    expect(desk.notices).to_contain_text("What you entered is kept")
    window.keyboard.type("ish 绿 🫖")
    window.get_by_role("link", name="Log in").click()
    expect(window.get_by_role("heading", name="Log in")).to_be_visible()
    log_in(window.context, site, ann)
    desk.open()
    expect(window.locator("#answer")).to_have_value("greenish 绿 🫖")


def test_what_was_saved_is_not_kept_in_the_browser(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(window, site, ann).open()
    with window.expect_response(DRAFTS) as saved:
        desk.press("1")
        window.keyboard.type("green")
    assert saved.value.status == 204
    window.wait_for_function("sessionStorage.length === 0")
