"""A picture is taken down while Ann looks at it: she is told, and goes on with the next one."""

from playwright.sync_api import Page, expect

from annotation.models import ReviewItem, Vote
from annotation.releases.operations import take_down
from tests.browser.desk import Desk, campaign_of
from tests.people import make_person

KETTLE, KITES = "What is the color of the kettle?", "How many kites fly above the pier?"


def test_ann_is_told_that_the_picture_is_gone_and_gets_her_next_question(window: Page, site: str) -> None:
    ann = make_person("ann")
    campaign_of(ann, KETTLE, KITES)
    desk = Desk(window, site, ann).open()
    first = desk.question.inner_text()
    image = ReviewItem.objects.get(question__text=first).question.image
    take_down(image_key=image.key, reason="It shows me.", asked_by="Otto", by=make_person("max"))
    desk.call_it_vague().press("Enter")
    expect(desk.notices).to_contain_text("This picture was taken down meanwhile")
    expect(desk.question).not_to_have_text(first)
    window.get_by_role("button", name="Understood").click()
    expect(desk.notices).to_be_empty()
    desk.ready().call_it_vague().press("Enter")
    expect(desk.question).to_be_hidden()
    assert Vote.objects.count() == 1
