"""Before "absent" stands a search: the map shows it, N leads through it, and the server counts the same."""

import re

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Vote
from tests.browser.desk import HEIGHT, NEEDED_SCALE, WIDTH, Desk, campaign_of
from tests.people import make_person

LIGHTHOUSE = "How many kites fly above the lighthouse?"


def search_all(desk: Desk) -> None:
    """Press N until the map is full, each time after the view has counted."""
    for _ in range(30):
        before = desk.share_seen()
        if before >= 100:
            return
        desk.press("n")
        expect(desk.part("seen-text")).not_to_have_text(f"Seen close enough: {before} %")


def test_absent_needs_a_search_and_n_leads_ann_through_it(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, LIGHTHOUSE)
    desk = Desk(page, site, ann).open()
    desk.press("2").choose("The thing is not there").press("Enter")
    expect(desk.missing).to_contain_text("You have seen 0 % of the picture close enough; 90 % are needed.")
    assert Vote.objects.count() == 0
    search_all(desk)
    desk.press("Enter")
    expect(desk.part("idle")).to_be_visible()
    vote = Vote.objects.get()
    assert (vote.verdict, vote.premise, vote.evidence_kind, vote.waiver) == ("unanswerable", "object", "none", "")
    assert vote.search_record.seen_share == pytest.approx(1.0, abs=0.02)


def test_the_map_says_what_the_server_counts(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, LIGHTHOUSE)
    desk = Desk(page, site, ann).open()
    desk.press("n")
    expect(desk.part("seen-text")).to_have_text(re.compile(r": (1[5-9]|[2-9]\d) %"))
    desk.call_it_vague()
    said = desk.share_seen() / 100
    desk.press("Enter")
    expect(desk.part("idle")).to_be_visible()
    assert Vote.objects.get().search_record.seen_share == pytest.approx(said, abs=0.03)
    assert 0.1 < said < 0.9


def test_the_trace_holds_rectangles_of_the_upright_original(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, LIGHTHOUSE)
    desk = Desk(page, site, ann).open()
    desk.press("n")
    expect(desk.part("seen-text")).not_to_have_text("Seen close enough: 0 %")
    desk.call_it_vague().press("Enter")
    expect(desk.part("idle")).to_be_visible()
    *_, (t, x, y, w, h, s, r), (_, *nothing) = Vote.objects.get().search_record.trace
    frame = desk.part("viewer").bounding_box()
    assert frame is not None
    assert (x, y, r) == (pytest.approx(0, abs=2), pytest.approx(0, abs=2), 0)
    assert s == pytest.approx(NEEDED_SCALE, rel=0.01)
    assert w * s == pytest.approx(frame["width"], abs=2)
    assert nothing[:4] == [-2, -2, 1, 1]  # the search ended with the vote
    assert t > 0
    assert w < WIDTH
    assert h < HEIGHT


def test_a_counter_box_needs_no_search(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, LIGHTHOUSE)
    desk = Desk(page, site, ann).open()
    desk.press("2").choose("It is there, but it is not like that")
    desk.press("b").drag((300, 300), (420, 400))
    expect(desk.missing).to_have_text("Complete. It can be submitted.")
    desk.press("Enter")
    expect(desk.part("idle")).to_be_visible()
    assert Vote.objects.get().evidence_kind == "box"


def test_a_closed_reason_stands_for_a_search(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, LIGHTHOUSE)
    desk = Desk(page, site, ann).open()
    desk.press("2").choose("The thing is not there").choose("No search was needed")
    expect(desk.missing).to_have_text("Still missing: why no search was needed.")
    desk.choose("The scene excludes it").press("Enter")
    expect(desk.part("idle")).to_be_visible()
    assert Vote.objects.get().waiver == "scene_excludes"


SMOOTHING = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const canvas = document.querySelector(".openseadragon-canvas canvas");
  done(canvas.getContext("2d").imageSmoothingEnabled);
})))"""


def test_pixels_are_shown_as_they_are_from_one_to_one_upwards(page: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, LIGHTHOUSE)
    desk = Desk(page, site, ann).open()
    assert page.evaluate(SMOOTHING)
    desk.press("f")
    expect(desk.part("scale")).to_have_text("1:1 · close enough")
    assert not page.evaluate(SMOOTHING)
