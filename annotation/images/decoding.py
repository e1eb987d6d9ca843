"""Checking a picture and cutting it into tiles with libvips. Runs in the confined child only; no Django.

Colours are brought to 8 bit sRGB: an embedded profile (or, for CMYK without one, a general press profile) is applied,
16 bit is scaled to 8, palettes are resolved, alpha is laid on white, grey becomes three equal channels. A profile that
cannot be read is ignored. Orientation is applied once, then all metadata is dropped.
"""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pillow_heif
import pyvips

from annotation.images import formats, looks, tiling

QUALITY = 85
PYRAMID_NAME = "pyramid"
FAIL_ON = "error"  # "truncated" is not enough: it lets a TIFF pass that lost half its lines
GAP = "premature end"
HEIF_FAULTS = (ValueError, RuntimeError, EOFError, SyntaxError)

pyvips.block_untrusted_set(True)
pyvips.cache_set_max(0)


class Undecodable(Exception):
    """The picture is not taken: a key of formats.REASONS, and what the library said."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


def inspect(path: Path) -> dict[str, Any]:
    """Check the header and decode every pixel; the format, and the size when upright. Raises Undecodable."""
    image = _read_whole(path)
    width, height = image.width, image.height
    if _orientation(image) >= 5:  # a quarter turn
        width, height = height, width
    return {"format": _format(path), "width": width, "height": height}


def _read_whole(path: Path) -> pyvips.Image:
    """The picture after every line of it was read once.

    A JPEG may end properly and still lack lines, which the library fills with grey and only warns of. Its other warnings
    are about bytes that some cameras write between the lines: those do no harm, so the picture is read again without.
    """
    try:
        return _decoded(path, fail_on="warning" if _format(path) == "jpeg" else FAIL_ON)
    except Undecodable as flaw:
        if flaw.reason != "damaged" or _format(path) != "jpeg" or GAP in flaw.detail.lower():
            raise
        return _decoded(path, fail_on=FAIL_ON)


def _decoded(path: Path, *, fail_on: str) -> pyvips.Image:
    image = _opened(path, access="sequential", fail_on=fail_on)
    with _faults():
        image.avg()  # reads all lines, and keeps none
    return image


def tile(path: Path, out: Path) -> dict[str, Any]:
    """Write the pyramid to the file `out`; the upright size and a small grey view. Raises Undecodable."""
    image = _opened(path, access="sequential")
    if _orientation(image) > 1:
        image = _opened(path, access="random")  # turning needs the lines in another order
    with _faults():
        upright = _plain(image.autorot())
        upright.dzsave(
            str(out),
            layout="iiif3",
            container="zip",
            imagename=PYRAMID_NAME,
            tile_size=tiling.TILE,
            suffix=f".jpg[Q={QUALITY},optimize_coding,keep=none]",  # a seventh fewer bytes for the same pixels
            keep="none",
        )
        thumb = _thumb(out, upright.width, upright.height)
    return {"width": upright.width, "height": upright.height, "thumb": thumb}


def _opened(path: Path, *, access: str, fail_on: str = FAIL_ON) -> pyvips.Image:
    """The picture after all checks that need no pixel. The loader is named, so no other can be reached."""
    form = _format(path)
    if form == "heic":
        return _opened_heic(path)
    loader = getattr(pyvips.Image, formats.LOADERS[form])
    with _faults():
        image = loader(str(path), access=access, fail_on=fail_on)
    _check_header(image, path)
    return image


def _opened_heic(path: Path) -> pyvips.Image:
    """As `_opened`, by libheif with a decoder that libvips is built without. It has turned the picture already."""
    with _faults():
        found = pillow_heif.open_heif(path)
        if len(found) > 1:
            raise Undecodable("pages")
        (width, height), bands = found.size, len(found.mode)
        _check_size(width, height, path)
        # Rows may be padded, so they are read as single bytes and cut to their length.
        rows = pyvips.Image.new_from_memory(found.data, found.stride, height, 1, "uchar")
    image = rows.crop(0, 0, width * bands, height).bandfold(factor=bands)
    image = image.copy(interpretation="srgb" if bands > 2 else "b-w")
    if profile := found.info.get("icc_profile"):
        image.set_type(pyvips.GValue.blob_type, "icc-profile-data", profile)
    return image


def _format(path: Path) -> str:
    with path.open("rb") as stream:
        head = stream.read(formats.HEAD_BYTES)
        found = formats.sniff(head)
        flaw = formats.flaw(found, head, stream)
    if not head:
        raise Undecodable("empty")
    if found is None or flaw:
        raise Undecodable(flaw or "format")
    return found


def _check_header(image: pyvips.Image, path: Path) -> None:
    if _field(image, "n-pages", 1) > 1:
        raise Undecodable("pages")
    _check_size(image.width, image.height, path)
    if image.bands > formats.MAX_BANDS or image.format not in {"uchar", "ushort"}:
        raise Undecodable("channels", f"It has {image.bands} channels of type {image.format}.")


def _check_size(width: int, height: int, path: Path) -> None:
    size = f"It has {width} x {height} pixels."
    if max(width, height) > formats.MAX_SIDE:
        raise Undecodable("side", size)
    if width * height > formats.MAX_PIXELS:
        raise Undecodable("pixels", size)
    if path.stat().st_size > formats.SPARE_BYTES + 2 * formats.MAX_BANDS * width * height:
        raise Undecodable("padding", size)


def _plain(image: pyvips.Image) -> pyvips.Image:
    """8 bit sRGB without alpha."""
    press = image.interpretation == "cmyk"
    if press or image.get_typeof("icc-profile-data"):
        try:
            image = image.icc_transform("srgb", embedded=True, input_profile="cmyk" if press else "srgb")
        except pyvips.Error:
            image = image.copy()
            image.remove("icc-profile-data")
    image = image.colourspace("srgb")
    return (image.flatten(background=255) if image.hasalpha() else image).cast("uchar")


def _thumb(pyramid: Path, width: int, height: int) -> str:
    """The small grey view that `looks` judges by, from the smallest level of the pyramid, as hex digits."""
    *_, smallest = tiling.tiles(width, height)
    with zipfile.ZipFile(pyramid) as archive:
        data = archive.read(f"{PYRAMID_NAME}/{smallest.name}/0/default.jpg")
    return thumb_of(pyvips.Image.jpegload_buffer(data)).hex()


def thumb_of(picture: pyvips.Image) -> bytes:
    """The whole picture squeezed to SIDE x SIDE grey samples, row by row."""
    grey = picture.colourspace("b-w").thumbnail_image(looks.SIDE, height=looks.SIDE, size="force")
    return bytes(grey.write_to_memory())


@contextmanager
def _faults() -> Iterator[None]:
    """Turns the library's own errors into refusals."""
    try:
        yield
    except MemoryError as error:
        raise Undecodable("memory") from error
    except (pyvips.Error, *HEIF_FAULTS) as error:
        said = " ".join(str(error).split())[:300]
        full = any(word in said.lower() for word in ("memory", "file too large", "no space left"))
        raise Undecodable("memory" if full else "damaged", said) from error


def _orientation(image: pyvips.Image) -> int:
    found = _field(image, "orientation", 1)
    return found if found in range(1, 9) else 1


def _field(image: pyvips.Image, name: str, default: Any) -> Any:
    return image.get(name) if image.get_typeof(name) else default
