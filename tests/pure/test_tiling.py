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
def test_a_picture_within_one_tile_is_one_tile(width: int, height: int) -> None:
    assert [cut.name for cut in tiling.tiles(width, height)] == [f"full/{width},{height}"]


@given(side, side, st.data())
def test_a_crop_touches_few_tiles_and_these_cover_it(width: int, height: int, data: st.DataObject) -> None:
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    across, down = data.draw(st.integers(1, width - x)), data.draw(st.integers(1, height - y))
    out = data.draw(st.integers(1, tiling.MAX_SIDE)), data.draw(st.integers(1, tiling.MAX_SIDE))
    cut = tiling.Cut(x, y, across, down, *out)
    below = list(tiling.tiles_below(cut, tiling.crop_factor(cut, width, height), width, height))
    assert len(below) <= tiling.MOST_TILES
    assert min(tile.x for tile in below) <= x
    assert min(tile.y for tile in below) <= y
    assert max(tile.x + tile.width for tile in below) >= x + across
    assert max(tile.y + tile.height for tile in below) >= y + down


@given(side, side, st.data())
def test_an_undistorted_crop_is_never_enlarged_from_a_smaller_level(width: int, height: int, data: st.DataObject) -> None:
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    longest = data.draw(st.integers(1, tiling.MAX_SIDE))
    cut = tiling.boxed(
        [x, y, data.draw(st.integers(x + 1, width)), data.draw(st.integers(y + 1, height))], width, height, longest
    )
    factor = tiling.crop_factor(cut, width, height)
    assert factor == 1 or (cut.width >= factor * cut.out_width and cut.height >= factor * cut.out_height)


def test_the_smallest_level_that_is_sharp_enough_is_taken() -> None:
    def factor(width: int, height: int) -> int:
        return tiling.crop_factor(tiling.Cut(0, 0, 8000, 8000, width, height), 12_000, 9_000)

    assert [factor(1000, 1000), factor(1001, 1001), factor(2000, 2000)] == [8, 4, 4]
    assert factor(1000, 2000) == 4, "the direction that is shrunk less decides"
    assert factor(1, 2048) == 2, "which would be 3 x 2048 pixels made of 256 tiles; the next level needs 64"


def test_a_box_is_cut_at_the_edges_and_one_outside_is_refused() -> None:
    assert tiling.boxed([-3.5, 10.2, 2000, 20.1], 1000, 500, 2000) == tiling.Cut(0, 10, 1000, 11, 1000, 11)
    assert tiling.boxed(None, 12_000, 6_000, 10**6) == tiling.Cut(0, 0, 12_000, 6_000, 2048, 1024, whole=True)
    with pytest.raises(tiling.NotOffered):
        tiling.boxed([1000, 0, 1200, 50], 1000, 500, 100)
