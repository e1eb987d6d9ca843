"""Crops of any region, put together from tiles: for viewers that ask, adjudication, model calls and cards.

The originals are not touched: the tiles were made by us, so decoding them here is safe and cheap.
"""

import io
from typing import Any

import PIL
from PIL import Image as Pillow

from annotation.images import tiling
from annotation.images.archive import Pyramid, directories
from annotation.images.iiif import Wanted
from annotation.storage import Storage

# What else than the tiles decides over the bytes of a crop; whoever changes how crops are made changes the number.
RECIPE = f"2 {PIL.__version__}"
ENCODERS: dict[str, tuple[str, dict[str, Any]]] = {
    "jpg": ("JPEG", {"quality": 90}),
    "png": ("PNG", {"compress_level": 1}),
    "webp": ("WEBP", {"quality": 90, "method": 1}),
}
TURNS = {90: Pillow.Transpose.ROTATE_270, 180: Pillow.Transpose.ROTATE_180, 270: Pillow.Transpose.ROTATE_90}


def crop(storage: Storage, key: str, cut: tiling.Cut) -> bytes:
    """A region of a tiled picture at the wanted size, as JPEG. Raises NoSuchKey, NoSuchTile, DamagedPyramid."""
    return _encoded(_scaled(storage, key, cut), "jpg")


def render(storage: Storage, key: str, wanted: Wanted) -> bytes:
    """The picture that an address asks for. Raises NoSuchKey, NoSuchTile, DamagedPyramid."""
    picture = _scaled(storage, key, wanted.cut)
    if wanted.mirrored:
        picture = picture.transpose(Pillow.Transpose.FLIP_LEFT_RIGHT)
    if wanted.rotation:
        picture = picture.transpose(TURNS[wanted.rotation])
    if wanted.quality == "gray":
        picture = picture.convert("L")
    if wanted.quality == "bitonal":
        picture = picture.convert("1").convert("L")
    return _encoded(picture, wanted.format)


def made_of(pyramid: Pyramid, cut: tiling.Cut) -> list[int]:
    """The checksums of the tiles that a crop is put together from."""
    factor = tiling.crop_factor(cut, pyramid.width, pyramid.height)
    below = tiling.tiles_below(cut, factor, pyramid.width, pyramid.height)
    return [pyramid.entries[tile.name].crc for tile in below if tile.name in pyramid.entries]


def _scaled(storage: Storage, key: str, cut: tiling.Cut) -> Pillow.Image:
    pyramid = directories.get(storage, key)
    factor = tiling.crop_factor(cut, pyramid.width, pyramid.height)
    canvas = _level_region(storage, key, cut, factor, (pyramid.width, pyramid.height))
    # The region's edges may fall between two pixels of the level; Pillow takes them as fractions.
    left, top = cut.x / factor - cut.x // factor, cut.y / factor - cut.y // factor
    box = (left, top, min(left + cut.width / factor, canvas.width), min(top + cut.height / factor, canvas.height))
    return canvas.resize((cut.out_width, cut.out_height), Pillow.Resampling.LANCZOS, box=box)


def _level_region(storage: Storage, key: str, cut: tiling.Cut, factor: int, size: tuple[int, int]) -> Pillow.Image:
    """The pixels of one level that a cut touches, pasted from its tiles."""
    left, top = cut.x // factor, cut.y // factor
    right, bottom = -(-(cut.x + cut.width) // factor), -(-(cut.y + cut.height) // factor)
    canvas = Pillow.new("RGB", (right - left, bottom - top))
    for tile in tiling.tiles_below(cut, factor, *size):
        with Pillow.open(io.BytesIO(directories.tile(storage, key, tile.name)), formats=("JPEG",)) as picture:
            canvas.paste(picture, (tile.x // factor - left, tile.y // factor - top))
    return canvas


def _encoded(picture: Pillow.Image, name: str) -> bytes:
    form, options = ENCODERS[name]
    out = io.BytesIO()
    picture.save(out, form, **options)
    return out.getvalue()
