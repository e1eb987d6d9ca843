"""A search is told again as it was: what counts as seen, and every view of the picture in its order."""

from typing import Any

import pytest

from annotation.review.coverage import CELLS, TraceInvalid, grid_of, read_trace
from annotation.review.replay import Replay, replay

WIDTH, HEIGHT = 3200, 1600


def sample(t: float, x: float, y: float, w: float, h: float, s: float = 1.0) -> dict[str, float]:
    return {"t": t, "x": x, "y": y, "w": w, "h": h, "s": s, "r": 0}


def told(*trace: dict[str, float], duration: int = 10_000, version: str = "", **policy: Any) -> Replay:
    grid = grid_of(read_trace(list(trace)), width=WIDTH, height=HEIGHT, duration_ms=duration).as_json()
    if version:
        grid["version"] = version
    return replay(trace=trace, grid=grid, **{"needed_scale": 0.5, "dwell_ms": 300, "duration_ms": duration, **policy})


def test_the_left_half_that_was_seen_is_seen_and_the_right_half_is_not() -> None:
    seen = told(sample(0, 0, 0, WIDTH / 2, HEIGHT)).seen
    assert seen == [[100] * (CELLS // 2) + [0] * (CELLS // 2)] * (CELLS // 2)


def test_what_was_seen_from_too_far_away_is_not_seen() -> None:
    assert {cell for row in told(sample(0, 0, 0, WIDTH, HEIGHT, 0.1)).seen for cell in row} == {0}


def test_views_start_at_zero_and_stay_within_the_picture() -> None:
    found = told(sample(400, -500, -500, WIDTH, HEIGHT, 0.25), sample(1400, 3000, 1500, 400, 400, 2))
    assert found.views == [[0, 0, 0, 2700, 1100, 0.25], [1000, 3000, 1500, WIDTH, HEIGHT, 2]]
    assert found.duration == 9600


def test_a_view_beside_the_picture_is_left_out() -> None:
    assert [view[0] for view in told(sample(0, 0, 0, 10, 10), sample(50, 4000, 0, 10, 10), sample(90, 5, 0, 9, 9)).views] == [
        0,
        90,
    ]


def test_a_search_does_not_end_before_its_last_view() -> None:
    assert told(sample(0, 0, 0, 10, 10), sample(5000, 0, 0, 10, 10), duration=1000).duration == 5000


def test_a_grid_of_another_rule_is_not_told_by_this_one() -> None:
    with pytest.raises(TraceInvalid, match="derive it again"):
        told(sample(0, 0, 0, 10, 10), version="grid-0")
