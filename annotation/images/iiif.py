"""What an address of the IIIF Image API 3 asks for, what it is called canonically, and how a picture is described.

The service is level 0, the tiles of the pyramid, plus the forms in FEATURES. What is not declared there is refused, and
all that is declared is served. Percentages are exact fractions, so no rounding depends on a processor. Pure.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from annotation.images.tiling import MAX_SIDE, TILE, Cut, NotOffered, level_size, scale_factors

CONTEXT = "http://iiif.io/api/image/3/context.json"
PROFILE = "http://iiif.io/api/image/3/level0.json"
MAX_AREA = 2 << 20  # pixels of a picture put together on request
FEATURES = [
    "baseUriRedirect",
    "canonicalLinkHeader",
    "cors",
    "jsonldMediaType",
    "mirroring",
    "profileLinkHeader",
    "regionByPct",
    "regionByPx",
    "regionSquare",
    "rotationBy90s",
    "sizeByConfinedWh",
    "sizeByH",
    "sizeByPct",
    "sizeByW",
    "sizeByWh",
    "sizeUpscaling",
]
QUALITIES = ("default", "color", "gray", "bitonal")
FORMATS = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"}

WHOLE = r"(\d{1,9})"
DECIMAL = r"(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})"
PIXELS = re.compile(f"{WHOLE},{WHOLE},{WHOLE},{WHOLE}", re.ASCII)
PERCENT = re.compile(f"pct:{DECIMAL},{DECIMAL},{DECIMAL},{DECIMAL}", re.ASCII)
SIZE = re.compile(rf"(\^?)(?:(max)|pct:{DECIMAL}|(!?){WHOLE},{WHOLE}|{WHOLE},|,{WHOLE})", re.ASCII)
ROTATION = re.compile(f"(!?){DECIMAL}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A cut, mirrored left to right where asked for, then turned clockwise by `rotation` degrees (0, 90, 180, 270).

    `size` is the canonical size of the address.
    """

    cut: Cut
    size: str
    rotation: int
    mirrored: bool
    quality: str
    format: str

    @property
    def name(self) -> str:
        """The canonical `<region>/<size>/<rotation>/<quality>.<format>`."""
        region = self.cut.name.partition("/")[0]
        return f"{region}/{self.size}/{'!' * self.mirrored}{self.rotation}/{self.quality}.{self.format}"

    @property
    def is_plain(self) -> bool:
        """Whether the stored tile itself would answer, if there is one of this region and size."""
        return not self.rotation and not self.mirrored and self.quality == "default" and self.format == "jpg"


def wanted(region: str, size: str, rotation: str, form: str, width: int, height: int) -> Wanted:
    """What `<region>/<size>/<rotation>/<quality>.<format>` asks for of a picture of width x height. Raises NotOffered."""
    cut, canonical = _cut(region, size, width, height)
    turned, mirrored = _rotation(rotation)
    quality, _, suffix = form.partition(".")
    if quality not in QUALITIES:
        raise NotOffered(f"Quality: write one of {', '.join(QUALITIES)}.")
    if suffix not in FORMATS:
        raise NotOffered(f"Format: write one of {', '.join(FORMATS)}.")
    # Pictures are served in colour, so `color` is what `default` gives.
    return Wanted(cut, canonical, turned, mirrored, "default" if quality == "color" else quality, suffix)


def info_json(identifier: str, width: int, height: int, rights: str = "") -> dict[str, object]:
    """The description of a picture for viewers; `rights` is a licence's URI, or empty."""
    levels = [level_size(width, height, factor) for factor in reversed(scale_factors(width, height))]
    return {
        "@context": CONTEXT,
        "id": identifier,
        "type": "ImageService3",
        "protocol": "http://iiif.io/api/image",
        "profile": "level0",
        "width": width,
        "height": height,
        "maxWidth": MAX_SIDE,
        "maxHeight": MAX_SIDE,
        "maxArea": MAX_AREA,
        "sizes": [{"width": across, "height": down} for across, down in levels if _is_within_limits(across, down)],
        "tiles": [{"width": TILE, "height": TILE, "scaleFactors": scale_factors(width, height)}],
        **({"rights": rights} if rights else {}),
        "preferredFormats": ["jpg"],
        "extraFormats": [name for name in FORMATS if name != "jpg"],
        "extraQualities": [name for name in QUALITIES if name != "default"],
        "extraFeatures": FEATURES,
    }


def _cut(region: str, size: str, width: int, height: int) -> tuple[Cut, str]:
    x, y, across, down = _region(region, width, height)
    found = _size(size, across, down)
    if not _is_within_limits(*found):
        raise NotOffered(f"Size: at most {MAX_SIDE} pixels a side and {MAX_AREA} in all; ask for tiles instead.")
    return Cut(x, y, across, down, *found, whole=(across, down) == (width, height)), _canonical_size(found, across, down)


def _region(region: str, width: int, height: int) -> tuple[int, int, int, int]:
    if region == "full":
        return 0, 0, width, height
    if region == "square":
        side = min(width, height)
        return (width - side) // 2, (height - side) // 2, side, side
    if match := PIXELS.fullmatch(region):
        x, y, across, down = (int(part) for part in match.groups())
    elif match := PERCENT.fullmatch(region):
        shares = [Fraction(part) / 100 for part in match.groups()]
        x, across = _span(shares[0], shares[2], width)
        y, down = _span(shares[1], shares[3], height)
    else:
        raise NotOffered("Region: write full, square, x,y,w,h in pixels or pct:x,y,w,h in percent.")
    # A region that reaches over the edge is cut at the edge.
    across, down = min(across, width - x), min(down, height - y)
    if across < 1 or down < 1:
        raise NotOffered(f"Region: it is empty, or lies outside the picture of {width} x {height} pixels.")
    return x, y, across, down


def _span(start: Fraction, length: Fraction, side: int) -> tuple[int, int]:
    """First pixel and number of pixels of a share of a side.

    Both ends are rounded, so that neighbours touch; what is not empty and begins inside has a pixel.
    """
    first, end = _rounded(start * side), _rounded((start + length) * side)
    if start < 1:
        first = min(first, side - 1)
    return first, max(end - first, 1 if length else 0)


def _size(size: str, across: int, down: int) -> tuple[int, int]:
    """The size at which a region of across x down pixels is wanted."""
    match = SIZE.fullmatch(size)
    if not match:
        raise NotOffered("Size: write max, w,h or !w,h or w, or ,h in pixels, or pct:n; with ^ in front it may enlarge.")
    larger, is_max, percent, confined, *numbers = match.groups()
    both, (only_width, only_height) = numbers[:2], numbers[2:]
    if is_max:
        return _largest(across, down, MAX_SIDE if larger else across, MAX_SIDE if larger else down)
    if confined:
        box = [int(number) for number in both]
        return _largest(across, down, *(box if larger else (min(box[0], across), min(box[1], down))))
    if percent:
        found = _scaled(across, down, Fraction(percent) / 100)
    elif only_width:
        found = int(only_width), _at_least_one(int(only_width), Fraction(int(only_width) * down, across))
    elif only_height:
        found = _at_least_one(int(only_height), Fraction(int(only_height) * across, down)), int(only_height)
    else:
        found = int(both[0]), int(both[1])
    if not larger and (found[0] > across or found[1] > down or Fraction(percent or 0) > 100):
        raise NotOffered(f"Size: larger than the region of {across} x {down} pixels; put ^ in front to enlarge it.")
    return found


def _scaled(across: int, down: int, scale: Fraction) -> tuple[int, int]:
    """Scaled in both directions; a strip may end one pixel thin, but what vanishes in both directions is nothing."""
    found = _rounded(across * scale), _rounded(down * scale)
    return (max(1, found[0]), max(1, found[1])) if any(found) else (0, 0)


def _at_least_one(other: int, length: Fraction) -> int:
    return max(1, _rounded(length)) if other else 0


def _largest(across: int, down: int, most_across: int, most_down: int) -> tuple[int, int]:
    """The largest size of a shape that fits a box and the limits."""
    most_across, most_down = min(most_across, MAX_SIDE), min(most_down, MAX_SIDE)
    found = _scaled(across, down, min(Fraction(most_across, across), Fraction(most_down, down)))
    if found[0] * found[1] <= MAX_AREA:
        return found
    width = isqrt(MAX_AREA * across // down)
    return width, min(_rounded(Fraction(width * down, across)), MAX_AREA // width)


def _canonical_size(found: tuple[int, int], across: int, down: int) -> str:
    if found == ((across, down) if _is_within_limits(across, down) else _largest(across, down, across, down)):
        return "max"
    if found[0] <= across and found[1] <= down:
        return f"{found[0]},{found[1]}"
    return "^max" if found == _largest(across, down, MAX_SIDE, MAX_SIDE) else f"^{found[0]},{found[1]}"


def _is_within_limits(across: int, down: int) -> bool:
    return 1 <= across <= MAX_SIDE and 1 <= down <= MAX_SIDE and across * down <= MAX_AREA


def _rotation(rotation: str) -> tuple[int, bool]:
    match = ROTATION.fullmatch(rotation)
    degrees = Fraction(match[2]) if match else None
    if match is None or degrees not in (0, 90, 180, 270, 360):
        raise NotOffered("Rotation: write 0, 90, 180 or 270, with ! in front to mirror first.")
    return int(degrees) % 360, bool(match[1])


def _rounded(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)
