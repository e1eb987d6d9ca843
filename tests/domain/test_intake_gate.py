"""The gate for pictures: what is taken, what is refused and why; hostile files hurt only the child that looks at them."""

import io
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from PIL import Image as Pillow

from annotation.hashing import sha256_file, sha256_hex
from annotation.images import formats, pixels
from tests import pictures


def refusal(path: Path) -> str:
    with pytest.raises(pixels.Refused) as caught:
        pixels.inspect(path)
    return caught.value.reason


@pytest.mark.parametrize(
    ("form", "name"), [("JPEG", "jpeg"), ("PNG", "png"), ("WEBP", "webp"), ("TIFF", "tiff"), ("AVIF", "avif")]
)
def test_a_picture_of_each_allowed_format_is_taken_whatever_its_name(tmp_path: Path, form: str, name: str) -> None:
    data = pictures.encoded(pictures.scene(300, 200), form)
    path = tmp_path / "picture.html"
    path.write_bytes(data)
    assert pixels.inspect(path) == pixels.Picture(300, 200, name, len(data), sha256_hex(data))


@pytest.mark.parametrize("mode", ["CMYK", "L", "LA", "P", "1", "I;16"])
def test_pictures_in_unusual_colours_are_taken(tmp_path: Path, mode: str) -> None:
    base = pictures.scene(40, 30, "L" if mode == "I;16" else "RGB")
    path = tmp_path / "picture.tif"
    base.convert(mode).save(path, "TIFF")
    assert pixels.inspect(path).width == 40


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_size_is_that_of_the_upright_picture(tmp_path: Path, orientation: int) -> None:
    picture = pixels.inspect(pictures.turned(tmp_path / "turned.jpg", orientation, 600, 400))
    assert (picture.width, picture.height) == (600, 400)


def test_a_file_of_no_bytes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    assert refusal(tmp_path / "empty.jpg") == "empty"


@pytest.mark.parametrize(
    "content",
    [
        b"x",
        b"Just a text that calls itself a picture.",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"push graphic-context\nviewbox 0 0 640 480\nimage over 0,0 0,0 'https://example.org/x'\n",
        b"%PDF-1.7\n1 0 obj\n",
        b"%!PS-Adobe-3.0 EPSF-3.0\n",
        b"8BPS\x00\x01" + b"\x00" * 60,
        b"SIMPLE  =                    T",
        b"PK\x03\x04" + b"\x00" * 60,
        b"\x00\x00\x00\x0cjP  \r\n\x87\n",
        b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom",
    ],
)
def test_what_is_no_allowed_picture_is_refused_by_its_first_bytes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "picture.jpg"
    path.write_bytes(content)
    assert refusal(path) == "format"


@pytest.mark.parametrize("form", ["GIF", "BMP", "ICO", "PPM", "TGA", "PCX", "JPEG2000"])
def test_formats_off_the_list_are_refused(tmp_path: Path, form: str) -> None:
    path = tmp_path / "picture.jpg"
    path.write_bytes(pictures.encoded(pictures.scene(64, 64), form))
    assert refusal(path) == "format"


def test_a_picture_of_a_telephone_is_taken_upright(tmp_path: Path) -> None:
    for mode, size in (("RGB", (601, 403)), ("RGBA", (64, 48)), ("L", (65, 33))):
        path = pictures.heic(tmp_path / "phone.heic", pictures.scene(*size, mode))
        assert pixels.inspect(path) == pixels.Picture(*size, "heic", path.stat().st_size, sha256_file(path))


def test_a_heic_that_is_none_or_is_cut_off_or_holds_several_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "phone.heic"
    path.write_bytes(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + b"\x00" * 100)
    assert refusal(path) == "damaged"
    data = pictures.heic(path, pictures.scene(300, 200)).read_bytes()
    path.write_bytes(data[: len(data) // 2])
    assert refusal(path) == "damaged"
    pictures.heic(path, pictures.scene(300, 200), pictures.scene(300, 200))
    assert refusal(path) == "pages"


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP", "TIFF"])
def test_animations_and_many_pages_are_refused(tmp_path: Path, form: str) -> None:
    frames = [Pillow.new("RGB", (40, 30), colour) for colour in ("red", "green", "blue")]
    path = tmp_path / "moving"
    path.write_bytes(pictures.encoded(frames[0], form, save_all=True, append_images=frames[1:]))
    assert refusal(path) == ("format" if form == "GIF" else "pages")


def test_a_png_of_50000_by_50000_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = pictures.png(tmp_path / "bomb.png", 50_000, 50_000, b"\x00" * 1000)
    assert refusal(path) == "pixels"


@pytest.mark.parametrize(("width", "height", "reason"), [(65_501, 1, "side"), (50_001, 5_000, "pixels")])
def test_a_size_just_over_a_limit_is_refused(tmp_path: Path, width: int, height: int, reason: str) -> None:
    assert refusal(pictures.png(tmp_path / "over.png", width, height, b"\x00")) == reason


def test_a_side_just_under_the_limit_is_taken(tmp_path: Path) -> None:
    path = pictures.png(tmp_path / "strip.png", 65_500, 1, b"\x00" * 65_501)
    assert pixels.inspect(path).width == 65_500


def test_a_file_over_the_byte_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "sparse.jpg"
    with path.open("wb") as stream:
        stream.truncate(formats.MAX_BYTES + 1)
    assert refusal(path) == "bytes"


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_a_picture_cut_off_in_the_middle_is_refused(tmp_path: Path, form: str) -> None:
    data = pictures.encoded(pictures.scene(700, 500), form)
    path = tmp_path / "cut"
    path.write_bytes(data[: len(data) // 2])
    assert refusal(path) == "damaged"


def test_a_jpeg_that_lost_only_its_last_lines_is_refused(tmp_path: Path) -> None:
    data = pictures.jpeg(tmp_path / "whole.jpg", 800, 800).read_bytes()
    (tmp_path / "cut.jpg").write_bytes(data[: int(len(data) * 0.97)])
    assert refusal(tmp_path / "cut.jpg") == "damaged"


def test_a_header_that_hides_far_more_data_than_its_size_is_refused(tmp_path: Path) -> None:
    assert refusal(pictures.png(tmp_path / "liar.png", 1, 1, os.urandom(100_000))) == "padding"
    fat = pictures.jpeg(tmp_path / "fat.jpg", 20, 20)
    with fat.open("ab") as stream:
        stream.write(b"\x00" * (5 << 20))
    assert refusal(fat) == "padding"


@pytest.mark.parametrize("name", [b"zTXt", b"iTXt", b"iCCP"])
def test_a_bomb_in_a_text_or_profile_chunk_costs_nothing(tmp_path: Path, name: bytes) -> None:
    squeezed = zlib.compress(b"\x00" * 300_000_000, 9)
    body = {b"zTXt": b"Comment\x00\x00", b"iTXt": b"Comment\x00\x01\x00\x00\x00", b"iCCP": b"icc\x00\x00"}[name] + squeezed
    path = pictures.png(tmp_path / "bomb.png", 10, 10, (b"\x00" * 11) * 10, (name, body))
    pyramid = pixels.build_pyramid(path, tmp_path / "out.zip", limits=pixels.GATE)
    assert pyramid.peak_bytes < 200 << 20


def test_metadata_with_an_endless_loop_ends(tmp_path: Path) -> None:
    directory = b"II*\x00\x08\x00\x00\x00" + struct.pack("<H", 1) + struct.pack("<HHII", 0x8769, 4, 1, 8) + struct.pack("<I", 8)
    exif = b"Exif\x00\x00" + directory
    data = pictures.encoded(pictures.scene(64, 64), "JPEG")
    (tmp_path / "loop.jpg").write_bytes(data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:])
    assert pixels.inspect(tmp_path / "loop.jpg").width == 64


def test_a_progressive_picture_too_large_for_the_narrow_gate_passes_the_wide_one(tmp_path: Path) -> None:
    flat = Pillow.new("L", (16_000, 12_000), 128)
    flat.save(tmp_path / "progressive.jpg", "JPEG", progressive=True, quality=50)
    assert pixels.inspect(tmp_path / "progressive.jpg").width == 16_000


@pytest.fixture(scope="module")
def heavy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture that takes some two seconds of processor time to tile, on a fast machine."""
    noise = Pillow.effect_noise((1000, 1000), 90)
    picture = Pillow.new("L", (15_000, 14_000))
    for place in range(210):
        picture.paste(noise, (place % 15 * 1000, place // 15 * 1000))
    path = tmp_path_factory.mktemp("heavy") / "noise.tif"
    picture.save(path, "TIFF")
    return path


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (pixels.Limits(memory=40 << 20, cpu_seconds=9, wall_seconds=30, file_size=1 << 30), "crash"),
        (pixels.Limits(memory=2 << 30, cpu_seconds=1, wall_seconds=30, file_size=1 << 30), "time"),
        (pixels.Limits(memory=2 << 30, cpu_seconds=60, wall_seconds=0, file_size=1 << 30), "time"),
        (pixels.Limits(memory=2 << 30, cpu_seconds=60, wall_seconds=60, file_size=10_000), "memory"),
    ],
)
def test_a_child_that_dies_of_its_limits_is_an_ordinary_refusal(
    tmp_path: Path, heavy: Path, limits: pixels.Limits, reason: str
) -> None:
    with pytest.raises(pixels.Refused) as caught:
        pixels.build_pyramid(heavy, tmp_path / "out.zip", limits=limits)
    assert caught.value.reason == reason


def test_every_reason_says_what_to_do_or_what_is_wrong() -> None:
    for reason in formats.REASONS:
        assert str(pixels.Refused(reason)).endswith(".")


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
def test_spoilt_bytes_are_taken_or_refused_and_nothing_else(tmp_path: Path, form: str) -> None:
    data = pictures.encoded(pictures.scene(90, 60), form)
    dice = random.Random(form)
    for attempt in range(6):
        spoilt = bytearray(data)
        for _ in range(attempt + 1):
            spoilt[dice.randrange(12, len(spoilt))] = dice.randrange(256)
        (tmp_path / "spoilt").write_bytes(spoilt)
        try:
            assert pixels.inspect(tmp_path / "spoilt").format == form.lower()
        except pixels.Refused as refused:
            assert refused.reason in formats.REASONS  # noqa: PT017 - either way is right


def test_the_child_cannot_reach_the_network_where_the_kernel_lets_it_step_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = (
            "import socket; from annotation.images.child import confine;"
            "confine(memory=1 << 30, seconds=10, file_size=0);"
            f"socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 2)"
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=pixels.PROJECT, capture_output=True, check=False)
    may_step_out = (
        subprocess.run(["unshare", "--map-root-user", "--net", "true"], capture_output=True, check=False).returncode == 0
    )
    assert (b"unreachable" in done.stderr.lower()) == may_step_out


def test_the_child_cannot_write_more_than_it_may() -> None:
    code = (
        "from annotation.images.child import confine;"
        "confine(memory=1 << 30, seconds=10, file_size=1000);"
        "import tempfile; f = tempfile.TemporaryFile(); f.write(b'x' * 5000); f.flush()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=pixels.PROJECT, capture_output=True, check=False)
    assert done.returncode in {1, -signal.SIGXFSZ}


def test_the_child_loads_neither_django_nor_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "canary")
    code = (
        "import sys; import annotation.images.child, annotation.images.decoding; print([m for m in sys.modules if 'django' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=pixels.PROJECT, capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"
    seen: list[dict[str, str]] = []
    monkeypatch.setattr(pixels.subprocess, "Popen", lambda *args, env, **rest: seen.append(env) or (_ for _ in ()).throw(OSError))
    with pytest.raises(OSError):
        pixels.inspect(pictures.jpeg(tmp_path / "a.jpg", 20, 20))
    assert "canary" not in str(seen)


def test_the_library_itself_refuses_what_is_untrusted(tmp_path: Path) -> None:
    code = (
        "import sys, pyvips; from annotation.images import decoding;"
        "print([pyvips.Image.new_from_file(sys.argv[1]).get('vips-loader')])"
    )
    svg = tmp_path / "a.svg"
    svg.write_bytes(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    bmp = tmp_path / "a.bmp"
    bmp.write_bytes(pictures.encoded(pictures.scene(9, 9), "BMP"))
    pdf = tmp_path / "a.pdf"
    pdf.write_bytes(b"%PDF-1.4\n%%EOF\n")
    for path in (svg, bmp, pdf):
        done = subprocess.run([sys.executable, "-c", code, path], cwd=pixels.PROJECT, capture_output=True, check=False)
        assert b"not a known file format" in done.stderr


def test_pillow_draws_the_test_pictures_right(tmp_path: Path) -> None:
    """The orientation tests rest on this: Pillow's own reading of the tag gives the upright scene back."""
    with Pillow.open(pictures.turned(tmp_path / "t.jpg", 6, 60, 40)) as picture:
        assert picture.size == (40, 60)
        assert io.BytesIO(picture.tobytes()).getbuffer().nbytes == 60 * 40 * 3
