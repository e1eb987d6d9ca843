"""Pages that move: a picture with marks, a decision's box, a run that is watched."""

import re

from playwright.sync_api import Page, expect

from annotation.generation import operations
from annotation.models import Decision
from tests import factories
from tests.browser.conftest import log_in
from tests.browser.desk import tiled_image
from tests.people import make_person

BOX = {"evidence_kind": "box", "evidence": {"boxes": [[100, 200, 300, 400]]}, "answer": "green"}


def test_rae_sees_every_voter_s_marks_and_draws_the_box_her_decision_rests_on(page: Page, site: str) -> None:
    rae, ann, ben = (make_person(name) for name in ("rae", "ann", "ben"))
    question = factories.make_original("What is the color of the kettle?", image=tiled_image())
    item = factories.make_item(factories.make_campaign(ann, ben), question)
    factories.make_vote(item, ann, "answerable", **BOX)
    factories.make_vote(item, ben)
    item.state, item.dispute_reason = "disputed", "evidence-against-absent"
    item.save()
    log_in(page.context, site, rae)
    page.goto(f"{site}/adjudication/{item.key}/")
    expect(page.locator(".marks text")).to_have_text("Voter 1")
    page.get_by_role("button", name="Draw a box").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-draw]")).to_have_value(re.compile(r"^\d+, \d+, \d+, \d+$"))
    page.get_by_role("radio", name="Answerable", exact=True).check()
    page.get_by_label("Answer", exact=True).fill("green")
    page.get_by_label("Reason").fill("It is painted on the wall.")
    drawn = [int(part) for part in page.locator("[data-draw]").input_value().split(", ")]
    page.get_by_role("button", name="Decide").click()
    expect(page).to_have_url(f"{site}/adjudication/")
    decision = Decision.objects.get()
    assert decision.verdict == "answerable"
    assert drawn[0] < drawn[2] <= question.image.width


def test_show_leads_to_the_place_a_voter_marked(page: Page, site: str) -> None:
    rae, ann = make_person("rae"), make_person("ann")
    question = factories.make_original("What is the color of the kettle?", image=tiled_image())
    item = factories.make_item(factories.make_campaign(ann), question, state="disputed", dispute_reason="appeal")
    factories.make_vote(item, ann, "answerable", **BOX)
    log_in(page.context, site, rae)
    page.goto(f"{site}/adjudication/{item.key}/")
    expect(page.locator("[data-part=veil]")).to_be_hidden()
    scale = page.locator("[data-part=scale]")
    before = scale.inner_text()
    page.get_by_role("button", name="Show").click()
    expect(scale).not_to_have_text(before)


def test_max_looks_at_a_picture_by_keys(page: Page, site: str) -> None:
    image = tiled_image()
    log_in(page.context, site, make_person("max"))
    page.goto(f"{site}/images/{image.key}/")
    expect(page.locator("[data-part=veil]")).to_be_hidden()
    page.locator(".openseadragon-canvas").focus()
    page.keyboard.press("f")
    expect(page.locator("[data-part=scale]")).to_have_text("1:1")


def test_a_run_is_watched_until_it_ends_and_then_left_alone(page: Page, site: str) -> None:
    max_ = make_person("max")
    factories.make_original()
    run = operations.start_run(by=max_, engine="offline", limit=10, seed=7)
    log_in(page.context, site, max_)
    page.goto(f"{site}/generation/{run.key}/")
    progress = page.locator("#run-progress")
    expect(progress).to_contain_text("running")
    with page.expect_response("**/progress/"), page.expect_response("**/progress/"):
        pass
    operations.stop_run(run=run, by=max_)
    expect(progress).to_contain_text("stopped")
    expect(progress).not_to_have_attribute("hx-get", re.compile(".*"))
