"""Are two thumbnails the same picture? One is laid over the other, and what does not fit is measured. Pure.

Laying over: scale and shift along each axis are found by Gauss-Newton steps from coarse to fine (after Lucas and Kanade,
1981), from several starts and both ways round, so that crops and borders fit. The measures are local (the structure term
of Wang et al., "Image Quality Assessment", 2004, in small overlapping squares): a thing that moved is a small part of the
whole, but all of its square, while brightness, contrast and encoding change no structure.

Both pictures of a copy are scaled alike across and down; what was photographed from another place hardly ever fits so.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotation.images.looks import SIDE, Samples, mirror_of, sampling

LEAST_DETAIL = 0.92  # of the fit: all but a twentieth of the squares have at least this structure in common
LEAST_WORST = 0.6  # and the worst square this
LEAST_CORRELATION = 0.9
LEAST_OVERLAP = 0.62  # of the area of either picture
MOST_SKEW = 0.02  # how differently the two axes are scaled, as a logarithm

STARTS = np.array(
    [(scale, x, scale, y) for scale in (0.93, 1.07) for x in (-0.035, 0.035) for y in (-0.035, 0.035)]
    + [(scale, 0, scale, 0) for scale in (1, 0.9, 1.1)],
    np.float32,
)
COARSE = 16  # samples a side at which the best start is chosen
STAGES = ((COARSE, 6), (32, 5), (SIDE, 4))  # samples a side, steps
MOST_SCALE = 1.24  # 8 % cut off both sides is 1.19
MOST_SHIFT = 0.10
MOST_STEP = 0.05
FLATTEST = 0.2  # gain below which a step is not trusted
SQUARE = 8
EDGE = 1.5  # samples at the edges that are not judged: they mix with what lies outside
FLOOR = 8.0  # variance of grain and encoding


@dataclass(frozen=True, slots=True)
class Part:
    """A thumbnail and the size in pixels of the picture it was made from."""

    grey: Samples
    width: int
    height: int

    def mirrored(self) -> "Part":
        return Part(mirror_of(self.grey), self.width, self.height)


@dataclass(frozen=True, slots=True)
class Fit:
    """How well two pictures fit: correlation of the greys, the structure that all but a twentieth of the squares share
    (`detail`) and that the worst shares, the part of either that the other covers, and how unlike the axes are scaled."""

    correlation: float
    detail: float
    worst: float
    overlap: float
    skew: float

    @property
    def same(self) -> bool:
        """Whether they are copies of one picture."""
        return (
            self.detail >= LEAST_DETAIL
            and self.worst >= LEAST_WORST
            and self.correlation >= LEAST_CORRELATION
            and self.overlap >= LEAST_OVERLAP
            and self.skew <= MOST_SKEW
        )


def best_fits(one: Part, others: Sequence[Part]) -> list[Fit]:
    """The better of two fits with each of the others: `one` laid on it, and it laid on `one`."""
    if not others:
        return []
    ways = [(one, other) for other in others] + [(other, one) for other in others]
    lower, upper = np.stack([a.grey for a, _ in ways]), np.stack([b.grey for _, b in ways])
    at = _laid_over(lower, upper)
    found = _measured(_blurred(lower), _blurred(upper), at, np.array([_shape(a, b) for a, b in ways]))
    return [max(pair, key=lambda fit: (fit.same, fit.detail)) for pair in zip(found, found[len(others) :], strict=False)]


def _shape(lower: Part, upper: Part) -> float:
    return float(np.log(upper.width / upper.height * lower.height / lower.width))


def _laid_over(lower: Samples, upper: Samples) -> Samples:
    """Scale and shift across, then down, at which each of `lower` finds itself on its `upper`: (n, 4)."""
    count, starts = len(lower), len(STARTS)
    at = np.tile(STARTS, (count, 1))
    small, rest = (np.repeat(_shrunk(greys, COARSE), starts, axis=0) for greys in (lower, upper))
    for _ in range(STAGES[0][1]):
        at = _stepped(small, rest, at)
    best = _correlations(small, rest, at).reshape(count, starts).argmax(axis=1)
    at = at.reshape(count, starts, 4)[np.arange(count), best]
    for side, steps in STAGES[1:]:
        small, rest = _shrunk(lower, side), _shrunk(upper, side)
        for _ in range(steps):
            at = _stepped(small, rest, at)
    return at


def _shrunk(greys: Samples, side: int) -> Samples:
    step = SIDE // side
    return greys.reshape(-1, side, step, side, step).mean(axis=(2, 4))


def _read(upper: Samples, at: Samples) -> Samples:
    side = upper.shape[-1]
    across, down = sampling(at[:, 0], at[:, 1], side), sampling(at[:, 2], at[:, 3], side)
    return down @ upper @ across.swapaxes(1, 2)


def _places(side: int) -> Samples:
    return ((np.arange(side) + 0.5) / side - 0.5).astype(np.float32)


def _inside(at: Samples, side: int, margin: float = 0.0) -> Samples:
    """1 for samples of `lower` that lie on `upper`, 0 for others: (n, side, side)."""
    across, down = (np.abs(at[:, axis, None] * _places(side) + at[:, axis + 1, None]) <= 0.5 - margin / side for axis in (0, 2))
    return (down[:, :, None] & across[:, None, :]).astype(np.float32)


def _stepped(lower: Samples, upper: Samples, at: Samples) -> Samples:
    """One step: the least squares of gain * lower + bias = upper, read at `at` + step, to first order."""
    side = lower.shape[-1]
    read, inside, places = _read(upper, at), _inside(at, side), _places(side)
    down, right = (np.gradient(read, axis=axis) * side for axis in (1, 2))
    columns = [right * places, right, down * places[:, None], down, read, np.ones_like(read)]
    slopes = np.stack([(column * inside).reshape(len(at), -1) for column in columns], axis=-1)
    turned = slopes.swapaxes(1, 2)
    normal = (turned @ slopes).astype(np.float64)
    normal += np.trace(normal, axis1=1, axis2=2)[:, None, None] * 1e-7 * np.eye(6)
    wanted = (turned @ (lower * inside).reshape(len(at), -1, 1)).astype(np.float64)
    solved = np.linalg.solve(normal, wanted)[..., 0]
    gain = np.maximum(solved[:, 4:5], FLATTEST)
    moved = at + np.clip(solved[:, :4] / gain, -MOST_STEP, MOST_STEP)
    moved[:, ::2] = np.clip(moved[:, ::2], 1 / MOST_SCALE, MOST_SCALE)
    moved[:, 1::2] = np.clip(moved[:, 1::2], -MOST_SHIFT, MOST_SHIFT)
    return moved.astype(np.float32)


def _correlations(lower: Samples, upper: Samples, at: Samples) -> Samples:
    return _correlated(lower, _read(upper, at), _inside(at, lower.shape[-1]))


def _correlated(lower: Samples, read: Samples, inside: Samples) -> Samples:
    count = np.maximum(inside.sum(axis=(1, 2), keepdims=True), 1)
    one, other = ((g - (g * inside).sum(axis=(1, 2), keepdims=True) / count) * inside for g in (lower, read))
    spread = np.sqrt((one**2).sum(axis=(1, 2)) * (other**2).sum(axis=(1, 2)))
    return (one * other).sum(axis=(1, 2)) / np.maximum(spread, 1)


def _measured(lower: Samples, upper: Samples, at: Samples, shapes: Samples) -> list[Fit]:
    covered = _inside(at, SIDE).mean(axis=(1, 2))
    overlap = np.minimum(covered, covered * at[:, 0] * at[:, 2])
    skew = np.abs(np.log(at[:, 0] / at[:, 2]) + shapes)
    judged, read = _inside(at, SIDE, EDGE), _read(upper, at)
    judged[:, [0, -1]] = judged[:, :, [0, -1]] = 0
    correlation = _correlated(lower, read, judged)
    detail, worst = _structure(lower, read, judged)
    columns = (correlation, detail, worst, overlap, skew)
    return [Fit(*(float(value) for value in row)) for row in zip(*columns, strict=True)]


def _structure(lower: Samples, read: Samples, judged: Samples) -> tuple[Samples, Samples]:
    """Of the squares that are judged by more than half: what a twentieth falls short of, and the least."""
    count = _squares(judged)
    size = np.maximum(count, 1)
    one, other = lower * judged, _matched(lower, read, judged)
    mean_one, mean_other = _squares(one) / size, _squares(other) / size
    shared = _squares(one * other) / size - mean_one * mean_other
    spread_one = np.maximum(_squares(one**2) / size - mean_one**2, 0)
    spread_other = np.maximum(_squares(other**2) / size - mean_other**2, 0)
    floor = np.maximum(FLOOR, 0.01 * _variance(lower, judged))[:, None, None]
    found = (shared + floor) / (np.sqrt(spread_one * spread_other) + floor)
    ranked = np.sort(np.where(count > SQUARE * SQUARE / 2, found, np.inf).reshape(len(lower), -1), axis=1)
    place = np.isfinite(ranked).sum(axis=1) // 20
    ranked = np.where(np.isfinite(ranked), ranked, -1)
    return ranked[np.arange(len(lower)), place], ranked[:, 0]


def _matched(lower: Samples, read: Samples, judged: Samples) -> Samples:
    """The read greys brought to the spread of the lower ones, so that the floor means the same for both."""
    gain = np.sqrt(_variance(lower, judged) / np.maximum(_variance(read, judged), 1))
    return read * gain[:, None, None] * judged


def _variance(greys: Samples, judged: Samples) -> Samples:
    count = np.maximum(judged.sum(axis=(1, 2)), 1)
    mean = (greys * judged).sum(axis=(1, 2)) / count
    return (((greys - mean[:, None, None]) * judged) ** 2).sum(axis=(1, 2)) / count


def _squares(values: Samples) -> Samples:
    """Sums over all squares of SQUARE samples a side that overlap by half: (n, squares down, squares across)."""
    sums = np.pad(values.astype(np.float64).cumsum(axis=1).cumsum(axis=2), ((0, 0), (1, 0), (1, 0)))
    low = np.arange(0, SIDE - SQUARE + 1, SQUARE // 2)
    high = low + SQUARE
    rows = sums[:, high] - sums[:, low]
    return rows[:, :, high] - rows[:, :, low]


def _blurred(greys: Samples) -> Samples:
    """A light blur (1 2 1), so that fine texture between samples does not count as change."""
    for axis in (1, 2):
        before, after = (np.roll(greys, shift, axis) for shift in (1, -1))
        greys = (before + 2 * greys + after) / 4  # the edges mix with the far side, and are not judged
    return greys
