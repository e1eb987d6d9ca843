"""One person's search of a picture, told again: what counts as seen, and where they looked, in their order. Pure.

Lengths are pixels of the upright original, times milliseconds since the first view.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.review import coverage


@dataclass(frozen=True, slots=True)
class Replay:
    """`seen[row][column]` is the percentage to which a cell counts as seen at the scale that the search needed.

    `views` are [t, left, top, right, bottom, scale in CSS pixels per image pixel], each holding until the next;
    `duration` is when the last one ended, by the server's own measure.
    """

    seen: list[list[int]]
    views: list[list[float]]
    duration: int

    def as_json(self) -> dict[str, Any]:
        return {"seen": self.seen, "views": self.views, "duration": self.duration}


def replay(
    *, trace: Sequence[Mapping[str, float]], grid: Mapping[str, Any], needed_scale: float, dwell_ms: float, duration_ms: int
) -> Replay:
    """The replay of a stored search record. Raises TraceInvalid for a grid of another version.

    Views are clipped to the picture; those that show nothing of it are left out.
    """
    derived = coverage.Grid.from_json(grid)
    cells = coverage.seen_cells(derived, needed_scale, dwell_ms)
    start = trace[0]["t"] if trace else 0
    views = [_view(sample, start, derived.width, derived.height) for sample in trace]
    shown = [view for view in views if view[3] > view[1] and view[4] > view[2]]
    last = shown[-1][0] if shown else 0
    return Replay(
        seen=[[int(100 * cell) for cell in row] for row in cells.tolist()],
        views=shown,
        duration=int(max(last, duration_ms - start)),
    )


def _view(sample: Mapping[str, float], start: float, width: int, height: int) -> list[float]:
    left, top = max(0.0, sample["x"]), max(0.0, sample["y"])
    right, bottom = min(float(width), sample["x"] + sample["w"]), min(float(height), sample["y"] + sample["h"])
    return [round(sample["t"] - start), *(round(side) for side in (left, top, right, bottom)), round(sample["s"], 4)]
