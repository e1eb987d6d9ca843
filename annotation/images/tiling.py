"""IIIF Image API 3 arithmetic: which tiles a pyramid has, what they are called, and what a request asks for.

A pyramid has a level for every scale factor 1, 2, 4, ... up to the first at which the picture fits one tile. A tile
at factor f covers a square of 512 * f pixels of the full picture (less at the right and lower edge) and is that
region divided by f, rounded up. These are the names that libvips writes and that OpenSeadragon asks for.
All lengths are pixels of the upright original. Pure.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from annotation.errors import Invalid

TILE = 512
MAX_CROP = 1024  # longest side of a picture put together on request: some 30 tiles are decoded for it at most
FEATURES = ["regionByPx", "sizeByW", "sizeByWh"]

REGION = re.compile(r"(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})", re.ASCII)
SIZE = re.compile(r"(\d{1,6}),(\d{1,6})?", re.ASCII)


class NotOffered(Invalid):
    """A region or size that is malformed, outside the picture, larger than real, or above the limit."""

    code = "region-not-offered"


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


def info_json(identifier: str, width: int, height: int) -> dict[str, object]:
    """The image's description for viewers: level 0 plus crops by pixels."""
    factors = scale_factors(width, height)
    small_width, small_height = level_size(width, height, factors[-1])
    return {
        "@context": "http://iiif.io/api/image/3/context.json",
        "id": identifier,
        "type": "ImageService3",
        "protocol": "http://iiif.io/api/image",
        "profile": "level0",
        "width": width,
        "height": height,
        "maxWidth": MAX_CROP,
        "maxHeight": MAX_CROP,
        "sizes": [{"width": small_width, "height": small_height}],
        "tiles": [{"width": TILE, "height": TILE, "scaleFactors": factors}],
        "preferredFormats": ["jpg"],
        "extraFeatures": FEATURES,
    }


def requested(region: str, size: str, width: int, height: int) -> Cut:
    """What `<region>/<size>` of an address asks for, in canonical form. Raises NotOffered.

    Regions: `full`, `x,y,w,h`. Sizes: `max` (scaled down to MAX_CROP where larger), `w,`, `w,h` of the same shape.
    """
    x, y, region_width, region_height = _region(region, width, height)
    out_width, out_height = _size(size, region_width, region_height)
    whole = (region_width, region_height) == (width, height)
    return Cut(x, y, region_width, region_height, out_width, out_height, whole=whole)


def boxed(box: Sequence[float] | None, width: int, height: int, longest: int) -> Cut:
    """The cut for a box [x1, y1, x2, y2], rounded outwards to whole pixels, its longer side at most `longest`."""
    x1, y1, x2, y2 = box or (0, 0, width, height)
    left, top, right, bottom = max(0, floor(x1)), max(0, floor(y1)), min(width, ceil(x2)), min(height, ceil(y2))
    if left >= right or top >= bottom:
        raise NotOffered(f"The box {list(box or ())} lies outside the picture of {width} x {height} pixels.")
    across, down = right - left, bottom - top
    out_width, out_height = _fit(across, down, min(1.0, min(longest, MAX_CROP) / max(across, down)))
    return Cut(left, top, across, down, out_width, out_height, whole=(across, down) == (width, height))


def crop_factor(cut: Cut, width: int, height: int) -> int:
    """The factor of the smallest level that still holds a crop at its wanted size, judged by the crop's longer side."""
    side, out_side = (cut.width, cut.out_width) if cut.width >= cut.height else (cut.height, cut.out_height)
    return max(factor for factor in scale_factors(width, height) if factor == 1 or side >= factor * out_side)


def tiles_below(cut: Cut, factor: int, width: int, height: int) -> Iterator[Cut]:
    """The tiles of one level that a crop touches."""
    side = TILE * factor
    for y in range(cut.y // side * side, cut.y + cut.height, side):
        for x in range(cut.x // side * side, cut.x + cut.width, side):
            yield tile_at(width, height, factor, x, y)


def _region(region: str, width: int, height: int) -> tuple[int, int, int, int]:
    if region == "full":
        return 0, 0, width, height
    match = REGION.fullmatch(region)
    if not match:
        raise NotOffered(f"Region {region!r}: write full or x,y,w,h in pixels.")
    x, y, region_width, region_height = (int(part) for part in match.groups())
    # IIIF: a region that reaches over the edge is cut at the edge.
    region_width, region_height = min(region_width, width - x), min(region_height, height - y)
    if region_width < 1 or region_height < 1:
        raise NotOffered(f"Region {region!r} lies outside the picture of {width} x {height} pixels.")
    return x, y, region_width, region_height


def _size(size: str, width: int, height: int) -> tuple[int, int]:
    if size == "max":
        return _fit(width, height, min(1.0, MAX_CROP / max(width, height)))
    match = SIZE.fullmatch(size)
    if not match:
        raise NotOffered(f"Size {size!r}: write max, w, or w,h.")
    out_width = int(match[1])
    out_height = int(match[2]) if match[2] else _fit(width, height, out_width / width)[1]
    if not 1 <= out_width <= width or not 1 <= out_height <= height:
        raise NotOffered(f"Size {size!r}: at least one pixel, at most the region's own {width},{height}.")
    if max(out_width, out_height) > MAX_CROP:
        raise NotOffered(f"Size {size!r}: at most {MAX_CROP} pixels a side; ask for tiles instead.")
    # One pixel of rounding either way; anything more would distort, and could touch any number of tiles.
    if abs(out_width * height - out_height * width) > max(width, height):
        raise NotOffered(f"Size {size!r} has another shape than the region of {width},{height}.")
    return out_width, out_height


def _fit(width: int, height: int, scale: float) -> tuple[int, int]:
    return max(1, round(width * scale)), max(1, round(height * scale))
