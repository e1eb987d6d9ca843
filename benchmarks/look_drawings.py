"""Pictures that are drawn for measuring looks: charts of one make with other numbers, scenes of shapes, blank pages."""

import math
import random

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFilter

Colour = tuple[int, int, int]

INK: Colour = (40, 44, 52)
PALETTE: list[Colour] = [(66, 114, 196), (221, 132, 82), (85, 168, 104), (196, 78, 82), (129, 114, 179), (147, 120, 96)]
PAPERS: list[Colour] = [(255, 255, 255), (247, 247, 250), (234, 234, 242), (30, 33, 40)]


def chart(style: random.Random, numbers: random.Random, width: int = 1000, height: int = 700) -> Pillow.Image:
    """A chart; `style` decides how it is drawn, `numbers` what it says."""
    picture = Pillow.new("RGB", (width, height), style.choice(PAPERS))
    pen = ImageDraw.Draw(picture)
    left, top, right, bottom = 110, 60, width - 50, height - 90
    for line in range(style.randint(4, 8)):
        y = top + (bottom - top) * line / 7
        pen.line((left, y, right, y), fill=(190, 190, 196), width=2)
        pen.rectangle((50, y - 7, 95, y + 7), fill=(120, 122, 128))
    pen.rectangle((left, 18, left + style.randint(200, 600), 40), fill=INK)
    {"bars": _bars, "lines": _lines, "points": _points}[style.choice(["bars", "lines", "points"])](
        pen, style, numbers, (left, top, right, bottom)
    )
    pen.line((left, top, left, bottom, right, bottom), fill=INK, width=4)
    return picture


def _bars(pen: ImageDraw.ImageDraw, style: random.Random, numbers: random.Random, frame: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = frame
    count, gap = style.randint(5, 12), style.uniform(0.2, 0.5)
    colours = style.sample(PALETTE, 3)
    for place in range(count):
        wide = (right - left) / count
        x, y = left + wide * (place + gap / 2), bottom - (bottom - top) * numbers.uniform(0.08, 0.98)
        pen.rectangle((x, y, x + wide * (1 - gap), bottom), fill=colours[place % 3])


def _lines(pen: ImageDraw.ImageDraw, style: random.Random, numbers: random.Random, frame: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = frame
    for colour in style.sample(PALETTE, style.randint(2, 4)):
        level, points = numbers.uniform(0.2, 0.8), []
        for place in range(25):
            level = min(0.98, max(0.02, level + numbers.gauss(0, 0.12)))
            points.append((left + (right - left) * place / 24, bottom - (bottom - top) * level))
        pen.line(points, fill=colour, width=style.randint(5, 10))


def _points(pen: ImageDraw.ImageDraw, style: random.Random, numbers: random.Random, frame: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = frame
    for colour in style.sample(PALETTE, 2):
        for _ in range(style.randint(20, 60)):
            x, y, r = numbers.uniform(left, right), numbers.uniform(top, bottom), style.randint(6, 14)
            pen.ellipse((x - r, y - r, x + r, y + r), fill=colour)


def shapes(dice: random.Random, width: int = 1200, height: int = 800) -> Pillow.Image:
    """A crowded scene: a sky, a ground, and some hundred things of all sizes."""
    picture = _gradient(dice, width, height)
    pen = ImageDraw.Draw(picture)
    for _ in range(dice.randint(80, 160)):
        size = 12 * math.exp(dice.uniform(0, 2.6))
        x, y = dice.uniform(0, width), dice.uniform(height * 0.25, height)
        box = (x - size / 2, y - size * dice.uniform(0.3, 1), x + size / 2, y)
        colour = (dice.randrange(256), dice.randrange(256), dice.randrange(256))
        dice.choice([pen.rectangle, pen.ellipse])(box, fill=colour, outline=INK)
    return picture.filter(ImageFilter.GaussianBlur(0.8))


def blank(dice: random.Random, width: int = 900, height: int = 700) -> Pillow.Image:
    """A page that says next to nothing: paper with grain, a soft gradient, or one small mark."""
    kind = dice.choice(["paper", "gradient", "mark"])
    if kind == "gradient":
        return _gradient(dice, width, height)
    shade = dice.randint(225, 255)
    grain = np.random.default_rng(dice.randrange(1 << 30)).normal(shade, 3, (height, width))
    picture = Pillow.fromarray(grain.clip(0, 255).astype(np.uint8)).convert("RGB")
    if kind == "mark":
        x, y = dice.randint(60, width - 160), dice.randint(60, height - 100)
        ImageDraw.Draw(picture).rectangle((x, y, x + dice.randint(30, 120), y + dice.randint(10, 50)), fill=INK)
    return picture


def _gradient(dice: random.Random, width: int, height: int) -> Pillow.Image:
    top, bottom = ([dice.randint(90, 250) for _ in range(3)] for _ in range(2))
    column = np.linspace(top, bottom, height)[:, None, :].repeat(width, axis=1)
    return Pillow.fromarray(column.astype(np.uint8))
