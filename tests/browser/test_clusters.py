"""Max rules on copies of a picture by keys alone."""

from playwright.sync_api import Page, expect

from annotation.models import Image
from tests.browser.conftest import log_in
from tests.likenesses import WINE, looked, photo
from tests.people import make_person

WAITING = {"pyramid_state": "waiting", "pyramid_key": ""}


def test_max_splits_a_picture_out_and_joins_it_again_by_keys(page: Page, site: str) -> None:
    first, second = looked(photo(), **WAITING), looked(photo(longest=500), **WAITING)
    log_in(page.context, site, make_person("max"))
    page.goto(f"{site}/clusters/")
    page.get_by_role("link", name="2 pictures").press("Enter")
    page.get_by_role("checkbox", name=second.key).press("Space")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("Another year.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A picture without copies")).to_be_visible()
    page.get_by_label("Key of a picture").fill(first.key)
    page.keyboard.press("Enter")
    page.get_by_label("Reason").fill("I was wrong.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="2 pictures, copies of one")).to_be_visible()
    assert set(Image.objects.values_list("cluster", flat=True)) == {first.pk}


def test_a_wide_list_of_copies_stays_within_a_tablet(page: Page, site: str) -> None:
    for longest in range(400, 1000, 100):
        looked(photo(WINE, longest), **WAITING)
    log_in(page.context, site, make_person("max"))
    page.set_viewport_size({"width": 800, "height": 1000})
    for path in ("/clusters/", f"/clusters/{Image.objects.earliest('pk').key}/"):
        page.goto(f"{site}{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 800, path
