"""What a picture looks like, small enough to keep and to search: a grey thumbnail, and hashes of it. Pure.

The thumbnail is the whole picture squeezed to SIDE x SIDE grey samples, whatever its shape: then a crop of a picture is
a scaled and shifted part of its thumbnail along each axis. A hash holds the signs of the 63 lowest frequencies of the
cosine transform (after Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions", 2010, with the
sign in place of the median): bit 8 * v + u - 1 for u half waves across and v down. Mirroring a picture changes the sign
of every odd u, so the mirror's hash is the hash with these bits turned.

A picture has three hashes, of the whole and of it with TRIMS of each side cut off: one of them is close to the whole of
a picture that was cropped. They only say whom to look at closely, which `likeness` does.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.floating[Any]]

VERSION = 2  # of the rule: what is stored by another one is made anew by `cluster_images`
SIDE = 64
TRIMS = (0.0, 0.035, 0.07)
WAVES = 8
BLOCK = 8
LEAST_CONTRAST = 3.0  # standard deviation in a block of BLOCK x BLOCK samples, of 255
LEAST_BLOCKS = 16  # of 64: a blank page, or three bars on white, says too little


@dataclass(frozen=True, slots=True)
class Look:
    """`thumb` has SIDE * SIDE bytes, row by row; `hashes` are 63 bit numbers, one for each of TRIMS; `telling` says
    whether there is enough in the picture to judge by."""

    thumb: bytes
    hashes: tuple[int, ...]
    telling: bool


def look_of(thumb: bytes) -> Look:
    """The look of a thumbnail. ValueError if it does not have SIDE * SIDE bytes."""
    grey = samples_of(thumb)
    return Look(thumb, tuple(_hash(grey, trim) for trim in TRIMS), is_telling(grey))


def samples_of(thumb: bytes) -> Samples:
    """A thumbnail as an array."""
    return np.frombuffer(thumb, np.uint8).reshape(SIDE, SIDE).astype(np.float32)


def is_telling(grey: Samples) -> bool:
    """Whether enough blocks of a thumbnail hold something."""
    blocks = grey.reshape(SIDE // BLOCK, BLOCK, SIDE // BLOCK, BLOCK)
    return int((blocks.std(axis=(1, 3)) >= LEAST_CONTRAST).sum()) >= LEAST_BLOCKS


def mirrored(look: int) -> int:
    """The hash of the mirrored picture."""
    return look ^ MIRROR


def mirror_of(grey: Samples) -> Samples:
    """The thumbnail of the mirrored picture."""
    return grey[:, ::-1]


def apart(one: int, other: int) -> int:
    """How many bits of two hashes differ."""
    return (one ^ other).bit_count()


def sampling(scale: Any, shift: Any, side: int) -> Samples:
    """Matrices (..., side, side) that read a line of `side` samples at `scale` * x + `shift` by linear interpolation, x
    and shift as shares of the line measured from its middle; rows that fall outside read its edge."""
    middle = (np.arange(side, dtype=np.float32) + 0.5) / side - 0.5
    at = np.multiply.outer(np.asarray(scale, np.float32), middle) + np.asarray(shift, np.float32)[..., None]
    place = np.clip((at + 0.5) * side - 0.5, 0, side - 1)
    return np.maximum(0, 1 - np.abs(place[..., None] - np.arange(side, dtype=np.float32)))


def _hash(grey: Samples, trim: float) -> int:
    inner = sampling(1 - 2 * trim, 0.0, SIDE)
    part = inner @ grey @ inner.T
    waves = COSINES @ (part - part.mean()) @ COSINES.T  # [v, u]
    bits = (waves > 0).ravel()[1:]  # without the mean
    return int(sum(1 << place for place, bit in enumerate(bits) if bit))


def _cosines() -> Samples:
    places = (np.arange(SIDE) + 0.5) / SIDE
    return np.cos(np.pi * np.outer(np.arange(WAVES), places)).astype(np.float32)


COSINES = _cosines()
MIRROR = sum(1 << (WAVES * v + u - 1) for v in range(WAVES) for u in range(1, WAVES, 2))
