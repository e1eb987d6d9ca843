"""The drawings: one SVG template per variant of a kind, filled with a thing's colours, pattern, material and label. Pure."""

import base64
import io
import math
import random
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template

from PIL import Image, ImageDraw, ImageFont

from annotation.demo.scenes.geometry import Box
from annotation.demo.scenes.kinds import PALETTE
from annotation.demo.scenes.scene import Thing

FOLDER = Path(__file__).parent / "art"
VIEW = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')
LABEL = re.compile(r"<!--label (\S+) (\S+) (\S+) (\S+) (\S+)-->")
SKINS = ("#f3cfae", "#e5b48c", "#c98f63", "#9c6a43", "#6f4a30")
HAIRS = ("#2a211c", "#5a3a22", "#8a5a2c", "#c79a4a", "#9a9a9a", "#a4482a")
# Shades of gray and brown only: they must not be taken for the color that a person is dressed in.
CLOTHS = ("#4a4238", "#5c6670", "#3a3f45", "#6b5a4a", "#45433f")
LETTER_SIZE = 120
WOOD, METAL = ("#a8733f", "#74491f", "#c99a62"), ("#9ea7b0", "#69727b", "#cfd5db")
TRIM = {"white": "#3d6fb5", "yellow": "#2d2d31"}
CREAM = "#fbf8f0"


def stem(kind: str, variant: int) -> str:
    return f"{kind.replace(' ', '_')}-{variant + 1}"


@cache
def template(name: str) -> str:
    return (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


@cache
def view(name: str) -> tuple[float, float, float, float]:
    """The drawing's own coordinates: left, top, width, height. It fills them from edge to edge."""
    found = VIEW.search(template(name))
    if found is None:
        raise ValueError(f"{name}.svg has no viewBox.")
    left, top, width, height = map(float, found.groups())
    return left, top, width, height


def label_box(thing: Thing) -> Box | None:
    """Where a thing's label is written, in pixels; None where it has none."""
    name = stem(thing.kind, thing.variant)
    slot = LABEL.search(template(name))
    if slot is None:
        return None
    left, top, width, height = view(name)
    x, y, wide, high = map(float, slot.groups()[:4])
    across, down = thing.box.width / width, thing.box.height / height
    x1, y1 = thing.box.x1 + (x - left) * across, thing.box.y1 + (y - top) * down
    return Box(int(x1), int(y1), math.ceil(x1 + wide * across), math.ceil(y1 + high * down))


def aspect(kind: str, variant: int) -> float:
    """Width divided by height."""
    _, _, width, height = view(stem(kind, variant))
    return width / height


def picture_of(thing: Thing) -> str:
    """The thing's drawing as SVG, without a size, stretched to whatever it is drawn in."""
    name = stem(thing.kind, thing.variant)
    filled = Template(template(name)).substitute(_paints(thing))
    lettered = LABEL.sub(lambda slot: _lettered(thing.label, slot), filled)
    body = lettered.replace("<svg ", '<svg preserveAspectRatio="none" ', 1).replace("\n", _definitions(thing, name) + "\n", 1)
    return _mirrored(body, name) if thing.flipped else body


def _paints(thing: Thing) -> Mapping[str, str]:
    """What the placeholders of a template stand for."""
    pick = random.Random(thing.looks)
    main, dark, light = {"wood": WOOD, "metal": METAL}.get(thing.material) or PALETTE[thing.colour or "brown"]
    patterned = thing.pattern or thing.material
    return {
        "main": main,
        "dark": dark,
        "light": light,
        "fill": "url(#pattern)" if patterned else main,
        "skin": pick.choice(SKINS),
        "hair": pick.choice(HAIRS),
        "cloth": pick.choice(CLOTHS),
    }


def _definitions(thing: Thing, name: str) -> str:
    if not (thing.pattern or thing.material):
        return ""
    main = PALETTE[thing.colour][0] if thing.colour else ""
    _, _, width, height = view(name)
    size = (width * height) ** 0.5 / (7 if thing.pattern else 3)
    tile = TILES[thing.pattern or thing.material].format(main=main, trim=TRIM.get(thing.colour, CREAM))
    scale = f'patternTransform="scale({size / 10:.3f})"'
    return f'<defs><pattern id="pattern" width="10" height="10" patternUnits="userSpaceOnUse" {scale}>{tile}</pattern></defs>'


TILES: Mapping[str, str] = {
    "striped": '<rect width="10" height="10" fill="{main}"/><rect width="4.5" height="10" fill="{trim}"/>',
    "spotted": '<rect width="10" height="10" fill="{main}"/><circle cx="5" cy="5" r="2.6" fill="{trim}"/>',
    "checkered": '<rect width="10" height="10" fill="{main}"/><path d="M0 0h5v5H0zM5 5h5v5H5z" fill="{trim}"/>',
    "wood": '<rect width="10" height="10" fill="#a8733f"/><path d="M0 1.2q3 .8 5 0t5 0M0 3.4q2-.9 5 0t5 0M0 5.6q4 1 6 0t4 0'
    'M0 8q3-.8 5 0t5 0" fill="none" stroke="#80542a" stroke-width=".35"/>'
    '<ellipse cx="6" cy="6.8" rx="1" ry=".4" fill="#80542a"/>',
    "metal": '<rect width="10" height="10" fill="#9ea7b0"/><rect x="1" width="1.6" height="10" fill="#dfe4e9"/><rect x="6" '
    'width="2.4" height="10" fill="#7d868f"/><circle cx="4.2" cy="2" r=".45" fill="#4e565e"/><circle cx="4.2" cy="7" r=".45" '
    'fill="#4e565e"/>',
}


def _mirrored(svg: str, name: str) -> str:
    left, _, width, _ = view(name)
    head, _, rest = svg.partition("<g ")
    return f'{head}<g transform="translate({2 * left + width:.2f} 0) scale(-1 1)"><g {rest.replace("</svg>", "</g></svg>")}'


def _lettered(label: str, slot: re.Match[str]) -> str:
    """The label as large as it fits into its slot; upright slots are read from below."""
    left, top, width, height, ink = slot.groups()
    upright = float(height) > float(width)
    address = "data:image/png;base64," + base64.b64encode(_letters(label, ink, upright)).decode()
    return f'<image x="{left}" y="{top}" width="{width}" height="{height}" href="{address}"/>'


@cache
def _letters(label: str, ink: str, upright: bool) -> bytes:
    font = ImageFont.load_default(LETTER_SIZE)
    left, top, right, bottom = font.getbbox(label, stroke_width=3)
    image = Image.new("RGBA", (int(right - left) + 8, int(bottom - top) + 8), (0, 0, 0, 0))
    ImageDraw.Draw(image).text((4 - left, 4 - top), label, fill=ink, font=font, stroke_width=3, stroke_fill=ink)
    stored = io.BytesIO()
    (image.transpose(Image.Transpose.ROTATE_90) if upright else image).save(stored, "PNG")
    return stored.getvalue()
