"""Every form of address that is declared brings the right pixels: region, size, rotation, quality, format."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from PIL import Image as Pillow

from annotation.images import iiif, pixels
from annotation.images.operations import pyramid_key
from annotation.storage import store
from tests.squares import SQUARES, address_of, assert_shows, opened, some_squares

Fetch = Callable[..., Any]


@pytest.mark.parametrize("size", ["max", "1000,", ",800", "pct:45", "!600,900", "512,512", "^1400,", "^!3000,1100"])
def test_the_whole_picture_comes_at_any_size(below: Fetch, size: str) -> None:
    picture = opened(below(f"full/{size}/0/default.jpg"))
    assert picture.width == picture.height
    for column, row in some_squares():
        assert_shows(picture, (column + 0.5) / SQUARES, (row + 0.5) / SQUARES, column, row)


def test_a_part_comes_by_pixels_and_by_percent(below: Fetch) -> None:
    for column, row in some_squares():
        by_pixels = opened(below(f"{column * 100 + 13},{row * 100 + 13},74,74/max/0/default.jpg"))
        by_percent = opened(below(f"pct:{column * 10 + 1},{row * 10 + 1},9,9/max/0/default.jpg"))
        assert (by_pixels.size, by_percent.size) == ((74, 74), (90, 90))
        assert_shows(by_pixels, 0.5, 0.5, column, row)
        assert_shows(by_percent, 0.5, 0.5, column, row)


def test_a_part_comes_at_another_size_and_shape(below: Fetch) -> None:
    for column, row in some_squares():
        picture = opened(below(f"{column * 100},{row * 100},100,100/35,90/0/default.jpg"))
        assert picture.size == (35, 90)
        assert_shows(picture, 0.5, 0.5, column, row)


@pytest.mark.parametrize(
    ("rotation", "corners"),
    [
        ("0", [(0, 0), (9, 0), (0, 9), (9, 9)]),
        ("90", [(0, 9), (0, 0), (9, 9), (9, 0)]),
        ("180", [(9, 9), (0, 9), (9, 0), (0, 0)]),
        ("270", [(9, 0), (9, 9), (0, 0), (0, 9)]),
        ("!0", [(9, 0), (0, 0), (9, 9), (0, 9)]),
        ("!90", [(9, 9), (9, 0), (0, 9), (0, 0)]),
        ("!180", [(0, 9), (9, 9), (0, 0), (9, 0)]),
        ("!270", [(0, 0), (0, 9), (9, 0), (9, 9)]),
    ],
)
def test_a_picture_is_mirrored_and_then_turned_clockwise(below: Fetch, rotation: str, corners: list[tuple[int, int]]) -> None:
    picture = opened(below(f"full/500,/{rotation}/default.png"))
    for (x, y), square in zip([(0.05, 0.05), (0.95, 0.05), (0.05, 0.95), (0.95, 0.95)], corners, strict=True):
        assert_shows(picture, x, y, *square)


def test_turning_swaps_width_and_height(below: Fetch) -> None:
    assert opened(below("0,0,400,200/max/90/default.jpg")).size == (200, 400)
    assert opened(below("0,0,400,200/max/!180/default.jpg")).size == (400, 200)


def test_qualities_are_what_they_are_called(below: Fetch) -> None:
    assert below("full/400,/0/color.jpg").content == below("full/400,/0/default.jpg").content
    assert opened(below("full/400,/0/gray.jpg")).mode == "L"
    bitonal = opened(below("full/400,/0/bitonal.png"))
    assert {value for _, value in bitonal.getcolors() or []} == {0, 255}


@pytest.mark.parametrize(("suffix", "form"), [("jpg", "JPEG"), ("png", "PNG"), ("webp", "WEBP")])
@pytest.mark.parametrize("quality", iiif.QUALITIES)
def test_every_declared_format_comes_in_every_declared_quality(below: Fetch, suffix: str, form: str, quality: str) -> None:
    answer = below(f"full/300,/90/{quality}.{suffix}")
    assert opened(answer).format == form
    assert answer["Content-Type"] == iiif.FORMATS[suffix]


def test_png_keeps_every_pixel_of_the_tiles(below: Fetch) -> None:
    tile = opened(below("0,0,512,512/512,512/0/default.jpg"))
    assert opened(below("0,0,512,512/512,512/0/default.png")).tobytes() == tile.tobytes()


@pytest.mark.parametrize("size", [(1, 1), (1, 700), (3000, 2), (511, 513), (512, 512), (37, 41)])
def test_small_thin_and_odd_pictures_keep_all_promises(own: str, tmp_path: Path, size: tuple[int, int]) -> None:
    Pillow.new("RGB", size, (10, 200, 30)).save(tmp_path / "odd.png")
    pixels.build_pyramid(tmp_path / "odd.png", tmp_path / "odd.zip")
    store().write(pyramid_key("odd"), tmp_path / "odd.zip")
    at = address_of("odd")
    described = Client().get(f"{at}/info.json").json()
    assert (described["width"], described["height"]) == size
    names = [f"full/{one['width']},{one['height']}" for one in described["sizes"]]
    for name in (*names, "full/max", "square/max", "pct:50,50,50,50/max", "full/^max", "full/^!50,50", "full/!20,20"):
        for made in ("0/default.jpg", "!90/gray.png", "180/bitonal.webp"):
            picture = opened(Client().get(f"{at}/{name}/{made}"))
            assert max(picture.size) <= 2048
    assert opened(Client().get(f"{at}/{names[-1]}/0/default.jpg")).size <= size
