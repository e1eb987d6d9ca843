"""Crops of any region, put together from tiles: for adjudication, model calls and cards.

The originals are not touched: the tiles were made by us, so decoding them here is safe and cheap.
"""

import io

from PIL import Image as Pillow

from annotation.images import tiling
from annotation.images.archive import directories
from annotation.storage import Storage

QUALITY = 90


def crop(storage: Storage, key: str, cut: tiling.Cut) -> bytes:
    """A region of a tiled picture at the wanted size, as JPEG. Raises NoSuchKey, NoSuchTile, DamagedPyramid."""
    pyramid = directories.get(storage, key)
    factor = tiling.crop_factor(cut, pyramid.width, pyramid.height)
    canvas = _level_region(storage, key, cut, factor, (pyramid.width, pyramid.height))
    # The region's edges may fall between two pixels of the level; Pillow takes them as fractions.
    left, top = cut.x / factor - cut.x // factor, cut.y / factor - cut.y // factor
    box = (left, top, min(left + cut.width / factor, canvas.width), min(top + cut.height / factor, canvas.height))
    out = io.BytesIO()
    canvas.resize((cut.out_width, cut.out_height), Pillow.Resampling.LANCZOS, box=box).save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def _level_region(storage: Storage, key: str, cut: tiling.Cut, factor: int, size: tuple[int, int]) -> Pillow.Image:
    """The pixels of one level that a cut touches, pasted from its tiles."""
    left, top = cut.x // factor, cut.y // factor
    right, bottom = -(-(cut.x + cut.width) // factor), -(-(cut.y + cut.height) // factor)
    canvas = Pillow.new("RGB", (right - left, bottom - top))
    for tile in tiling.tiles_below(cut, factor, *size):
        with Pillow.open(io.BytesIO(directories.tile(storage, key, tile.name)), formats=("JPEG",)) as picture:
            canvas.paste(picture, (tile.x // factor - left, tile.y // factor - top))
    return canvas
