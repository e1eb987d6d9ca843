"""A picture of ten by ten squares, each of its own colour: every answer shows which part of it was sent."""

import hashlib
import io
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PIL import Image as Pillow

from annotation.access import image_info_url
from annotation.images import pixels

KEY = "squares-Zx9_aBcDeFgHiJ"
SIDE, SQUARES = 1000, 10
NEAR = 12  # of 256: JPEG changes plain colours a little

Colour = tuple[int, int, int]


def colour_at(column: int, row: int) -> Colour:
    digest = hashlib.sha256(f"{column},{row}".encode()).digest()
    return digest[0], digest[1], digest[2]


def squares_pyramid(folder: Path) -> Path:
    """The path of the picture's pyramid, made in a folder."""
    picture = Pillow.new("RGB", (SQUARES, SQUARES))
    picture.putdata([colour_at(column, row) for row in range(SQUARES) for column in range(SQUARES)])
    picture.resize((SIDE, SIDE), Pillow.Resampling.NEAREST).save(folder / "a.png")
    pixels.build_pyramid(folder / "a.png", folder / "a.zip")
    return folder / "a.zip"


def some_squares() -> Iterator[tuple[int, int]]:
    chance = random.Random(7)
    return ((chance.randrange(SQUARES), chance.randrange(SQUARES)) for _ in range(6))


def assert_shows(picture: Pillow.Image, x: float, y: float, column: int, row: int) -> None:
    """At a place, given as shares of width and height, the picture has the colour of a square."""
    found: Any = picture.convert("RGB").getpixel((int(x * picture.width), int(y * picture.height)))
    wanted = colour_at(column, row)
    assert max(abs(one - other) for one, other in zip(found, wanted, strict=True)) < NEAR, f"{found} is not {wanted}"


def address_of(key: str, role: str = "annotator") -> str:
    """A picture's own address, with a grant in it."""
    return image_info_url(image_key=key, role=role, at=datetime.now(UTC)).removesuffix("/info.json")


def opened(answer: Any) -> Pillow.Image:
    """The picture that an answer brings."""
    assert answer.status_code == 200, answer.content
    return Pillow.open(io.BytesIO(answer.content))
