"""Five hundred pairs of pictures, drawn from a seed: copies of one picture in many ways, and pictures that only seem so.

The pictures are the demonstration's photographs, disjoint parts of them, and drawn charts and scenes. Whoever changes a
threshold in `annotation.images` measures it here.
"""

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from PIL import Image as Pillow
from PIL import ImageEnhance, ImageOps

from annotation.demo.material import PHOTOS
from benchmarks.look_drawings import blank, chart, shapes

LONGEST = 1200
PARTS = 4  # of each photograph beside the whole, disjoint

Picture = Pillow.Image
Change = Callable[[random.Random, Picture], Picture]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two encoded pictures, and whether they are one and the same."""

    kind: str
    same: bool
    one: bytes
    other: bytes


def pairs(seed: int = 1, *, each: int = 25) -> Iterator[Pair]:
    """`each` pairs of every kind; 20 kinds make 500."""
    stock = Stock(seed)
    for kind, change in COPIES.items():
        for number in range(each):
            dice = random.Random(f"{seed} {kind} {number}")
            base = stock.pick(dice)
            yield Pair(kind, True, _encoded(base), _written(dice, kind, change(dice, base)))
    for kind, draw in STRANGERS.items():
        for number in range(each):
            one, other = draw(random.Random(f"{seed} {kind} {number}"), stock)
            yield Pair(kind, False, _encoded(one), _encoded(other))


class Stock:
    """What pairs are made of: photographs, parts of them, drawings."""

    def __init__(self, seed: int) -> None:
        self.large = [_opened(path) for path in sorted(PHOTOS.glob("*.jpg"))]
        self.photos = [_small(photo) for photo in self.large]
        self.parts = [[_small(part) for part in _quarters(photo)] for photo in self.large]
        dice = random.Random(seed)
        self.drawings = [shapes(dice) for _ in range(10)]
        self.drawings += [chart(random.Random(dice.random()), random.Random(dice.random())) for _ in range(10)]

    def pick(self, dice: random.Random) -> Picture:
        """A photograph, a part of one, or (one time in five) a drawing."""
        if dice.random() < 0.2:
            return dice.choice(self.drawings)
        return dice.choice(self.photos) if dice.random() < 0.5 else dice.choice(dice.choice(self.parts))

    def scene(self, dice: random.Random) -> Picture:
        """A photograph or a part of one."""
        return dice.choice(self.photos) if dice.random() < 0.5 else dice.choice(dice.choice(self.parts))


def _opened(path: object) -> Picture:
    with Pillow.open(path) as picture:  # type: ignore[arg-type]
        picture.draft("RGB", (2600, 2600))
        return ImageOps.exif_transpose(picture).convert("RGB")


def _small(picture: Picture) -> Picture:
    return ImageOps.contain(picture, (LONGEST, LONGEST), Pillow.Resampling.LANCZOS)


def _quarters(picture: Picture) -> list[Picture]:
    width, height = picture.width // 2, picture.height // 2
    return [picture.crop((x, y, x + width, y + height)) for x in (0, width) for y in (0, height)][:PARTS]


def _encoded(picture: Picture, form: str = "JPEG", **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **(options or {"quality": 90}))  # type: ignore[arg-type]
    return out.getvalue()


def _written(dice: random.Random, kind: str, picture: Picture) -> bytes:
    """The copy's file: of the kind's own encoding where that is what is measured."""
    if kind == "png":
        return _encoded(picture, "PNG", compress_level=1)
    if kind == "webp":
        return _encoded(picture, "WEBP", quality=dice.randint(20, 95), method=1)
    return _encoded(picture, quality=dice.randint(20, 95) if kind in {"jpeg", "everything"} else 85)


def _as_it_is(dice: random.Random, picture: Picture) -> Picture:
    return picture


def _resized(dice: random.Random, picture: Picture) -> Picture:
    share = dice.uniform(0.15, 1.6)
    size = (max(40, round(picture.width * share)), max(40, round(picture.height * share)))
    return picture.resize(size, dice.choice([Pillow.Resampling.BILINEAR, Pillow.Resampling.LANCZOS]))


def _cropped(dice: random.Random, picture: Picture) -> Picture:
    left, top, right, bottom = (dice.uniform(0, 0.08) for _ in range(4))
    width, height = picture.size
    return picture.crop((round(left * width), round(top * height), round((1 - right) * width), round((1 - bottom) * height)))


def _mirrored(dice: random.Random, picture: Picture) -> Picture:
    return ImageOps.mirror(picture)


def _mirrored_part(dice: random.Random, picture: Picture) -> Picture:
    return ImageOps.mirror(_cropped(dice, picture))


def _brightness(dice: random.Random, picture: Picture) -> Picture:
    brighter = ImageEnhance.Brightness(picture).enhance(dice.uniform(0.75, 1.25))
    return ImageEnhance.Contrast(brighter).enhance(dice.uniform(0.8, 1.2))


def _colour(dice: random.Random, picture: Picture) -> Picture:
    tinted = ImageEnhance.Color(picture).enhance(dice.uniform(0.0, 1.6))
    gains = [dice.uniform(0.88, 1.12) for _ in range(3)]
    return Pillow.merge("RGB", [band.point(lambda v, g=gain: v * g) for band, gain in zip(tinted.split(), gains, strict=True)])


def _border(dice: random.Random, picture: Picture) -> Picture:
    wide = round(max(picture.size) * dice.uniform(0.005, 0.04))
    shade = dice.choice([(0, 0, 0), (255, 255, 255), (128, 128, 128)])
    return ImageOps.expand(picture, wide, shade)


def _everything(dice: random.Random, picture: Picture) -> Picture:
    for change in (_cropped, _brightness, _colour, _resized):
        picture = change(dice, picture)
    return picture


COPIES: dict[str, Change] = {
    "resized": _resized,
    "jpeg": _as_it_is,
    "png": _resized,
    "webp": _as_it_is,
    "cropped": _cropped,
    "mirrored": _mirrored,
    "mirrored and cropped": _mirrored_part,
    "brightness": _brightness,
    "colour": _colour,
    "border": _border,
    "everything": _everything,
}


def _other_picture(dice: random.Random, stock: Stock) -> tuple[Picture, Picture]:
    places = dice.sample([(photo, part) for photo in range(len(stock.parts)) for part in range(PARTS)], 2)
    return tuple(stock.parts[photo][part] for photo, part in places)  # type: ignore[return-value]


def _half_shared(dice: random.Random, stock: Stock) -> tuple[Picture, Picture]:
    """Two views of one large photograph that share 15 to 50 % of their area."""
    picture, size, shared = dice.choice(stock.large), 0.5, dice.uniform(0.15, 0.5)
    width, height = round(picture.width * size), round(picture.height * size)
    across = dice.random() < 0.5
    step = (round(width * (1 - shared)), 0) if across else (0, round(height * (1 - shared)))
    x, y = dice.randint(0, picture.width - width - step[0]), dice.randint(0, picture.height - height - step[1])
    views = [(x, y), (x + step[0], y + step[1])]
    return tuple(_small(picture.crop((a, b, a + width, b + height))) for a, b in views)  # type: ignore[return-value]


def _other_moment(dice: random.Random, stock: Stock) -> tuple[Picture, Picture]:
    """One scene from one place; two to five things stand elsewhere, and the light has changed a little."""
    scene = stock.scene(dice)
    things = [_thing(dice, stock, scene) for _ in range(dice.randint(2, 5))]
    return _peopled(dice, scene, things), _brightness(random.Random(dice.random()), _peopled(dice, scene, things))


def _thing(dice: random.Random, stock: Stock, scene: Picture) -> Picture:
    """A soft-edged piece of another picture, 12 to 28 % of the scene's shorter side."""
    side = round(min(scene.size) * dice.uniform(0.12, 0.28))
    return ImageOps.fit(stock.scene(dice), (side, round(side * dice.uniform(0.8, 1.8))))


def _peopled(dice: random.Random, scene: Picture, things: list[Picture]) -> Picture:
    scene = scene.copy()
    for thing in things:
        place = (dice.randint(0, scene.width - thing.width), dice.randint(0, max(0, scene.height - thing.height)))
        disc = ImageOps.fit(Pillow.radial_gradient("L").point(lambda v: 255 if v < 120 else 0), thing.size)
        scene.paste(thing, place, disc)
    return scene


def _other_place(dice: random.Random, stock: Stock) -> tuple[Picture, Picture]:
    """One scene from a shifted viewpoint: what is near moves by 5 to 12 % of the width, what is far hardly."""
    scene = stock.scene(dice)
    pixels = np.asarray(scene)
    height, width = pixels.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width]
    x, y, spread = dice.uniform(0.3, 0.7) * width, dice.uniform(0.4, 0.8) * height, dice.uniform(0.15, 0.3) * width
    near = 0.5 * rows / height + 0.5 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * spread**2))
    move = dice.choice([-1, 1]) * dice.uniform(0.05, 0.12) * width
    across = np.clip(columns + move * near, 0, width - 1).astype(int)
    down = np.clip(rows + dice.uniform(-0.02, 0.02) * height * near, 0, height - 1).astype(int)
    return scene, Pillow.fromarray(pixels[down, across])


def _turned_view(dice: random.Random, stock: Stock) -> tuple[Picture, Picture]:
    """One flat scene seen from the side: corners move by up to 14 %."""
    scene = stock.scene(dice)
    width, height = scene.size
    near, far = dice.uniform(0.08, 0.14) * height, dice.uniform(0.04, 0.1) * width
    corners = [(0, 0), (0, height), (width - far, height - near), (width - far, near)]
    if dice.random() < 0.5:
        corners = [(far, near), (far, height - near), (width, height), (width, 0)]
    return scene, scene.transform(
        scene.size, Pillow.Transform.QUAD, [value for corner in corners for value in corner], Pillow.Resampling.BILINEAR
    )


def _similar_charts(dice: random.Random, stock: Stock) -> tuple[Picture, Picture]:
    style = dice.random()
    return tuple(chart(random.Random(style), random.Random(dice.random())) for _ in range(2))  # type: ignore[return-value]


def _similar_scenes(dice: random.Random, stock: Stock) -> tuple[Picture, Picture]:
    return shapes(dice), shapes(dice)


def _blank_pages(dice: random.Random, stock: Stock) -> tuple[Picture, Picture]:
    return blank(dice), blank(dice)


def _other_mirror(dice: random.Random, stock: Stock) -> tuple[Picture, Picture]:
    one, other = _other_moment(dice, stock)
    return one, ImageOps.mirror(other)


STRANGERS: dict[str, Callable[[random.Random, Stock], tuple[Picture, Picture]]] = {
    "another picture": _other_picture,
    "half shared": _half_shared,
    "another moment": _other_moment,
    "another moment, mirrored": _other_mirror,
    "another place": _other_place,
    "seen from the side": _turned_view,
    "charts of one make": _similar_charts,
    "scenes of one make": _similar_scenes,
    "blank pages": _blank_pages,
}
