"""A corpus of hostile and awkward picture files, made anew each time: what is in them, and what becomes of each.

`kind` is a word for the class; `outcome` is "taken" or a key of formats.REASONS. Several may be right where the libraries
decide (a broken stream may be found damaged or crash the child): they are parted by "|".
"""

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image as Pillow
from PIL import ImageCms, PngImagePlugin

from tests import pictures

SVG = {
    "script": b"<svg xmlns='http://www.w3.org/2000/svg'><script>fetch('http://127.0.0.1/')</script></svg>",
    "foreign object": b"<svg xmlns='http://www.w3.org/2000/svg'><foreignObject><body onload='x()'/></foreignObject></svg>",
    "entity": b"<?xml version='1.0'?><!DOCTYPE s [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><svg>&e;</svg>",
    "file": b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd' width='9' height='9'/></svg>",
}
MAGICK = {
    "mvg": b"push graphic-context\nviewbox 0 0 640 480\nimage over 0,0 0,0 'https://127.0.0.1/x'\npop graphic-context\n",
    "msl": b"<?xml version='1.0'?><image><read filename='caption:&lt;?php x() ?&gt;'/><write filename='x.php'/></image>",
}
MAGIC = {
    "psd": b"8BPS\x00\x01" + b"\x00" * 80,
    "fits": b"SIMPLE  =                    T" + b" " * 80,
    "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
    "pdf": b"%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\n",
    "jpeg 2000": b"\x00\x00\x00\x0cjP  \r\n\x87\n" + b"\x00" * 60,
    "fpx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 80,
    "wmf": b"\xd7\xcd\xc6\x9a" + b"\x00" * 80,
    "mcidas": b"\x00\x00\x00\x00\x00\x00\x00\x04" + b"\x00" * 256,
    "jxl": b"\x00\x00\x00\x0cJXL \r\n\x87\n" + b"\x00" * 60,
    "bare jxl": b"\xff\x0a" + b"\x00" * 60,
    "mp4": b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom",
    "zip": b"PK\x03\x04" + b"\x00" * 60,
}
OFF_THE_LIST = ["GIF", "BMP", "ICO", "PPM", "TGA", "PCX", "JPEG2000", "SGI", "DDS", "XBM", "MSP", "QOI"]
TAILS = {
    "html": b"<html><script>alert(1)</script></html>",
    "php": b"<?php system('id'); ?>",
    "javascript": b"*/=1;alert(1)/*",
    "zip": b"PK\x03\x04" + b"\x00" * 200 + b"PK\x05\x06" + b"\x00" * 18,
}


@dataclass(frozen=True, slots=True)
class Case:
    """One file: its class, what it is, how to write it, and what becomes of it."""

    kind: str
    name: str
    make: Callable[[Path], object]
    outcome: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"


def corpus() -> list[Case]:
    """All cases, in the order of their classes."""
    return [*_too_large(), *_bombs(), *_moving(), *_off_the_list(), *_two_in_one(), *_broken(), *_notes(), *_colours(), *_heif()]


def _bytes(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def _picture(form: str, mode: str = "RGB", size: tuple[int, int] = (90, 60), **options: object) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(pictures.encoded(pictures.scene(*size, mode), form, **options))


def _too_large() -> Iterator[Case]:
    yield Case("size", "png of 50,000 by 50,000", lambda path: pictures.png(path, 50_000, 50_000, b"\x00" * 1000), "pixels")
    yield Case("size", "a side just over", lambda path: pictures.png(path, 65_501, 1, b"\x00"), "side")
    yield Case("size", "a side just under", lambda path: pictures.png(path, 65_500, 1, b"\x00" * 65_501), "taken")
    yield Case("size", "pixels just over", lambda path: pictures.png(path, 50_001, 5_000, b"\x00"), "pixels")
    yield Case("size", "one pixel", _picture("PNG", size=(1, 1)), "taken")
    yield Case("size", "no width", lambda path: pictures.png(path, 0, 10, b"\x00"), "damaged")
    yield Case("size", "sides beyond 31 bits", lambda path: pictures.png(path, 2**31 - 1, 2**31 - 1, b"\x00"), "damaged|side")
    yield Case("size", "jpeg header of 65,535 squared", _bytes(_jpeg_header(65_535, 65_535)), "side|damaged")
    yield Case("size", "webp header of 16,383 squared", _bytes(_webp_header(16_383, 16_383)), "damaged|pixels")


def _bombs() -> Iterator[Case]:
    zeros = zlib.compress(b"\x00" * 100_000_000, 9)
    for name, start in ((b"zTXt", b"C\x00\x00"), (b"iTXt", b"C\x00\x01\x00\x00\x00"), (b"iCCP", b"icc\x00\x00")):
        chunk = (name, start + zeros)
        make = lambda path, chunk=chunk: pictures.png(path, 10, 10, (b"\x00" * 11) * 10, chunk)  # noqa: E731
        yield Case("bomb", f"100 MB in {name.decode()}", make, "taken")
    yield Case(
        "bomb", "png that holds more than its size", lambda path: pictures.png(path, 1, 1, bytes(200_000)), "taken|padding"
    )
    noise = bytes(range(256)) * 2000
    yield Case("bomb", "png of 1 by 1 with much data", lambda path: path.write_bytes(_stored_png(1, 1, noise)), "padding")
    yield Case(
        "bomb", "jpeg with 5 MB behind it", _bytes(pictures.encoded(pictures.scene(20, 20), "JPEG") + bytes(5 << 20)), "padding"
    )
    yield Case("bomb", "tiff of one huge strip", _bytes(_tiff(1 << 20, 1 << 20, 0xFFFFFFF0)), "side|damaged")
    yield Case("bomb", "tiff of 60 bands", _bytes(_tiff(64, 64, 64 * 64 * 60, samples=60)), "channels|damaged")


def _moving() -> Iterator[Case]:
    frames = [Pillow.new("RGB", (40, 30), (shade, 0, 0)) for shade in range(60)]
    for form, outcome in (("GIF", "format"), ("PNG", "pages"), ("WEBP", "pages"), ("TIFF", "pages"), ("AVIF", "pages")):
        many = {"save_all": True, "append_images": frames[1:]}
        yield Case("frames", f"60 frames of {form}", _bytes(pictures.encoded(frames[0], form, **many)), outcome)
    yield Case("frames", "gif whose frame is larger than its canvas", _bytes(_gif_extents()), "format")
    yield Case(
        "frames",
        "jpeg of several pictures",
        _bytes(pictures.encoded(frames[0], "MPO", save_all=True, append_images=frames[1:3])),
        "taken",
    )


def _off_the_list() -> Iterator[Case]:
    for form in OFF_THE_LIST:
        mode = "1" if form in {"XBM", "MSP"} else "RGB"
        yield Case("format", form.lower(), _picture(form, mode, (64, 64)), "format")
    for name, content in {**SVG, **MAGICK, **MAGIC}.items():
        yield Case("format", name, _bytes(content), "format")
    yield Case("format", "no bytes", _bytes(b""), "empty")
    yield Case("format", "one byte", _bytes(b"\xff"), "format")
    yield Case("format", "text", _bytes(b"Just a text that calls itself a picture.jpg"), "format")
    yield Case("format", "only the first bytes of a jpeg", _bytes(b"\xff\xd8\xff\xe0"), "damaged")


def _two_in_one() -> Iterator[Case]:
    for name, tail in TAILS.items():
        for form in ("JPEG", "PNG"):
            content = pictures.encoded(pictures.scene(90, 60), form)
            yield Case("two in one", f"{form.lower()} and {name}", _bytes(content + tail), "taken")
    comment = _jpeg_segment(0xFE, TAILS["html"])
    yield Case("two in one", "html in a comment of a jpeg", _bytes(_spliced(comment)), "taken")
    yield Case("two in one", "gif and javascript", _bytes(b"GIF89a/*" + b"\x00" * 60 + b"*/=1;alert(1)"), "format")


def _broken() -> Iterator[Case]:
    for form in ("JPEG", "PNG", "WEBP", "TIFF", "AVIF"):
        whole = pictures.encoded(pictures.scene(300, 200), form)
        yield Case("broken", f"half a {form}", _bytes(whole[: len(whole) // 2]), "damaged|crash")
    whole = pictures.encoded(pictures.scene(800, 800), "JPEG")
    yield Case("broken", "jpeg without its last lines", _bytes(whole[: int(len(whole) * 0.97)]), "damaged")
    yield Case("broken", "jpeg of no component", _bytes(_with_frame(components=0)), "damaged")
    yield Case("broken", "jpeg whose frame is wider than its scan", _bytes(_with_frame(width=900)), "damaged")
    yield Case("broken", "jpeg with an arithmetic frame", _bytes(_with_frame(marker=0xC9)), "damaged|taken")
    yield Case("broken", "jpeg with stray bytes between its parts", _bytes(_with_stray_bytes()), "taken")
    yield Case("broken", "png with a wrong checksum", _bytes(_bad_crc()), "damaged")
    yield Case("broken", "tiff whose directory is its own next", _bytes(_tiff_loop()), "taken|damaged|pages")
    yield Case("broken", "tiff of floating point", lambda path: pictures.scene(40, 30, "F").save(path, "TIFF"), "channels")


def _notes() -> Iterator[Case]:
    yield Case("notes", "exif that leads to itself", _bytes(_spliced(_exif_loop())), "taken")
    yield Case("notes", "exif cut off", _bytes(_spliced(_jpeg_segment(0xE1, b"Exif\x00\x00II*\x00\xff\xff\xff\x7f"))), "taken")
    yield Case("notes", "4,000 comments", _bytes(_spliced(_jpeg_segment(0xFE, b"x" * 500) * 4000)), "taken")
    yield Case("notes", "place, thumbnail, XMP", lambda path: path.write_bytes(told("JPEG")), "taken")
    for orientation in range(1, 9):
        make = lambda path, turn=orientation: pictures.turned(path, turn, 120, 80)  # noqa: E731
        yield Case("notes", f"orientation {orientation}", make, "taken")
    yield Case("notes", "orientation 9", lambda path: pictures.turned(path, 9, 120, 80), "taken")


def _colours() -> Iterator[Case]:
    for mode in ("CMYK", "L", "YCbCr"):
        yield Case("colours", f"{mode} jpeg", _picture("JPEG", mode), "taken")
    for mode in ("1", "L", "LA", "P", "RGBA", "I;16"):
        make = (lambda path: pictures.deep(path, 90, 60)) if mode == "I;16" else _picture("PNG", mode)
        yield Case("colours", f"{mode} png", make, "taken")
    for mode, outcome in (("CMYK", "taken"), ("LAB", "damaged|channels")):
        yield Case("colours", f"{mode} tiff", lambda path, mode=mode: _in_mode(mode).save(path, "TIFF"), outcome)
    wide = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    yield Case("colours", "a profile of another colour space", _picture("JPEG", icc_profile=wide), "taken")
    yield Case("colours", "a profile that is none", _picture("JPEG", icc_profile=b"\x00" * 200), "taken")


def _heif() -> Iterator[Case]:
    yield Case("heif", "avif", _picture("AVIF"), "taken")
    yield Case("heif", "heic", lambda path: pictures.heic(path, pictures.scene(90, 60)), "taken")
    yield Case("heif", "two heic pictures", lambda path: pictures.heic(path, *[pictures.scene(90, 60)] * 2), "pages")
    yield Case("heif", "heic of nothing", _bytes(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(100)), "damaged")


def told(form: str) -> bytes:
    """A picture with everything that a camera and its owner may write into one: place, thumbnail, XMP, comments, a tail."""
    exif = Pillow.Exif()
    exif[0x010E] = "CANARY description"
    exif[0x013B] = "CANARY artist"
    exif.get_ifd(0x8825).update({1: "N", 2: (46.0, 31.0, 7.0), 3: "E", 4: (6.0, 33.0, 53.0)})
    exif.get_ifd(0x8769).update({0x9286: b"CANARY comment", 0x927C: b"CANARY maker note"})
    xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>CANARY xmp</x:xmpmeta>"
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", "CANARY text")
    notes.add_itxt("XML:com.adobe.xmp", xmp.decode())
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    options: dict[str, object] = {"exif": exif, "icc_profile": profile}
    options |= {"PNG": {"pnginfo": notes}, "TIFF": {"tiffinfo": {270: "CANARY description"}}}.get(form, {"xmp": xmp})
    if form == "TIFF":
        del options["exif"]  # its own tags hold them
    return pictures.encoded(pictures.scene(600, 400), form, **options) + b"CANARY tail"


def _in_mode(mode: str) -> Pillow.Image:
    scene = pictures.scene(90, 60)
    if mode != "LAB":
        return scene.convert(mode)
    return (
        ImageCms.profileToProfile(scene, ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), outputMode="LAB") or scene
    )


def _jpeg_segment(marker: int, body: bytes) -> bytes:
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(body) + 2) + body


def _spliced(segment: bytes) -> bytes:
    """A sound JPEG with segments after its first marker."""
    data = pictures.encoded(pictures.scene(64, 64), "JPEG")
    return data[:2] + segment + data[2:]


def _exif_loop() -> bytes:
    directory = b"II*\x00\x08\x00\x00\x00" + struct.pack("<H", 1) + struct.pack("<HHII", 0x8769, 4, 1, 8) + struct.pack("<I", 8)
    return _jpeg_segment(0xE1, b"Exif\x00\x00" + directory)


def _jpeg_header(width: int, height: int) -> bytes:
    return _with_frame(width=width, height=height)


def _with_frame(*, width: int = 64, height: int = 64, components: int = 3, marker: int = 0xC0) -> bytes:
    """A sound JPEG of 64 by 64 whose frame header says something else."""
    data = bytearray(pictures.encoded(pictures.scene(64, 64), "JPEG"))
    at = data.index(b"\xff\xc0")
    data[at + 1] = marker
    data[at + 5 : at + 10] = struct.pack(">HHB", height, width, components)
    return bytes(data)


def _with_stray_bytes() -> bytes:
    data = pictures.encoded(pictures.scene(64, 64), "JPEG")
    at = data.index(b"\xff\xda")
    return data[:at] + b"\x12\x34\x56" + data[at:]


def _webp_header(width: int, height: int) -> bytes:
    body = b"VP8L" + struct.pack("<I", 10) + b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14) + bytes(5)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def _stored_png(width: int, height: int, raw: bytes) -> bytes:
    out = io.BytesIO()
    squeezed = zlib.compressobj(0)
    body = squeezed.compress(raw) + squeezed.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    out.write(pictures.PNG_MAGIC)
    for name, part in ((b"IHDR", header), (b"IDAT", body), (b"IEND", b"")):
        out.write(pictures.chunk(name, part))
    return out.getvalue()


def _bad_crc() -> bytes:
    data = bytearray(pictures.encoded(pictures.scene(90, 60), "PNG"))
    data[data.index(b"IDAT") + 20] ^= 0xFF
    return bytes(data)


def _tiff(width: int, height: int, counted: int, *, samples: int = 1) -> bytes:
    tags = [(256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 200), (277, samples), (278, height), (279, counted)]
    body = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    return (b"II*\x00" + struct.pack("<I", 8) + body + bytes(4)).ljust(200, b"\x00") + bytes(64)


def _tiff_loop() -> bytes:
    data = _tiff(8, 8, 64)
    end = 8 + 2 + 9 * 12
    return data[:end] + struct.pack("<I", 8) + data[end + 4 :]


def _gif_extents() -> bytes:
    screen = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\x00\x00\x00\xff\xff\xff"
    return screen + b"," + struct.pack("<HHHHB", 0, 0, 65_535, 65_535, 0) + b"\x02\x02\x44\x01\x00;"
