"""A reviewer's desk: a tiled picture, a campaign, and the workspace as Ann sees and touches it."""

import functools
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from annotation.images import pixels
from annotation.images.operations import pyramid_key
from annotation.models import Campaign, Image, Person
from annotation.storage import store
from tests import factories, pictures
from tests.browser.conftest import log_in
from tests.settings import FOLDERS

WIDTH, HEIGHT = 2600, 1800
NEEDED_SCALE = 12 / (0.005 * WIDTH)
WAIT_MS = 15_000

expect.set_options(timeout=WAIT_MS)


@functools.cache
def pyramid(width: int = WIDTH, height: int = HEIGHT) -> Path:
    """The tiles of a scene, made once for all tests of a process."""
    folder = Path(tempfile.mkdtemp(prefix="pyramid-", dir=FOLDERS.name))
    pixels.build_pyramid(pictures.jpeg(folder / "scene.jpg", width, height), folder / "scene.zip")
    return folder / "scene.zip"


def tiled_image(width: int = WIDTH, height: int = HEIGHT, **values: Any) -> Image:
    """An image whose tiles are in the store."""
    image = factories.make_image(width=width, height=height, **values)
    store().write(pyramid_key(image.key), pyramid(width, height))
    image.pyramid_key, image.pyramid_state = pyramid_key(image.key), "tiled"
    image.save()
    return image


def campaign_of(person: Person, *texts: str, options: list[str] | None = None, **policy: Any) -> Campaign:
    """A campaign with one question for each text, all about tiled pictures, and this person on its roster."""
    campaign = factories.make_campaign(person, **policy)
    for text in texts:
        question = factories.make_original(text, image=tiled_image(), options=options or [])
        factories.make_item(campaign, question, needed=1)
    return campaign


class Desk:
    """The review workspace in a browser window."""

    def __init__(self, page: Page, site: str, person: Person) -> None:
        self.page, self.site = page, site
        log_in(page.context, site, person)

    def open(self) -> "Desk":
        self.page.goto(f"{self.site}/review/")
        return self.ready()

    def ready(self) -> "Desk":
        """Wait until the picture and the seen-map stand."""
        expect(self.part("seen")).to_be_visible()
        expect(self.part("veil")).to_be_hidden()
        return self

    def part(self, name: str) -> Locator:
        return self.page.locator(f"[data-part={name}]")

    @property
    def question(self) -> Locator:
        return self.part("question")

    @property
    def missing(self) -> Locator:
        return self.part("missing")

    @property
    def notices(self) -> Locator:
        return self.part("notices")

    @property
    def marks(self) -> Locator:
        return self.page.locator(".marks-list li > span")

    def press(self, *keys: str) -> "Desk":
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def choose(self, label: str) -> "Desk":
        self.page.get_by_text(label, exact=True).click()
        return self

    def call_it_vague(self) -> "Desk":
        """The shortest complete vote."""
        return self.press("3").choose("The wording is vague")

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> "Desk":
        """A drag with the mouse, in CSS pixels of the viewer."""
        frame = self.part("viewer").bounding_box()
        assert frame is not None
        self.page.mouse.move(frame["x"] + start[0], frame["y"] + start[1])
        self.page.mouse.down()
        self.page.mouse.move(frame["x"] + end[0], frame["y"] + end[1], steps=4)
        self.page.mouse.up()
        return self

    def click_at(self, x: int, y: int) -> "Desk":
        frame = self.part("viewer").bounding_box()
        assert frame is not None
        self.page.mouse.click(frame["x"] + x, frame["y"] + y)
        return self

    def share_seen(self) -> int:
        """What the map says, in percent."""
        return int(self.part("seen-text").inner_text().split(":")[1].strip(" %"))
