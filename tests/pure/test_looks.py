"""What a picture looks like: hashes of a small grey view, of its inner parts and of its mirror."""

import numpy as np
import pytest

from annotation.images import looks
from annotation.images.looks import SIDE, TRIMS, apart, look_of, mirrored, samples_of, sampling


def view(seed: int = 1) -> np.ndarray:
    """Soft shapes, as a photograph has."""
    dice, places = np.random.default_rng(seed), (np.arange(SIDE) + 0.5) / SIDE
    grey = np.full((SIDE, SIDE), 128.0)
    for _ in range(60):
        across, down, turn = dice.uniform(0, 9), dice.uniform(0, 9), dice.uniform(0, 6)
        grey += dice.normal(0, 60) / (1 + across + down) * np.cos(np.pi * (across * places + down * places[:, None]) + turn)
    return grey.clip(0, 255)


def thumb(grey: np.ndarray) -> bytes:
    return grey.round().astype(np.uint8).tobytes()


def test_a_look_has_three_hashes_of_63_bits() -> None:
    look = look_of(thumb(view()))
    assert len(look.hashes) == len(TRIMS) == 3
    assert all(0 < value < 1 << 63 for value in look.hashes)
    assert look.telling


def test_a_view_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError):
        look_of(b"\x00" * 100)


@pytest.mark.parametrize("seed", range(8))
def test_the_mirrors_hash_is_told_without_its_pixels(seed: int) -> None:
    look, turned = look_of(thumb(view(seed))), look_of(thumb(view(seed)[:, ::-1]))
    for one, other in zip(look.hashes, turned.hashes, strict=True):
        assert apart(mirrored(one), other) <= 1  # a wave of next to nothing may have either sign
        assert apart(one, other) > 10
    assert mirrored(mirrored(look.hashes[0])) == look.hashes[0]


def test_brightness_and_contrast_change_no_hash() -> None:
    grey = view()
    assert apart(look_of(thumb(grey)).hashes[0], look_of(thumb(0.6 * grey + 40)).hashes[0]) <= 1


def test_other_pictures_are_far_apart() -> None:
    found = [look_of(thumb(view(seed))).hashes[0] for seed in range(12)]
    distances = [apart(one, other) for place, one in enumerate(found) for other in found[:place]]
    assert min(distances) > 10
    assert 26 < sum(distances) / len(distances) < 36


def test_a_cropped_pictures_whole_is_near_the_others_inner_part() -> None:
    grey = view(3)
    inner = sampling(0.86, 0.0, SIDE)
    cropped = look_of(thumb(inner @ grey @ inner.T))
    whole = look_of(thumb(grey))
    assert apart(cropped.hashes[0], whole.hashes[2]) <= 3
    assert apart(cropped.hashes[0], whole.hashes[0]) > apart(cropped.hashes[0], whole.hashes[2])


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_a_blank_page_tells_nothing(shade: int) -> None:
    grain = np.random.default_rng(1).normal(0, 1.5, (SIDE, SIDE))
    assert not look_of(thumb((shade + grain).clip(0, 255))).telling


def test_one_mark_on_a_page_tells_too_little() -> None:
    page = np.full((SIDE, SIDE), 250.0)
    page[20:32, 30:50] = 20
    assert not look_of(thumb(page)).telling


def test_sampling_reads_a_line_where_it_says() -> None:
    line = np.arange(SIDE, dtype=np.float32)
    np.testing.assert_allclose(sampling(1, 0, SIDE) @ line, line, atol=1e-4)
    np.testing.assert_allclose((sampling(1, 0.25, SIDE) @ line)[:16], line[16:32], atol=1e-4)
    assert (sampling(1, 0.25, SIDE) @ line)[-1] == SIDE - 1, "what lies outside reads the edge"
    assert sampling(np.ones((5,)), np.zeros((5,)), 16).shape == (5, 16, 16)


def test_samples_are_rows_of_a_view() -> None:
    grey = np.arange(SIDE * SIDE).reshape(SIDE, SIDE) % 256
    np.testing.assert_array_equal(samples_of(thumb(grey)), grey)
    np.testing.assert_array_equal(looks.mirror_of(samples_of(thumb(grey))), grey[:, ::-1])
