"""Pictures made for the tests: small, exact, and some of them hostile."""

import io
import struct
import zlib
from pathlib import Path

import pillow_heif
from PIL import Image as Pillow

ORIENTATION = 0x0112
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"


def scene(width: int = 1300, height: int = 900, mode: str = "RGB") -> Pillow.Image:
    """A picture whose quarters differ: red, green / blue, white, each with a grey ramp laid over it."""
    picture = Pillow.new("RGB", (width, height), "white")
    picture.paste((200, 30, 30), (0, 0, width // 2, height // 2))
    picture.paste((30, 160, 30), (width // 2, 0, width, height // 2))
    picture.paste((30, 30, 200), (0, height // 2, width // 2, height))
    ramp = Pillow.linear_gradient("L").resize((width, height)).convert("RGB")
    return Pillow.blend(picture, ramp, 0.2).convert(mode)


def jpeg(path: Path, width: int = 1300, height: int = 900, **options: object) -> Path:
    """The scene as a JPEG file at `path`; options go to Pillow."""
    scene(width, height).save(path, "JPEG", **{"quality": 90, **options})  # type: ignore[arg-type]
    return path


def turned(path: Path, orientation: int, width: int = 600, height: int = 400) -> Path:
    """The scene stored as a camera would that was held another way: turned pixels, and the EXIF tag that undoes it."""
    undo = {2: (0,), 3: (3,), 4: (1,), 5: (5,), 6: (2,), 7: (6,), 8: (4,)}
    picture = scene(width, height)
    for step in undo.get(orientation, ()):
        picture = picture.transpose(Pillow.Transpose(step))
    exif = Pillow.Exif()
    exif[ORIENTATION] = orientation
    picture.save(path, "JPEG", quality=95, exif=exif)
    return path


def png(path: Path, width: int, height: int, raw: bytes, *before: tuple[bytes, bytes]) -> Path:
    """A grey 8 bit PNG whose header says width x height and whose data is `raw`; `before` are more chunks."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), *before, (b"IDAT", zlib.compress(raw)), (b"IEND", b"")]
    path.write_bytes(PNG_MAGIC + b"".join(chunk(name, body) for name, body in chunks))
    return path


def heic(path: Path, *views: Pillow.Image, **options: object) -> Path:
    """Pictures as one HEIC file, the first of them shown; options go to the encoder."""
    file = pillow_heif.HeifFile()
    for view in views:
        file.add_from_pillow(view)
    file.save(path, quality=90, **options)
    return path


def encoded(picture: Pillow.Image, form: str, **options: object) -> bytes:
    """A picture as bytes in one of Pillow's formats."""
    out = io.BytesIO()
    picture.save(out, form, **options)  # type: ignore[arg-type]
    return out.getvalue()


def deep(path: Path, width: int, height: int) -> Path:
    """The scene in grey with 16 bits a sample, as PNG."""
    grey = grey_rows(width, height)
    rows = b"".join(b"\x00" + b"".join(struct.pack(">H", value * 257) for value in row) for row in grey)
    header = struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    path.write_bytes(PNG_MAGIC + b"".join(chunk(name, body) for name, body in parts))
    return path


def grey_rows(width: int, height: int) -> list[bytes]:
    """The scene's rows in grey, one byte a sample."""
    data = scene(width, height, "L").tobytes()
    return [data[at : at + width] for at in range(0, len(data), width)]


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
