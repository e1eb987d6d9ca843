"""The arithmetic of pyramids: which tiles there are, what they are called, and which of them a crop needs.

A pyramid has a level for every scale factor 1, 2, 4, ... up to the first at which the picture fits one tile. A tile
at factor f covers a square of 512 * f pixels of the full picture (less at the right and lower edge) and is that
region divided by f, rounded up. These are the names that libvips writes and that OpenSeadragon asks for.
All lengths are pixels of the upright original. Pure.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from annotation.errors import Invalid

TILE = 512
MAX_CROP = 1024  # longest side of a crop where nobody says another
MAX_SIDE = 2048  # of any crop
MOST_TILES = 81  # decoded for one crop: enough for one of MAX_SIDE in both directions that is not distorted


class NotOffered(Invalid):
    """What is asked for is malformed, lies outside the picture, is above the limit, or is not made here."""

    code = "picture-not-offered"


@dataclass(frozen=True, slots=True)
class Cut:
    """A rectangle of the picture (x, y, width, height) and the size at which it is wanted (out_width, out_height)."""

    x: int
    y: int
    width: int
    height: int
    out_width: int
    out_height: int
    whole: bool = False

    @property
    def name(self) -> str:
        """The canonical `<region>/<size>`, as in the address and in the pyramid."""
        region = "full" if self.whole else f"{self.x},{self.y},{self.width},{self.height}"
        return f"{region}/{self.out_width},{self.out_height}"


def scale_factors(width: int, height: int) -> list[int]:
    """The factors of a picture's levels, from full size down: powers of two until it fits one tile."""
    factors = [1]
    while max(level_size(width, height, factors[-1])) > TILE:
        factors.append(factors[-1] * 2)
    return factors


def level_size(width: int, height: int, factor: int) -> tuple[int, int]:
    """Width and height of the level at a factor, rounded up."""
    return -(-width // factor), -(-height // factor)


def tiles(width: int, height: int) -> Iterator[Cut]:
    """All tiles of a pyramid, level by level, row by row."""
    for factor in scale_factors(width, height):
        yield from level_tiles(width, height, factor)


def level_tiles(width: int, height: int, factor: int) -> Iterator[Cut]:
    """The tiles of one level, row by row."""
    side = TILE * factor
    for y in range(0, height, side):
        for x in range(0, width, side):
            yield tile_at(width, height, factor, x, y)


def tile_at(width: int, height: int, factor: int, x: int, y: int) -> Cut:
    """The tile of a level whose upper left corner is (x, y) in pixels of the picture."""
    side = TILE * factor
    tile_width, tile_height = min(side, width - x), min(side, height - y)
    whole = (tile_width, tile_height) == (width, height)
    return Cut(x, y, tile_width, tile_height, *level_size(tile_width, tile_height, factor), whole=whole)


def boxed(box: Sequence[float] | None, width: int, height: int, longest: int) -> Cut:
    """The cut for a box [x1, y1, x2, y2], rounded outwards to whole pixels, its longer side at most `longest`."""
    x1, y1, x2, y2 = box or (0, 0, width, height)
    left, top, right, bottom = max(0, floor(x1)), max(0, floor(y1)), min(width, ceil(x2)), min(height, ceil(y2))
    if left >= right or top >= bottom:
        raise NotOffered(f"The box {list(box or ())} lies outside the picture of {width} x {height} pixels.")
    across, down = right - left, bottom - top
    scale = min(1.0, min(longest, MAX_SIDE) / max(across, down))
    out_width, out_height = max(1, round(across * scale)), max(1, round(down * scale))
    return Cut(left, top, across, down, out_width, out_height, whole=(across, down) == (width, height))


def crop_factor(cut: Cut, width: int, height: int) -> int:
    """The factor of the smallest level that still holds a crop at its wanted size in both directions.

    A crop that is squeezed in one direction only may take a smaller level, so that it needs no more than MOST_TILES.
    """
    shrink = min(cut.width / cut.out_width, cut.height / cut.out_height)
    factors = scale_factors(width, height)
    sharp = max(factor for factor in factors if factor <= max(1, shrink))
    return next((factor for factor in factors if factor >= sharp and _count_below(cut, factor) <= MOST_TILES), factors[-1])


def tiles_below(cut: Cut, factor: int, width: int, height: int) -> Iterator[Cut]:
    """The tiles of one level that a crop touches."""
    side = TILE * factor
    for y in range(cut.y // side * side, cut.y + cut.height, side):
        for x in range(cut.x // side * side, cut.x + cut.width, side):
            yield tile_at(width, height, factor, x, y)


def _count_below(cut: Cut, factor: int) -> int:
    side = TILE * factor
    across = (cut.x + cut.width - 1) // side - cut.x // side + 1
    return across * ((cut.y + cut.height - 1) // side - cut.y // side + 1)
