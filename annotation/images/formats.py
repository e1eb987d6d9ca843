"""Which pictures are taken in: the limits, and what a file is by its first bytes. Pure.

Nothing here decodes a pixel, and no file name or content type is believed.
"""

import struct
from collections.abc import Iterator
from typing import BinaryIO

MAX_PIXELS = 250_000_000  # the largest pictures asked for have 200 megapixels
MAX_BYTES = 4 * MAX_PIXELS  # such a picture uncompressed, at eight bits a channel with alpha
MAX_SIDE = 65_500  # the longest side that JPEG libraries write; a longer strip is no photograph
MAX_BANDS = 5  # CMYK with alpha
SPARE_BYTES = 4 << 20  # room for profiles, thumbnails and notes beside the pixels
HEAD_BYTES = 64

LOADERS = {"jpeg": "jpegload", "png": "pngload", "webp": "webpload", "tiff": "tiffload", "avif": "heifload"}

REASONS = {
    "missing": "The file is not there or may not be read.",
    "empty": "The file has no bytes.",
    "bytes": f"The file is larger than {MAX_BYTES // 10**6} MB.",
    "format": "This is no JPEG, PNG, WebP, TIFF, AVIF or HEIC picture. Convert it to one of these.",
    "pages": "The file holds an animation or several pages. Save the one picture that is meant.",
    "side": f"A side is longer than {MAX_SIDE} pixels.",
    "pixels": f"The picture has more than {MAX_PIXELS // 10**6} megapixels.",
    "channels": "The picture has channels or sample formats that no photograph has. Save it as 8 or 16 bit RGB.",
    "padding": "The file is far larger than its picture: something else is hidden in it. Save the picture anew.",
    "taken-down": "The picture was taken down on request: its bytes were destroyed and are not taken in again.",
    "damaged": "The picture is cut off or damaged. Fetch the file again.",
    "memory": "Decoding needs more memory than one picture may use. Save it as a baseline (not progressive) JPEG.",
    "time": "Decoding takes longer than one picture may take. Save it as a baseline JPEG.",
    "crash": "The decoder broke down on this file. Save the picture anew.",
}

PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
SEQUENCE_BRANDS = {b"avis", b"hevc", b"hevx", b"msf1"}
HEVC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"}


def sniff(head: bytes) -> str | None:
    """The format that a file's first 64 bytes announce: a key of LOADERS, `heic`, or None for anything else."""
    if head.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if head.startswith(PNG_MAGIC):
        return "png"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "webp"
    if head.startswith((b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")):
        return "tiff"
    return _sniff_heif(head) if head[4:8] == b"ftyp" else None


def flaw(form: str | None, head: bytes, stream: BinaryIO) -> str | None:
    """What is wrong with a file of this format, as far as its first bytes and the names of its chunks tell; or None."""
    if form == "png":
        return png_flaw(stream)
    # Animations call themselves so in their first word, and hold one still picture beside.
    return "pages" if head[4:8] == b"ftyp" and head[8:12] in SEQUENCE_BRANDS else None


def png_flaw(stream: BinaryIO) -> str | None:
    """`pages` for an animated PNG, `padding` for one whose data cannot belong to its size, `damaged`, or None.

    Reads chunk headers only.
    """
    data = room = 0
    for name, length, body in _png_chunks(stream):
        if name == b"IHDR" and length == 13:
            room = _png_room(body)
        elif name == b"acTL":
            return "pages"
        elif name == b"IDAT":
            data += length
        elif name == b"IEND":
            return "padding" if data > room else None
    return "damaged"


def _sniff_heif(head: bytes) -> str | None:
    size = int.from_bytes(head[:4], "big")
    brands = {head[8:12], *(head[at : at + 4] for at in range(16, min(size, len(head)), 4))}
    if b"avif" in brands:
        return "avif"
    return "heic" if brands & HEVC_BRANDS or head[8:12] in {b"mif1", b"msf1"} else None


def _png_chunks(stream: BinaryIO) -> Iterator[tuple[bytes, int, bytes]]:
    stream.seek(len(PNG_MAGIC))
    while len(header := stream.read(8)) == 8:
        length, name = struct.unpack(">I4s", header)
        body = stream.read(length) if name == b"IHDR" and length == 13 else b""
        yield name, length, body
        stream.seek(length - len(body) + 4, 1)


def _png_room(header: bytes) -> int:
    """More bytes than any encoder needs for the compressed pixels: the raw rows, five per block of zlib, and spare."""
    width, height, depth, colour = struct.unpack(">IIBB", header[:10])
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(colour, 4)
    raw = height * (width * channels * depth // 8 + 2) * 8 // 7  # interlacing adds row headers and rounds rows up
    return raw + raw // 100 + 64
