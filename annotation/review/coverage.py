"""What a person has seen: from the trace of the viewport to a grid of cells, and from grids to shares.

A **trace** is the fact: where the visible rectangle stood, at which scale, since when. A **grid** is derived from it by
a named version of the rule below and can be derived again at any time.

The rule (GRID_VERSION): the picture is cut into cells, CELLS along its longer side. A sample holds until the next one.
While it holds, a cell earns the time multiplied by the part of the cell that is in view, so a cell half in view for
two seconds and a cell fully in view for one earn the same. Scales are CSS pixels per image pixel and are put into
quarter-octave bands, so a scale up to 16 % below the needed one may still count as reaching it, never less.

Lengths are pixels of the upright original, times are milliseconds.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from annotation.errors import Invalid

GRID_VERSION = "grid-1"
CELLS = 32
BANDS_PER_OCTAVE = 4
LOWEST_BAND, HIGHEST_BAND = -32, 16
"""Scales from 1/256 to 16; finer or coarser ones count as these."""

SAMPLES_ACCEPTED = 20_000
SAMPLES_KEPT = 1_000
HOLD_LIMIT_MS = 10_000
"""A view that rests longer (a telephone call) earns no more than this."""
SCREEN_LIMIT = 8_192
"""No screen shows more CSS pixels along one side; a trace that claims it is not the trace of a screen."""

TARGET_CSS_PX = 12
DEFAULT_TARGET_SHARE = 0.005
FIELDS = ("t", "x", "y", "w", "h", "s", "r")

Box = tuple[float, float, float, float]
Numbers = NDArray[np.float64]


class TraceInvalid(Invalid):
    """The trace is not the record of a viewport: wrong shape, impossible numbers, or far too long."""

    code = "trace-invalid"


@dataclass(frozen=True, slots=True)
class Sample:
    """From time `t` on, the rectangle x, y, w, h was visible at scale `s`, turned by `r` degrees."""

    t: float
    x: float
    y: float
    w: float
    h: float
    s: float
    r: float = 0.0


@dataclass(frozen=True, eq=False)
class Grid:
    """`dwell[band][row][column]`: weighted milliseconds at that band's scale *or finer*."""

    width: int
    height: int
    dwell: Numbers
    version: str = GRID_VERSION

    def as_json(self) -> dict[str, object]:
        """Only the bands that add something are written; times are whole milliseconds."""
        bands = {
            str(LOWEST_BAND + index): [[round(value) for value in row] for row in level.tolist()]
            for index, level in enumerate(self.dwell)
            if level.any() and (index + 1 == len(self.dwell) or not np.array_equal(level, self.dwell[index + 1]))
        }
        return {"version": self.version, "width": self.width, "height": self.height, "bands": bands}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The inverse of `as_json`. Raises TraceInvalid for a grid of another version."""
        if value["version"] != GRID_VERSION:
            raise TraceInvalid(f"This grid was made by {value['version']}, not by {GRID_VERSION}: derive it again.")
        width, height, bands = int(value["width"]), int(value["height"]), value["bands"]
        dwell = _empty(width, height)
        for band in sorted(map(int, bands), reverse=True):
            dwell[: band - LOWEST_BAND + 1] = np.asarray(bands[str(band)], dtype=float)
        return cls(width, height, dwell)


def needed_scale(width: int, height: int, target_px: float | None = None) -> float:
    """CSS pixels per image pixel at which the smallest plausible target is TARGET_CSS_PX wide.

    `target_px` is that target's size in image pixels; where nothing is known, half a percent of the longer side
    (about the smallest target of V*Bench), which asks for a picture 2,400 CSS pixels long, whatever its own size.
    """
    longer = max(width, height)
    target = DEFAULT_TARGET_SHARE * longer if target_px is None else min(target_px, longer)
    if not target > 0:
        raise TraceInvalid("A target needs a size above zero.", field="target_px")
    return TARGET_CSS_PX / target


def read_trace(raw: object) -> tuple[Sample, ...]:
    """Check what a browser sent and thin it to SAMPLES_KEPT; this is what is stored and what grids are made from.

    Raises TraceInvalid naming the sample and the reason. A rectangle may reach beyond the picture (a zoomed-out view
    does); it is clipped later. Thinning drops the shortest views; their time goes to the view before.
    """
    if not isinstance(raw, list):
        raise TraceInvalid("The trace is not a list of samples.", field="trace")
    if len(raw) > SAMPLES_ACCEPTED:
        raise TraceInvalid(
            f"The trace has {len(raw)} samples; {SAMPLES_ACCEPTED} are the most: record at most ten a second.",
            field="trace",
        )
    samples = [_read_sample(index, value) for index, value in enumerate(raw)]
    for index, (before, after) in enumerate(pairwise(samples), start=1):
        if after.t < before.t:
            raise _bad(index, "its time lies before that of the sample before it")
    return _thinned(samples)


def grid_of(samples: Sequence[Sample], *, width: int, height: int, duration_ms: float) -> Grid:
    """The grid of one person's search of one picture.

    `duration_ms` is the server's own measure from lease to submit: a trace that claims more time has all its times
    shrunk to fit, so nobody can have looked for longer than they had the item.
    """
    dwell = _empty(width, height)
    usable = [(sample, hold) for sample, hold in zip(samples, _holds(samples, duration_ms), strict=True) if hold > 0]
    if not usable:
        return Grid(width, height, dwell)
    boxes = np.array([(s.x, s.y, s.x + s.w, s.y + s.h) for s, _ in usable])
    across = _parts(boxes[:, 0], boxes[:, 2], width, dwell.shape[2])
    down = _parts(boxes[:, 1], boxes[:, 3], height, dwell.shape[1])
    weighted = down * np.array([hold for _, hold in usable])[:, None]
    bands = np.array([_band(sample.s) for sample, _ in usable])
    for band in np.unique(bands):
        chosen = bands == band
        # A view at one scale also shows everything a coarser scale would: each band holds "at this scale or finer".
        dwell[: band - LOWEST_BAND + 1] += weighted[chosen].T @ across[chosen]
    return Grid(width, height, dwell)


def union(grids: Iterable[Grid]) -> Grid:
    """What a group has seen: each cell as well as the one who saw it best. Times are not added up, since three
    glances by three people are no look. Raises TraceInvalid for no grid, or grids of different pictures."""
    several = list(grids)
    if not several:
        raise TraceInvalid("The union needs at least one grid.")
    first = several[0]
    if any((grid.width, grid.height) != (first.width, first.height) for grid in several):
        raise TraceInvalid("These grids belong to different pictures.")
    return Grid(first.width, first.height, np.maximum.reduce([grid.dwell for grid in several]))


def seen_cells(grid: Grid, needed_scale: float, dwell_ms: float) -> Numbers:
    """Rows x columns: how far each cell counts as seen, 0 to 1, at that scale with that minimum dwell."""
    seen: Numbers = np.minimum(1.0, grid.dwell[_band(needed_scale) - LOWEST_BAND] / max(dwell_ms, 1.0))
    return seen


def share_seen(grid: Grid, needed_scale: float, dwell_ms: float, *, region: Box | None = None) -> float:
    """The share of the picture's area (or of a region's) that counts as seen; a region of no area has 0."""
    seen = seen_cells(grid, needed_scale, dwell_ms)
    weights = np.ones_like(seen) if region is None else _region_weights(grid, region)
    total = weights.sum()
    return float((seen * weights).sum() / total) if total else 0.0


def best_scale(grid: Grid, dwell_ms: float) -> list[list[float]]:
    """Rows x columns: the finest scale at which each cell was seen long enough; 0 where it never was."""
    long_enough = grid.dwell >= dwell_ms
    finest = long_enough.sum(axis=0) - 1
    scales = np.where(finest >= 0, 2.0 ** ((finest + LOWEST_BAND) / BANDS_PER_OCTAVE), 0.0)
    return [[float(value) for value in row] for row in scales]


def largest_unseen_block(grid: Grid, needed_scale: float, dwell_ms: float) -> Box | None:
    """The largest square block of cells of which less than half counts as seen, as a box; None where all was seen.

    The classic dynamic programme: the square ending at a cell is one larger than the smallest of its neighbours'.
    """
    unseen = seen_cells(grid, needed_scale, dwell_ms) < 0.5
    rows, columns = unseen.shape
    ending = np.zeros((rows + 1, columns + 1), dtype=int)
    for row, column in zip(*np.nonzero(unseen), strict=True):
        corner = ending[row : row + 2, column : column + 2]
        ending[row + 1, column + 1] = 1 + min(corner[0, 0], corner[0, 1], corner[1, 0])
    side = int(ending.max())
    if side == 0:
        return None
    bottom, right = (int(value) for value in np.unravel_index(int(ending.argmax()), ending.shape))
    across, down = grid.width / columns, grid.height / rows
    return ((right - side) * across, (bottom - side) * down, right * across, bottom * down)


def searched_together(
    grids: Sequence[Grid], *, needed_scale: float, dwell_ms: float, target_px: float, needed_share: float = 0.99
) -> bool:
    """Whether a group's searches carry the verdict "absent": together they saw `needed_share` of the picture, and
    left no unseen block as large as the smallest plausible target (domain rule A3). False without any search."""
    if not grids:
        return False
    together = union(grids)
    block = largest_unseen_block(together, needed_scale, dwell_ms)
    fits = block is not None and min(block[2] - block[0], block[3] - block[1]) >= target_px
    return not fits and share_seen(together, needed_scale, dwell_ms) >= needed_share


def _read_sample(index: int, value: object) -> Sample:
    if not isinstance(value, dict):
        raise _bad(index, "it is not an object")
    numbers = [_number(index, name, value.get(name, 0 if name == "r" else None)) for name in FIELDS]
    sample = Sample(*numbers)
    if sample.t < 0:
        raise _bad(index, "its time is negative")
    if not (sample.w > 0 and sample.h > 0 and sample.s > 0):
        raise _bad(index, "w, h and s must be above zero")
    if max(sample.w, sample.h) * sample.s > SCREEN_LIMIT:
        raise _bad(index, f"it claims a view of more than {SCREEN_LIMIT} CSS pixels")
    return sample


def _number(index: int, name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad(index, f"{name} is not a number")
    # The bound also keeps integers too long for a float out.
    if not -1e9 <= value <= 1e9:
        raise _bad(index, f"{name} is not a sensible number")
    return float(value)


def _bad(index: int, reason: str) -> TraceInvalid:
    return TraceInvalid(f"Sample {index + 1} of the trace is not usable: {reason}.", field="trace")


def _thinned(samples: list[Sample]) -> tuple[Sample, ...]:
    if len(samples) <= SAMPLES_KEPT:
        return tuple(samples)
    lengths = [after.t - before.t for before, after in pairwise(samples)]
    # The first and the last stay, so that the span of the whole search stays what it was.
    inner = sorted(range(1, len(samples) - 1), key=lambda index: (-lengths[index], index))[: SAMPLES_KEPT - 2]
    return tuple(samples[index] for index in sorted([0, *inner, len(samples) - 1]))


def _holds(samples: Sequence[Sample], duration_ms: float) -> list[float]:
    """How long each sample stood, fitted into the duration. The last one stands to the end of the duration.
    While the picture is being turned (not a multiple of 90 degrees) nothing is earned."""
    if not samples:
        return []
    start, end = samples[0].t, max(samples[-1].t, duration_ms)
    shrink = min(1.0, max(duration_ms, 0.0) / (end - start)) if end > start else 0.0
    ends = [sample.t for sample in samples[1:]] + [end]
    return [
        min((until - sample.t) * shrink, HOLD_LIMIT_MS) if math.fmod(sample.r, 90) == 0 else 0.0
        for sample, until in zip(samples, ends, strict=True)
    ]


def _parts(low: Numbers, high: Numbers, length: int, cells: int) -> Numbers:
    """For each interval [low, high], the part of each cell along one side that it covers, 0 to 1."""
    edges = np.linspace(0.0, length, cells + 1)
    overlap = np.minimum(high[:, None], edges[None, 1:]) - np.maximum(low[:, None], edges[None, :-1])
    return np.clip(overlap / (length / cells), 0.0, 1.0)


def _region_weights(grid: Grid, region: Box) -> Numbers:
    left, top, right, bottom = (np.array([value], dtype=float) for value in region)
    down = _parts(top, bottom, grid.height, grid.dwell.shape[1])
    return down.T @ _parts(left, right, grid.width, grid.dwell.shape[2])


def _band(scale: float) -> int:
    # The small slack makes a scale that was computed as exactly a band's lower bound land in that band.
    band = math.floor(BANDS_PER_OCTAVE * math.log2(scale) + 1e-9)
    return min(max(band, LOWEST_BAND), HIGHEST_BAND)


def _empty(width: int, height: int) -> Numbers:
    if width < 1 or height < 1:
        raise TraceInvalid("A picture has at least one pixel.", field="width")
    longer = max(width, height)
    rows, columns = (max(1, round(CELLS * side / longer)) for side in (height, width))
    return np.zeros((HIGHEST_BAND - LOWEST_BAND + 1, rows, columns))
