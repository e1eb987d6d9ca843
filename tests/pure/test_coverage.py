"""What Ann has seen: traces, grids, shares."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.review.coverage import (
    SAMPLES_KEPT,
    Grid,
    Sample,
    TraceInvalid,
    best_scale,
    grid_of,
    largest_unseen_block,
    needed_scale,
    read_trace,
    searched_together,
    share_seen,
    union,
)

WIDTH, HEIGHT = 3200, 1600
"""32 x 16 cells of 100 pixels."""


def look(x: float, y: float, w: float, h: float, *, s: float = 1.0, t: float = 0.0, r: float = 0.0) -> Sample:
    return Sample(t=t, x=x, y=y, w=w, h=h, s=s, r=r)


def seen(*samples: Sample, duration_ms: float = 1000) -> Grid:
    return grid_of(samples, width=WIDTH, height=HEIGHT, duration_ms=duration_ms)


WHOLE = look(0, 0, WIDTH, HEIGHT)


def raw(**changes: object) -> dict[str, object]:
    return {"t": 0, "x": 0, "y": 0, "w": 100, "h": 100, "s": 1, "r": 0} | changes


def test_a_twelve_thousand_pixel_picture_needs_a_fifth_of_full_size() -> None:
    assert needed_scale(12_000, 8_000) == pytest.approx(0.2)


def test_a_picture_of_2400_pixels_needs_one_to_one() -> None:
    assert needed_scale(2_400, 1_000) == pytest.approx(1.0)


def test_a_known_target_of_48_pixels_needs_a_quarter() -> None:
    assert needed_scale(5_000, 5_000, 48) == pytest.approx(0.25)


@pytest.mark.parametrize("target", [0, -1, math.nan])
def test_a_target_without_size_is_refused(target: float) -> None:
    with pytest.raises(TraceInvalid, match="above zero"):
        needed_scale(100, 100, target)


def test_ann_sees_everything_when_the_whole_picture_is_shown_large_enough() -> None:
    assert share_seen(seen(WHOLE), 1.0, 300) == 1.0


def test_ann_sees_nothing_when_the_picture_is_shown_too_small() -> None:
    assert share_seen(seen(look(0, 0, WIDTH, HEIGHT, s=0.5)), 1.0, 300) == 0.0


def test_a_closer_look_also_counts_for_a_coarser_need() -> None:
    assert share_seen(seen(look(0, 0, WIDTH, HEIGHT, s=2.0)), 0.5, 300) == 1.0


def test_half_the_picture_is_half_of_it() -> None:
    assert share_seen(seen(look(0, 0, WIDTH / 2, HEIGHT)), 1.0, 300) == pytest.approx(0.5)


def test_a_cell_half_in_view_counts_by_its_area() -> None:
    one_and_a_half_cells = seen(look(0, 0, 150, 100), duration_ms=300)
    assert share_seen(one_and_a_half_cells, 1.0, 300) * 32 * 16 == pytest.approx(1.5)


def test_a_glance_is_no_look() -> None:
    glance = seen(WHOLE, duration_ms=100)
    assert share_seen(glance, 1.0, 300) == pytest.approx(1 / 3)
    assert share_seen(glance, 1.0, 100) == 1.0


def test_a_view_beyond_the_edge_is_clipped() -> None:
    assert share_seen(seen(look(-500, -500, 5000, 5000)), 1.0, 300) == 1.0


def test_a_view_beside_the_picture_sees_nothing() -> None:
    assert share_seen(seen(look(-500, 0, 400, HEIGHT), look(9000, 9000, 10, 10, t=500)), 1.0, 300) == 0.0


def test_nothing_is_earned_while_the_picture_turns() -> None:
    assert share_seen(seen(look(0, 0, WIDTH, HEIGHT, r=45)), 1.0, 300) == 0.0
    assert share_seen(seen(look(0, 0, WIDTH, HEIGHT, r=270)), 1.0, 300) == 1.0


def test_ann_cannot_have_looked_longer_than_she_had_the_item() -> None:
    claimed = [look(0, 0, 1600, HEIGHT), look(1600, 0, 1600, HEIGHT, t=60_000), look(0, 0, 1, 1, t=120_000)]
    grid = seen(*claimed, duration_ms=400)
    assert grid.dwell.max() == pytest.approx(200)
    assert share_seen(grid, 1.0, 300) == pytest.approx(2 / 3)


def test_a_view_left_open_over_lunch_earns_ten_seconds() -> None:
    assert seen(WHOLE, duration_ms=3_600_000).dwell.max() == 10_000


def test_a_search_without_time_shows_nothing() -> None:
    assert share_seen(seen(WHOLE, duration_ms=0), 1.0, 300) == 0.0
    assert share_seen(seen(WHOLE, duration_ms=-5), 1.0, 300) == 0.0
    assert share_seen(seen(), 1.0, 300) == 0.0


def test_a_region_is_judged_by_itself() -> None:
    grid = seen(look(0, 0, 800, 800))
    assert share_seen(grid, 1.0, 300, region=(0, 0, 800, 800)) == pytest.approx(1.0)
    assert share_seen(grid, 1.0, 300, region=(0, 0, 1600, 800)) == pytest.approx(0.5)
    assert share_seen(grid, 1.0, 300, region=(0, 0, 0, 0)) == 0.0


def test_two_people_together_see_what_either_saw() -> None:
    left, right = seen(look(0, 0, 1600, HEIGHT)), seen(look(1600, 0, 1600, HEIGHT))
    assert share_seen(union([left, right]), 1.0, 300) == 1.0


def test_three_glances_by_three_people_are_no_look() -> None:
    assert share_seen(union([seen(WHOLE, duration_ms=100)] * 3), 1.0, 300) == pytest.approx(1 / 3)


def test_grids_of_two_pictures_have_no_union() -> None:
    with pytest.raises(TraceInvalid, match="different pictures"):
        union([seen(WHOLE), grid_of([], width=10, height=10, duration_ms=1)])
    with pytest.raises(TraceInvalid, match="at least one"):
        union([])


def test_the_largest_unseen_block_is_found() -> None:
    grid = seen(look(0, 0, 2800, HEIGHT), look(2800, 400, 400, 1200, t=500))
    assert largest_unseen_block(grid, 1.0, 300) == (2800, 0, 3200, 400)
    assert largest_unseen_block(seen(WHOLE), 1.0, 300) is None
    left, top, right, bottom = largest_unseen_block(seen(), 1.0, 300) or (0, 0, 0, 0)
    assert (right - left, bottom - top) == (1600, 1600)


def test_a_group_has_searched_only_without_a_hole_that_could_hide_the_target() -> None:
    need = {"needed_scale": 1.0, "dwell_ms": 300.0, "needed_share": 0.9}
    with_hole = seen(look(0, 0, 3000, HEIGHT), look(3000, 200, 200, 1400, t=500))
    assert share_seen(with_hole, 1.0, 300) > 0.99
    assert not searched_together([with_hole], target_px=150, **need)
    assert searched_together([with_hole], target_px=250, **need)
    assert searched_together([with_hole, seen(WHOLE)], target_px=150, **need)
    assert not searched_together([], target_px=150, **need)


def test_the_best_scale_is_the_finest_that_lasted() -> None:
    grid = seen(WHOLE, look(0, 0, 100, 100, s=4, t=500), look(0, 0, 100, 100, s=16, t=990))
    scales = best_scale(grid, 300)
    assert scales[0][0] == 4.0
    assert scales[15][31] == 1.0
    assert best_scale(seen(), 300)[0][0] == 0.0


def test_a_stored_grid_is_read_back() -> None:
    grid = seen(WHOLE, look(0, 0, 500, 500, s=3, t=400))
    again = Grid.from_json(grid.as_json())
    assert np.array_equal(again.dwell, grid.dwell)
    assert Grid.from_json(seen().as_json()).dwell.max() == 0


def test_a_grid_of_another_version_is_refused() -> None:
    with pytest.raises(TraceInvalid, match="derive it again"):
        Grid.from_json(seen(WHOLE).as_json() | {"version": 999})


def test_a_strip_of_a_picture_has_one_row() -> None:
    assert grid_of([], width=9000, height=30, duration_ms=1).dwell.shape[1:] == (1, 32)


def test_a_picture_without_pixels_is_refused() -> None:
    with pytest.raises(TraceInvalid, match="one pixel"):
        grid_of([], width=0, height=30, duration_ms=1)


@pytest.mark.parametrize(
    ("sample", "reason"),
    [
        ({"x": math.nan}, "x is not a sensible number"),
        ({"w": math.inf}, "w is not a sensible number"),
        ({"x": 10**400}, "x is not a sensible number"),
        ({"y": "12"}, "y is not a number"),
        ({"s": True}, "s is not a number"),
        ({"h": None}, "h is not a number"),
        ({"t": -1}, "negative"),
        ({"w": -5}, "above zero"),
        ({"s": 0}, "above zero"),
        ({"w": 12_000}, "CSS pixels"),
    ],
)
def test_a_sample_no_browser_could_send_is_refused(sample: dict[str, object], reason: str) -> None:
    with pytest.raises(TraceInvalid, match=reason) as refusal:
        read_trace([raw(), raw() | sample])
    assert "Sample 2" in str(refusal.value)
    assert refusal.value.field == "trace"


@pytest.mark.parametrize("trace", [None, "[]", {"t": 1}, [1], [[]]])
def test_what_is_no_trace_is_refused(trace: object) -> None:
    with pytest.raises(TraceInvalid):
        read_trace(trace)


def test_time_cannot_run_backwards() -> None:
    with pytest.raises(TraceInvalid, match="before"):
        read_trace([raw(t=5), raw(t=4)])


def test_a_hundred_thousand_samples_are_refused() -> None:
    with pytest.raises(TraceInvalid, match="100000 samples"):
        read_trace([raw()] * 100_000)


def test_a_long_trace_is_thinned_and_keeps_its_span_and_its_long_views() -> None:
    trace = [raw(t=index * 10 + (5000 if index > 2500 else 0), x=index) for index in range(5000)]
    kept = read_trace(trace)
    assert len(kept) == SAMPLES_KEPT
    assert (kept[0].x, kept[-1].x) == (0, 4999)
    assert 2500 in [sample.x for sample in kept]


def test_rotation_may_be_left_out() -> None:
    sample = raw()
    del sample["r"]
    assert read_trace([sample])[0].r == 0.0


views = st.builds(
    look,
    st.floats(-4000, 4000),
    st.floats(-4000, 4000),
    st.floats(1, 4000),
    st.floats(1, 4000),
    s=st.floats(0.01, 2),
    t=st.floats(0, 10_000),
)
traces = st.lists(views, max_size=12).map(lambda found: sorted(found, key=lambda sample: sample.t))


@given(traces, st.floats(0, 20_000), st.floats(0.01, 4), st.floats(1, 1000))
def test_a_share_is_a_share_and_falls_with_the_need(trace: list[Sample], duration: float, scale: float, dwell: float) -> None:
    grid = grid_of(trace, width=WIDTH, height=HEIGHT, duration_ms=duration)
    share = share_seen(grid, scale, dwell)
    assert 0.0 <= share <= 1.0
    assert share_seen(grid, scale * 2, dwell) <= share
    assert share_seen(grid, scale, dwell * 2) <= share


@given(traces, st.floats(0, 20_000))
def test_no_cell_earns_more_than_the_duration(trace: list[Sample], duration: float) -> None:
    grid = grid_of(trace, width=WIDTH, height=HEIGHT, duration_ms=duration)
    assert grid.dwell.max() <= duration + 1e-6


@given(st.lists(traces, min_size=1, max_size=4))
def test_the_union_does_not_depend_on_the_order_and_never_loses(several: list[list[Sample]]) -> None:
    grids = [grid_of(trace, width=WIDTH, height=HEIGHT, duration_ms=5000) for trace in several]
    together = union(grids)
    assert np.array_equal(union(list(reversed(grids))).dwell, together.dwell)
    assert share_seen(together, 1.0, 300) >= max(share_seen(grid, 1.0, 300) for grid in grids)
