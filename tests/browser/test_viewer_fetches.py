"""The viewer fetches the level that is sharp on the screen, and none that is finer."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page

from annotation.access import image_info_url
from annotation.images import pixels
from annotation.images.operations import pyramid_key
from annotation.storage import store
from benchmarks.views import GO, IS_SHARP, OPEN
from tests import pictures

WIDTH, HEIGHT = 8000, 6000


@pytest.fixture
def info_url(tmp_path: Path) -> str:
    pixels.build_pyramid(pictures.jpeg(tmp_path / "a.jpg", WIDTH, HEIGHT), tmp_path / "a.zip")
    store().delete(pyramid_key("fetched"))
    store().write(pyramid_key("fetched"), tmp_path / "a.zip")
    return image_info_url(image_key="fetched", role="annotator", at=datetime.now(UTC))


@pytest.mark.parametrize(("scale", "factor"), [(0.25, 4), (0.4, 2), (0.5, 2), (0.75, 1), (1.0, 1)])
def test_tiles_of_the_level_that_fits_the_screen_are_fetched_and_none_finer(
    page: Page, info_url: str, scale: float, factor: int
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("default.jpg") else None)
    page.goto("/accounts/login/")
    page.evaluate(OPEN, {"info_url": info_url, "width": WIDTH, "height": HEIGHT})
    page.evaluate(GO, [WIDTH / 2, HEIGHT / 2, scale])
    page.wait_for_function(f"() => Math.abs(window.measured.scale - {scale}) < 1e-9")
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    page.wait_for_function(IS_SHARP)
    assert min(factor_of(url) for url in asked) == factor


def factor_of(url: str) -> int:
    """How many pixels of the picture lie behind one of the tile."""
    *_, region, size, _, _ = url.split("/")
    across = WIDTH if region == "full" else int(region.split(",")[2])
    return round(across / int(size.split(",")[0]))
