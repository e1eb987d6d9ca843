"""Pictures that are copies of each other, for tests: through tiling, or straight from small views."""

from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageOps

from annotation.demo.material import PHOTOS
from annotation.images.looks import SIDE, look_of
from annotation.images.operations.clusters import join
from annotation.images.operations.comparing import compare
from annotation.models import Image
from tests import factories

CUPS, WINE = "ColorfulCups.jpg", "Wine_by_Jakkub_Mede.jpg"


def photo(name: str = CUPS, longest: int = 900) -> Pillow.Image:
    """One of the demonstration's photographs, smaller."""
    with Pillow.open(PHOTOS / name) as picture:
        picture.draft("RGB", (longest, longest))
        return ImageOps.contain(ImageOps.exif_transpose(picture).convert("RGB"), (longest, longest))


def saved(picture: Pillow.Image, path: Path, **options: object) -> Path:
    picture.save(path, **options)  # type: ignore[arg-type]
    return path


def cropped(picture: Pillow.Image, share: float = 0.06) -> Pillow.Image:
    width, height = picture.size
    return picture.crop((round(width * share), round(height * share / 2), width, round(height * (1 - share))))


def view_of(picture: Pillow.Image) -> bytes:
    """A small grey view, near enough to the one that tiling makes."""
    return np.asarray(picture.convert("L").resize((SIDE, SIDE), Pillow.Resampling.BOX)).tobytes()


def looked(picture: Pillow.Image, **values: object) -> Image:
    """A tiled Image that looks like this, in its cluster, without the work of tiling it."""
    key = f"pyramids/{Image.objects.count()}"
    tiled = {"pyramid_state": "tiled", "pyramid_key": key, "width": picture.width, "height": picture.height}
    image = factories.make_image(**{**tiled, **values})
    join(image, compare(image, look_of(view_of(picture))))
    image.refresh_from_db()
    return image
