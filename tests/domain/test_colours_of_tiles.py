"""Whatever a picture is stored as, its tiles are 8 bit sRGB and look like it, as docs/pictures.md says."""

import io
from pathlib import Path

import pytest
import pyvips
from PIL import Image as Pillow

from annotation.images import archive, pixels
from annotation.storage import LocalStorage
from tests import pictures

KEY = "pyramids/ab/abc.zip"
RED, GREEN, BLUE, GREY = (200, 30, 30), (30, 160, 30), (30, 30, 200), (128, 128, 128)
COLOURS = [RED, GREEN, BLUE, GREY]
NEAR = 6  # JPEG and the way through a profile change a colour by a little


def stripes(*colours: tuple[int, ...], mode: str = "RGB") -> Pillow.Image:
    """Broad stripes, one for each colour."""
    picture = Pillow.new(mode, (100 * len(colours), 80))
    for number, colour in enumerate(colours):
        picture.paste(colour, (100 * number, 0, 100 * (number + 1), 80))
    return picture


def served(path: Path, count: int = len(COLOURS)) -> list[tuple[int, ...]]:
    """The colour in the middle of each stripe as it is served."""
    pixels.build_pyramid(path, path.with_suffix(".zip"))
    storage = LocalStorage(path.parent / "store")
    storage.write(KEY, path.with_suffix(".zip"))
    with Pillow.open(io.BytesIO(archive.directories.tile(storage, KEY, f"full/{100 * count},80"))) as tile:
        assert tile.mode == "RGB"
        return [tile.getpixel((100 * number + 50, 40)) for number in range(count)]  # type: ignore[misc]


def assert_near(found: list[tuple[int, ...]], wanted: list[tuple[int, ...]], within: int = NEAR) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert all(abs(a - b) <= within for a, b in zip(one, other, strict=True)), (found, wanted)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
def test_plain_colours_stay_as_they_are(form: str, tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(pictures.encoded(stripes(*COLOURS), form, quality=95))
    assert_near(served(tmp_path / "plain"), COLOURS, within=10)


def test_colours_of_a_telephone_stay_as_they_are(tmp_path: Path) -> None:
    pictures.heic(tmp_path / "phone", stripes(*COLOURS))
    assert_near(served(tmp_path / "phone"), COLOURS, within=10)


@pytest.mark.parametrize("bits", [8, 16])
def test_a_wide_gamut_is_brought_to_srgb_and_not_just_read_as_it(bits: int, tmp_path: Path) -> None:
    plain = pyvips.Image.new_from_buffer(pictures.encoded(stripes(*COLOURS), "PNG"), "")
    wide = plain.icc_transform("p3", input_profile="srgb", depth=bits)
    wide.write_to_file(str(tmp_path / "wide.png"))
    with Pillow.open(tmp_path / "wide.png") as stored:
        assert stored.info["icc_profile"]
    assert wide.getpoint(50, 40) != pytest.approx(RED, abs=10)
    assert_near(served(tmp_path / "wide.png"), COLOURS)


def test_a_wide_gamut_of_a_telephone_is_brought_to_srgb(tmp_path: Path) -> None:
    plain = pyvips.Image.new_from_buffer(pictures.encoded(stripes(*COLOURS), "PNG"), "")
    wide = plain.icc_transform("p3", input_profile="srgb")
    view = Pillow.frombytes("RGB", (400, 80), wide.write_to_memory())
    view.info["icc_profile"] = wide.get("icc-profile-data")
    pictures.heic(tmp_path / "phone", view)
    assert_near(served(tmp_path / "phone"), COLOURS, within=10)


def test_inks_are_brought_to_srgb_by_the_press_profile(tmp_path: Path) -> None:
    plain = pyvips.Image.new_from_buffer(pictures.encoded(stripes(GREY, RED), "PNG"), "")
    plain.icc_transform("cmyk", input_profile="srgb").write_to_file(str(tmp_path / "ink.tif[strip]"))
    assert_near(served(tmp_path / "ink.tif", 2), [GREY, RED], within=14)  # paper has fewer colours


def test_sixteen_bits_are_scaled_to_eight(tmp_path: Path) -> None:
    pictures.deep(tmp_path / "deep.png", 400, 80)
    with Pillow.open(io.BytesIO(pictures.encoded(pictures.scene(400, 80, "L"), "PNG"))) as shallow:
        wanted = [(shallow.getpixel((100 * number + 50, 40)),) * 3 for number in range(4)]
    assert_near(served(tmp_path / "deep.png"), wanted)  # type: ignore[arg-type]


def test_what_is_seen_through_lies_on_white(tmp_path: Path) -> None:
    through = [(*RED, 255), (*RED, 0), (*RED, 128), (0, 0, 0, 0)]
    stripes(*through, mode="RGBA").save(tmp_path / "alpha.png")
    half = tuple(round((one + 255) / 2) for one in RED)
    assert_near(served(tmp_path / "alpha.png"), [RED, (255, 255, 255), half, (255, 255, 255)])


def test_a_palette_with_one_clear_colour_lies_on_white(tmp_path: Path) -> None:
    palette = stripes(RED, GREEN).quantize(2)
    clear = palette.getpixel((150, 40))
    palette.save(tmp_path / "palette.png", transparency=clear)
    assert_near(served(tmp_path / "palette.png", 2), [RED, (255, 255, 255)])


def test_grey_with_alpha_becomes_grey_on_white(tmp_path: Path) -> None:
    stripes((90, 255), (90, 0), mode="LA").save(tmp_path / "grey.png")
    assert_near(served(tmp_path / "grey.png", 2), [(90, 90, 90), (255, 255, 255)])


def test_a_profile_that_is_none_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "odd.png").write_bytes(pictures.encoded(stripes(*COLOURS), "PNG", icc_profile=b"\x00" * 200))
    assert_near(served(tmp_path / "odd.png"), COLOURS)
