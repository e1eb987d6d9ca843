"""No vote is lost: not without a network, not after a log-out, not when it was sent before; and nobody sends another's."""

import json

from django.contrib.sessions.models import Session
from playwright.sync_api import Page, Route, expect

from annotation.models import Vote
from tests import factories
from tests.browser.conftest import log_in
from tests.browser.desk import Desk, campaign_of
from tests.people import make_person

KETTLE, KITES = "What is the color of the kettle?", "How many kites fly above the pier?"
VOTES = "**/api/v1/review/votes"


def test_a_vote_cast_without_a_network_is_kept_and_sent_by_itself(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(window, site, ann).open()
    first = desk.question.inner_text()
    window.context.set_offline(True)
    desk.call_it_vague().press("Enter")
    expect(desk.notices).to_contain_text("Your vote is kept on this computer")
    expect(desk.missing).to_have_text("Not saved yet.")
    assert Vote.objects.count() == 0
    window.context.set_offline(False)
    expect(desk.question).not_to_have_text(first)
    expect(desk.notices).to_be_empty()
    assert Vote.objects.get().verdict == "ambiguous"


def test_a_vote_whose_answer_got_lost_is_sent_again_and_counts_once(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(window, site, ann).open()
    first = desk.question.inner_text()
    keys: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > 1:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    window.route(VOTES, lose_the_first_answer)
    desk.call_it_vague().press("Enter")
    expect(desk.question).not_to_have_text(first)
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert Vote.objects.count() == 1


def test_a_vote_survives_a_log_out_and_a_new_page(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(window, site, ann).open()
    Session.objects.all().delete()
    desk.call_it_vague().press("Enter")
    expect(desk.notices).to_contain_text("You are logged out.")
    expect(window.get_by_role("link", name="Log in")).to_have_attribute("href", "/accounts/login/?next=/review/")
    log_in(window.context, site, ann)
    window.goto(f"{site}/review/")
    expect(desk.part("idle")).to_be_visible()
    assert Vote.objects.get().person == ann


def test_ben_does_not_send_a_vote_that_ann_left_on_the_computer(window: Page, site: str) -> None:
    ann, ben = make_person("ann"), make_person("ben")
    campaign_of(ann, KETTLE)
    desk = Desk(window, site, ann).open()
    window.route(VOTES, lambda route: route.abort())
    desk.call_it_vague().press("Enter")
    expect(desk.notices).to_contain_text("Your vote is kept on this computer")
    window.unroute(VOTES)
    window.context.clear_cookies()
    sent: list[str] = []
    window.on("request", lambda request: sent.append(request.url))
    factories.make_campaign(ben)
    log_in(window.context, site, ben)
    window.goto(f"{site}/review/")
    expect(desk.part("idle")).to_be_visible()
    assert not [url for url in sent if url.endswith("/votes")]
    assert Vote.objects.count() == 0


def test_a_refused_vote_is_shown_with_its_reason_until_ann_has_read_it(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(window, site, ann).open()
    other_tab = Desk(window.context.new_page(), site, ann).open()
    other_tab.call_it_vague().press("Enter")
    expect(other_tab.part("idle")).to_be_visible()
    desk.call_it_vague().press("Enter")
    expect(desk.notices).to_contain_text("Your vote on this item is stored already")
    window.reload()
    expect(desk.notices).to_contain_text("Your vote on this item is stored already")
    window.get_by_role("button", name="Understood").click()
    expect(desk.notices).to_be_empty()
    window.reload()
    expect(desk.part("idle")).to_be_visible()
    expect(desk.notices).to_be_empty()


def test_what_the_server_finds_wrong_is_said_and_can_be_put_right(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(window, site, ann).open()
    problem = {"code": "evidence-missing", "detail": "No.", "errors": {"comment": ["Write why."]}}
    refusal = {"status": 400, "content_type": "application/problem+json", "body": json.dumps(problem)}
    window.route(VOTES, lambda route: route.fulfill(**refusal))
    desk.call_it_vague().press("Enter")
    expect(desk.missing).to_have_text("Write why.")
    window.unroute(VOTES)
    desk.press("c")
    window.keyboard.type("Two kettles.")
    desk.press("Control+Enter")
    expect(desk.part("idle")).to_be_visible()
    assert Vote.objects.get().comment == "Two kettles."


def test_a_draft_comes_back_with_marks_and_search_after_a_new_page(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE)
    desk = Desk(page, site, ann).open()
    desk.press("n")
    expect(desk.part("seen-text")).not_to_have_text("Seen close enough: 0 %")
    desk.press("b", "Enter", "2").choose("It is there, but it is not like that")
    with page.expect_response("**/api/v1/review/draft"):
        pass
    desk.open()
    expect(page.get_by_label("It is there, but it is not like that")).to_be_checked()
    expect(desk.marks).to_have_count(1)
    assert desk.share_seen() > 0


def test_a_picture_that_cannot_be_had_can_be_skipped(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(window, site, ann)
    window.route("**/info.json", lambda route: route.abort())
    window.goto(f"{site}/review/")
    expect(desk.notices).to_contain_text("The picture cannot be shown.")
    window.unroute("**/info.json")
    desk.press("s")
    desk.ready()
    expect(desk.notices).to_be_empty()
