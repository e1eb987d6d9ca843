"""What lies behind the things: sky, cobbles, water and quay in perspective, a row of houses, the wall of shelves.

Nothing here is ever asked about. Ground is a small texture laid out in perspective, row by row; the rest are drawings.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyvips
from numpy.typing import NDArray

from annotation.demo.scenes.families import FAMILIES
from annotation.demo.scenes.geometry import Box
from annotation.demo.scenes.scene import Scene
from annotation.demo.scenes.shelving import BOARDS, COLUMNS, POST, THICKNESS, UNITS, board

Pixels = NDArray[np.uint8]
TILE = 1024
NEAR_TILES = 9.0  # widths of the texture across the foreground
QUAY = 0.555
SVG = '<svg xmlns="http://www.w3.org/2000/svg" preserveAspectRatio="none" viewBox="0 0 {width} {height}">{body}</svg>'
WALLS = ("#e9d3a6", "#d99b7a", "#c7b7d6", "#a9c6c0", "#e7b9a0", "#d8d2c4", "#b9cbe0", "#e3c27a")
ROOFS = ("#a5533a", "#7d4a3c", "#5f5a5c", "#8c6a4a")


@dataclass(frozen=True, slots=True)
class Piece:
    """A drawing and where it goes."""

    box: Box
    svg: str


def surface(scene: Scene, top: int, bottom: int) -> Pixels:
    """Rows `top` to `bottom` of what is continuous."""
    return SURFACES[scene.family](scene, top, bottom)


def pieces(scene: Scene) -> Iterator[Piece]:
    """The drawings over it, from back to front."""
    yield from PIECES[scene.family](scene)


def _market(scene: Scene, top: int, bottom: int) -> Pixels:
    sky = _sky(scene, top, bottom, (142, 190, 232), (231, 238, 240))
    return _below(top, bottom, scene.horizon, _ground(scene, top, bottom, "cobbles"), sky)


def _harbour(scene: Scene, top: int, bottom: int) -> Pixels:
    sky = _sky(scene, top, bottom, (120, 176, 226), (238, 232, 214))
    sea = _below(top, bottom, scene.horizon, _ground(scene, top, bottom, "water"), sky)
    return _below(top, bottom, round(QUAY * scene.height), _ground(scene, top, bottom, "slabs"), sea)


def _shelves(scene: Scene, top: int, bottom: int) -> Pixels:
    tile = _texture("wood")
    scale = UNITS / scene.width / 2.2
    rows = (np.arange(top, bottom) * scale).astype(np.int64) % TILE
    columns = (np.arange(scene.width) * scale).astype(np.int64) % TILE
    return (tile[rows[:, None], columns[None, :]] * 0.62).astype(np.uint8)


def _below(top: int, bottom: int, edge: int, lower: Pixels, upper: Pixels) -> Pixels:
    rows = np.arange(top, bottom)[:, None, None]
    return np.where(rows >= edge, lower, upper)


def _sky(scene: Scene, top: int, bottom: int, high: tuple[int, int, int], low: tuple[int, int, int]) -> Pixels:
    share = np.clip(np.arange(top, bottom) / max(1, scene.horizon), 0, 1)[:, None]
    rows = np.array(high) * (1 - share) + np.array(low) * share
    return np.broadcast_to(rows[:, None, :].astype(np.uint8), (bottom - top, scene.width, 3))


def _ground(scene: Scene, top: int, bottom: int, name: str) -> Pixels:
    """The texture in perspective; towards the horizon it fades into its mean, which spares the eye a flicker."""
    tile = _texture(name)
    depth = np.clip((np.arange(top, bottom) - scene.horizon) / (scene.height - scene.horizon), 0, 1)
    scale = 0.2 + 0.8 * depth
    along = np.log(scale / 0.2) * NEAR_TILES * TILE * 0.62
    step = NEAR_TILES * TILE / scene.width / scale
    columns = ((np.arange(scene.width) - scene.width / 2)[None, :] * step[:, None]).astype(np.int64) % TILE
    picked = tile[along.astype(np.int64)[:, None] % TILE, columns].astype(np.float32)
    share = np.clip(1.6 / np.maximum(step, 1.6), 0.25, 1)[:, None, None].astype(np.float32)
    light = (0.88 + 0.16 * depth)[:, None, None].astype(np.float32)
    mean = tile.mean(axis=(0, 1)).astype(np.float32)
    return np.clip((mean + (picked - mean) * share) * light, 0, 255).astype(np.uint8)


@cache
def _texture(name: str) -> Pixels:
    svg = SVG.format(width=TILE, height=TILE, body=TEXTURES[name]()).replace("<svg ", f'<svg width="{TILE}" height="{TILE}" ', 1)
    return pyvips.Image.svgload_buffer(svg.encode()).numpy()[..., :3].copy()


def _cobbles() -> str:
    luck = random.Random("cobbles")
    stones = []
    for row in range(16):
        for column in range(16):
            x, y, gray = column * 64 + (row % 2) * 32 - 32, row * 64, luck.randint(150, 188)
            fill = f"rgb({gray + 8},{gray + 2},{gray - 8})"
            stones += [
                f'<rect x="{x + 3 + shift}" y="{y + 3}" width="58" height="58" rx="15" fill="{fill}"/>' for shift in (0, 1024)
            ]
    return f'<rect width="1024" height="1024" fill="#857c70"/>{"".join(stones)}{_speckles(luck, "#5d564c")}'


def _slabs() -> str:
    luck = random.Random("slabs")
    slabs = []
    for row in range(8):
        for column in range(4):
            gray = luck.randint(172, 196)
            x = column * 256 + (row % 2) * 128
            fill = f"rgb({gray + 6},{gray},{gray - 12})"
            slabs += [f'<rect x="{x + 3 + s}" y="{row * 128 + 3}" width="250" height="122" fill="{fill}"/>' for s in (0, -1024)]
    return f'<rect width="1024" height="1024" fill="#8d8577"/>{"".join(slabs)}{_speckles(luck, "#7a7264")}'


def _water() -> str:
    luck = random.Random("water")
    waves = [_wave(luck) for _ in range(260)]
    return f'<rect width="1024" height="1024" fill="#3f86ac"/>{"".join(waves)}'


def _wave(luck: random.Random) -> str:
    x, y, length = luck.randint(0, 900), luck.randint(8, 1012), luck.randint(40, 120)
    tone = luck.choice(("#5a9fc2", "#2f6f96", "#7fb9d4", "#356f92"))
    return f'<path d="M{x} {y}q{length // 2} -14 {length} 0" fill="none" stroke="{tone}" stroke-width="{luck.randint(4, 9)}"/>'


def _wood() -> str:
    luck = random.Random("wood")
    planks = [_plank(number * 128, luck.randint(176, 204)) for number in range(8)]
    grain = [
        f'<path d="M0 {y}q256 {luck.randint(-14, 14)} 512 0t512 0" fill="none" stroke="#8a5c30" stroke-opacity=".35" '
        f'stroke-width="{luck.randint(1, 3)}"/>'
        for y in range(4, 1024, 11)
    ]
    return f'<rect width="1024" height="1024" fill="#6b4524"/>{"".join(planks)}{"".join(grain)}'


def _plank(y: int, tone: int) -> str:
    return f'<rect y="{y}" width="1024" height="126" fill="rgb({tone},{tone - 44},{tone - 86})"/>'


def _speckles(luck: random.Random, fill: str) -> str:
    spots = (
        f'<circle cx="{luck.randint(4, 1020)}" cy="{luck.randint(4, 1020)}" r="{luck.randint(1, 3)}" fill="{fill}" opacity=".5"/>'
        for _ in range(700)
    )
    return "".join(spots)


def _houses(scene: Scene) -> Iterator[Piece]:
    """A closed row of houses along the horizon, above it clouds."""
    luck = random.Random(f"houses:{scene.seed}")
    yield from _clouds(scene, luck, 5)
    x, unit = -200, scene.width / UNITS
    while x < UNITS:
        width, height = luck.randint(620, 1150), luck.randint(1250, 1900)
        bottom = scene.horizon / unit + 30
        box = Box(*(round(edge * unit) for edge in (x, bottom - height, x + width, bottom)))
        yield Piece(box, SVG.format(width=width, height=height, body=_house(luck, width, height)))
        x += width


def _house(luck: random.Random, width: int, height: int) -> str:
    wall, roof = luck.choice(WALLS), luck.choice(ROOFS)
    eaves = height * 0.24
    parts = [
        f'<path d="M0 {eaves}L{width * 0.5} 6 {width} {eaves}z" fill="{roof}" stroke="#4a3a32" stroke-width="6"/>',
        f'<rect x="4" y="{eaves}" width="{width - 8}" height="{height - eaves}" fill="{wall}" '
        'stroke="#5a4a40" stroke-width="6"/>',
    ]
    columns, rows = max(2, width // 260), max(2, int((height - eaves) // 380))
    for row in range(rows):
        y = eaves + 50 + row * (height - eaves - 60) / rows
        parts += [_window((column + 0.5) * width / columns, y, luck) for column in range(columns)]
    return "".join((*parts, _door(width * luck.choice((0.25, 0.5, 0.75)), height, luck)))


def _door(middle: float, bottom: float, luck: random.Random) -> str:
    """Over whatever window was there."""
    paint = luck.choice(("#4f6b58", "#7a4a3a", "#48607c", "#6b5a3c"))
    return (
        f'<rect x="{middle - 85}" y="{bottom - 290}" width="170" height="290" rx="12" fill="{paint}" stroke="#fdf9ef" '
        f'stroke-width="14"/><circle cx="{middle + 45}" cy="{bottom - 130}" r="10" fill="#e0c070"/>'
    )


def _window(middle: float, y: float, luck: random.Random) -> str:
    glass = luck.choice(("#5d7f96", "#6f93a8", "#4f6a7d", "#f3dd9a"))
    return (
        f'<rect x="{middle - 55}" y="{y}" width="110" height="170" fill="{glass}" stroke="#fdf9ef" stroke-width="12"/>'
        f'<path d="M{middle} {y}v170M{middle - 55} {y + 70}h110" stroke="#fdf9ef" stroke-width="7"/>'
    )


def _coast(scene: Scene) -> Iterator[Piece]:
    """Hills beyond the water, clouds, and the edge of the quay."""
    luck = random.Random(f"coast:{scene.seed}")
    yield from _clouds(scene, luck, 9)
    unit = scene.width / UNITS
    bottom = scene.horizon / unit
    for tone in ("#9db8b4", "#7fa393"):
        x = [0, *sorted(luck.randint(400, 9600) for _ in range(7)), UNITS]
        crest = " ".join(f"{at} {luck.randint(60, 420)}" for at in x)
        body = f'<path d="M0 520L{crest} {UNITS} 520z" fill="{tone}" stroke-linejoin="round" stroke="{tone}" stroke-width="60"/>'
        yield Piece(
            Box(0, round((bottom - 470) * unit), scene.width, round(bottom * unit)),
            SVG.format(width=UNITS, height=500, body=body),
        )
    edge = round(QUAY * scene.height)
    body = '<rect width="100" height="10" fill="#6f675a"/><rect width="100" height="3" fill="#d8d0bf"/>'
    yield Piece(
        Box(0, edge - round(20 * unit), scene.width, edge + round(60 * unit)), SVG.format(width=100, height=10, body=body)
    )


def _clouds(scene: Scene, luck: random.Random, many: int) -> Iterator[Piece]:
    unit = scene.width / UNITS
    puffs = "".join(f'<ellipse cx="{x}" cy="{y}" rx="{r}" ry="{r * 0.62}" fill="#fff" opacity=".82"/>' for x, y, r in CLOUD)
    for _ in range(many):
        x, y, width = luck.randint(0, 8600), luck.randint(60, 700), luck.randint(700, 1500)
        box = Box(*(round(edge * unit) for edge in (x, y, x + width, y + width * 0.32)))
        yield Piece(box, SVG.format(width=300, height=96, body=puffs))


CLOUD = ((60, 62, 48), (120, 46, 58), (190, 50, 62), (245, 66, 44), (150, 70, 60))


def _wall(scene: Scene) -> Iterator[Piece]:
    """Boards and posts, each with a shadow under or beside it."""
    family, unit = FAMILIES[scene.family], scene.width / UNITS
    for number in range(BOARDS):
        top = board(family, number)
        yield _slab(Box(*(round(edge * unit) for edge in (0, top, UNITS, top + THICKNESS))), "#b98a55", "#8a6236")
        box = Box(*(round(edge * unit) for edge in (0, top + THICKNESS, UNITS, top + THICKNESS + 120)))
        yield Piece(box, SVG.format(width=10, height=10, body=SHADE))
    for number in range(COLUMNS + 1):
        x = number * UNITS // COLUMNS - POST // 2
        yield _slab(Box(*(round(edge * unit) for edge in (x, 0, x + POST, family.height * UNITS))), "#c2935c", "#94683a")


SHADE = (
    '<defs><linearGradient id="g" x2="0" y2="1"><stop offset="0" stop-opacity=".5"/><stop offset="1" stop-opacity="0"/>'
    '</linearGradient></defs><rect width="10" height="10" fill="url(#g)"/>'
)


def _slab(box: Box, fill: str, edge: str) -> Piece:
    body = f'<rect x=".2" y=".2" width="99.6" height="9.6" fill="{fill}" stroke="{edge}" stroke-width=".4"/>'
    return Piece(box, SVG.format(width=100, height=10, body=body))


SURFACES: Mapping[str, Callable[[Scene, int, int], Pixels]] = {"market": _market, "harbour": _harbour, "shelves": _shelves}
PIECES: Mapping[str, Callable[[Scene], Iterator[Piece]]] = {"market": _houses, "harbour": _coast, "shelves": _wall}
TEXTURES: Mapping[str, Callable[[], str]] = {"cobbles": _cobbles, "slabs": _slabs, "water": _water, "wood": _wood}
