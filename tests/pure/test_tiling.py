"""The tile arithmetic: tiles cover every level exactly, and every address means one rectangle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.images import tiling

side = st.integers(1, 20_000)


@given(side, side)
def test_tiles_cover_each_level_exactly_once(width: int, height: int) -> None:
    for factor in tiling.scale_factors(width, height):
        cuts = list(tiling.level_tiles(width, height, factor))
        assert sum(cut.width * cut.height for cut in cuts) == width * height
        assert len({(cut.x, cut.y) for cut in cuts}) == len(cuts)
        assert all(0 <= cut.x < cut.x + cut.width <= width and 0 <= cut.y < cut.y + cut.height <= height for cut in cuts)


@given(side, side)
def test_tiles_are_never_larger_than_512_pixels_and_add_up_to_their_level(width: int, height: int) -> None:
    for factor in tiling.scale_factors(width, height):
        cuts = list(tiling.level_tiles(width, height, factor))
        assert max(max(cut.out_width, cut.out_height) for cut in cuts) <= tiling.TILE
        across = sum(cut.out_width for cut in cuts if cut.y == 0)
        down = sum(cut.out_height for cut in cuts if cut.x == 0)
        assert (across, down) == tiling.level_size(width, height, factor)


@given(side, side)
def test_only_the_last_level_is_one_tile_and_it_is_called_full(width: int, height: int) -> None:
    whole = [cut for cut in tiling.tiles(width, height) if cut.whole]
    small = tiling.level_size(width, height, tiling.scale_factors(width, height)[-1])
    assert [cut.name for cut in whole] == [f"full/{small[0]},{small[1]}"]


@given(side, side, st.data())
def test_every_tile_is_found_again_by_its_own_address(width: int, height: int, data: st.DataObject) -> None:
    factor = data.draw(st.sampled_from(tiling.scale_factors(width, height)))
    cut = data.draw(st.sampled_from(list(tiling.level_tiles(width, height, factor))))
    region, size = cut.name.split("/")
    assert tiling.requested(region, size, width, height) == cut


def test_partial_tiles_at_the_edge_are_rounded_up() -> None:
    names = [cut.name for cut in tiling.tiles(1301, 903)]
    assert names == [
        "0,0,512,512/512,512",
        "512,0,512,512/512,512",
        "1024,0,277,512/277,512",
        "0,512,512,391/512,391",
        "512,512,512,391/512,391",
        "1024,512,277,391/277,391",
        "0,0,1024,903/512,452",
        "1024,0,277,903/139,452",
        "full/326,226",
    ]


@pytest.mark.parametrize(("width", "height"), [(1, 1), (512, 512), (400, 3)])
def test_a_picture_within_one_tile_answers_full_max(width: int, height: int) -> None:
    assert tiling.requested("full", "max", width, height).name == f"full/{width},{height}"
    assert [cut.name for cut in tiling.tiles(width, height)] == [f"full/{width},{height}"]


def test_full_max_of_a_large_picture_is_scaled_down_to_the_limit() -> None:
    assert tiling.requested("full", "max", 12_000, 8_400).name == "full/1024,717"


@pytest.mark.parametrize(
    ("region", "size"),
    [
        ("square", "max"),
        ("pct:10,10,20,20", "max"),
        ("0,0,10", "max"),
        ("-1,0,10,10", "max"),
        ("1000,0,10,10", "max"),
        ("0,0,0,10", "max"),
        ("full", "^max"),
        ("full", "0,"),
        ("full", "1001,"),
        ("full", "100,100"),
        ("full", ",100"),
        ("0,0,10,10", "20,20"),
        ("0,0,1e3,10", "max"),
        ("0,0,９,9", "max"),
        ("0,0,9999999,10", "max"),
        ("full", "default"),
        ("", ""),
    ],
)
def test_an_address_that_is_malformed_or_not_offered_is_refused(region: str, size: str) -> None:
    with pytest.raises(tiling.NotOffered):
        tiling.requested(region, size, 1000, 500)


def test_a_region_over_the_edge_is_cut_at_the_edge() -> None:
    assert tiling.requested("900,400,512,512", "100,100", 1000, 500).name == "900,400,100,100/100,100"


@given(side, side, st.data())
def test_a_crop_touches_few_tiles_and_these_cover_it(width: int, height: int, data: st.DataObject) -> None:
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    crop_width, crop_height = data.draw(st.integers(1, width - x)), data.draw(st.integers(1, height - y))
    cut = tiling.requested(f"{x},{y},{crop_width},{crop_height}", "max", width, height)
    below = list(tiling.tiles_below(cut, tiling.crop_factor(cut, width, height), width, height))
    assert len(below) <= 36
    assert min(tile.x for tile in below) <= x
    assert min(tile.y for tile in below) <= y
    assert max(tile.x + tile.width for tile in below) >= x + crop_width
    assert max(tile.y + tile.height for tile in below) >= y + crop_height


def test_the_description_names_all_levels_and_what_goes_beyond_level_0() -> None:
    info = tiling.info_json("https://example.org/iiif/grant/key", 1300, 900)
    assert info["tiles"] == [{"width": 512, "height": 512, "scaleFactors": [1, 2, 4]}]
    assert info["sizes"] == [{"width": 325, "height": 225}]
    assert info["profile"] == "level0"
    assert info["extraFeatures"] == ["regionByPx", "sizeByW", "sizeByWh"]
