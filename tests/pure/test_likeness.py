"""One picture laid over another: copies fit, also cropped, framed, brighter; a thing that moved does not."""

import numpy as np
import pytest

from annotation.images.likeness import Part, best_fits
from annotation.images.looks import SIDE, sampling
from tests.pure.test_looks import view

BASE = view(5)


def part(grey: np.ndarray, width: int = 1200, height: int = 800) -> Part:
    return Part(grey.clip(0, 255).round().astype(np.float32), width, height)


def cut(grey: np.ndarray, left: float, top: float, right: float, bottom: float) -> Part:
    """A crop, each side given as a share, with the size in pixels that it has then."""
    across, down = sampling(1 - left - right, (left - right) / 2, SIDE), sampling(1 - top - bottom, (top - bottom) / 2, SIDE)
    return part(down @ grey @ across.T, round(1200 * (1 - left - right)), round(800 * (1 - top - bottom)))


def fit(one: Part, other: Part) -> object:
    (found,) = best_fits(one, [other])
    return found


def test_a_picture_fits_itself() -> None:
    found = fit(part(BASE), part(BASE))
    assert found.same
    assert (round(found.correlation, 3), round(found.overlap, 2), round(found.skew, 3)) == (1, 1, 0)


@pytest.mark.parametrize(
    "sides", [(0.08, 0.08, 0.08, 0.08), (0.08, 0, 0, 0), (0, 0.08, 0.02, 0), (0.04, 0.04, 0.04, 0.04), (0, 0, 0.07, 0.07)]
)
def test_a_crop_fits_whichever_way_round(sides: tuple[float, float, float, float]) -> None:
    cropped = cut(BASE, *sides)
    assert fit(part(BASE), cropped).same
    assert fit(cropped, part(BASE)).same


def test_light_grain_and_size_do_not_matter() -> None:
    grain = np.random.default_rng(2).normal(0, 2, BASE.shape)
    assert fit(part(BASE), part(0.8 * BASE + 30 + grain, 600, 400)).same


def test_a_mirrored_picture_fits_only_when_it_is_turned_back() -> None:
    turned = part(BASE[:, ::-1])
    assert not fit(part(BASE), turned).same
    assert fit(part(BASE), turned.mirrored()).same


def test_a_thing_that_moved_does_not_fit_though_all_else_does() -> None:
    here, there = BASE.copy(), BASE.copy()
    here[20:32, 10:20] = view(9)[20:32, 10:20] * 0.5
    there[20:32, 36:46] = view(9)[20:32, 10:20] * 0.5
    found = fit(part(here), part(there))
    assert not found.same
    assert found.worst < 0.6


def test_what_near_moved_and_far_did_not_does_not_fit() -> None:
    rows = np.linspace(0, 0.08, SIDE)
    shifted = np.stack([sampling(1, shift, SIDE) @ row for shift, row in zip(rows, BASE, strict=True)])
    assert not fit(part(BASE), part(shifted)).same


def test_two_axes_that_are_scaled_apart_are_no_copy() -> None:
    narrowed = cut(BASE, 0.06, 0, 0.06, 0)
    assert fit(part(BASE), narrowed).same
    assert not fit(part(BASE), Part(narrowed.grey, 1200, 800)).same, "cut at two sides, yet of the old shape"


def test_half_of_a_picture_is_not_its_copy() -> None:
    assert not fit(part(BASE), cut(BASE, 0.4, 0, 0, 0)).same


def test_a_flat_picture_fits_nothing_and_breaks_nothing() -> None:
    flat = part(np.full((SIDE, SIDE), 200.0))
    assert not fit(part(BASE), flat).same
    assert not fit(flat, part(BASE)).same


def test_many_are_judged_as_each_alone() -> None:
    others = [cut(BASE, 0.05, 0, 0, 0.05), part(view(6)), part(BASE)]
    assert best_fits(part(BASE), []) == []
    together = best_fits(part(BASE), others)
    assert [found.same for found in together] == [True, False, True]
    for found, other in zip(together, others, strict=True):
        assert found.detail == pytest.approx(fit(part(BASE), other).detail, abs=1e-3)
