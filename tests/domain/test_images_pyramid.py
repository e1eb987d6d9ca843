"""Pyramids: every tile is there, upright, in plain colours, without metadata; damage is noticed, never served."""

import io
import zipfile
from pathlib import Path

import pytest
from PIL import Image as Pillow

from annotation.images import archive, crops, iiif, pixels, tiling
from annotation.images.looks import SIDE
from annotation.storage import LocalStorage, NoSuchKey
from tests import pictures

KEY = "pyramids/ab/abc.zip"


def tiled(tmp_path: Path, picture: Path) -> LocalStorage:
    """A storage that holds the picture's pyramid under KEY."""
    storage = LocalStorage(tmp_path / "store")
    pixels.build_pyramid(picture, tmp_path / "out.zip")
    storage.write(KEY, tmp_path / "out.zip")
    return storage


def colour(data: bytes, x: float, y: float) -> tuple[int, ...]:
    """The pixel at a share of width and height."""
    with Pillow.open(io.BytesIO(data)) as picture:
        return picture.getpixel((int(x * picture.width), int(y * picture.height)))  # type: ignore[return-value]


def cut_of(region: str, size: str, width: int, height: int) -> tiling.Cut:
    return iiif.wanted(region, size, "0", "default.jpg", width, height).cut


def is_scene(data: bytes) -> bool:
    """Red, green / blue, white: each corner has its own colour."""
    red, green, blue, white = (colour(data, x, y) for y in (0.2, 0.8) for x in (0.2, 0.8))
    return (
        red[0] > red[1] + 30
        and green[1] > green[0] + 30
        and blue[2] > blue[0] + 30
        and min(white) > 170
        and max(white) - min(white) < 30
    )


@pytest.mark.parametrize(("width", "height"), [(1300, 900), (1301, 903), (512, 512), (513, 512), (40, 2000), (1, 1)])
def test_the_pyramid_holds_exactly_the_tiles_of_the_arithmetic(tmp_path: Path, width: int, height: int) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg", width, height))
    pyramid = archive.read_directory(storage, KEY)
    assert (pyramid.width, pyramid.height) == (width, height)
    archive.check_complete(pyramid, KEY)
    for cut in tiling.tiles(width, height):
        with Pillow.open(io.BytesIO(archive.directories.tile(storage, KEY, cut.name))) as tile:
            assert (tile.format, tile.size) == ("JPEG", (cut.out_width, cut.out_height))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_picture_stands_upright_in_its_tiles(tmp_path: Path, orientation: int) -> None:
    storage = tiled(tmp_path, pictures.turned(tmp_path / "a.jpg", orientation, 600, 400))
    assert is_scene(archive.directories.tile(storage, KEY, "full/300,200"))


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "CMYK", "P"])
def test_any_colour_model_ends_as_plain_rgb_with_the_same_look(tmp_path: Path, mode: str) -> None:
    pictures.scene(600, 400).convert(mode).save(tmp_path / "a.tif", "TIFF")
    storage = tiled(tmp_path, tmp_path / "a.tif")
    data = archive.directories.tile(storage, KEY, "full/300,200")
    assert is_scene(data)
    with Pillow.open(io.BytesIO(data)) as picture:
        assert picture.mode == "RGB"


def test_sixteen_bits_are_scaled_to_eight(tmp_path: Path) -> None:
    ramp = Pillow.linear_gradient("L").resize((300, 200)).convert("I").point(lambda value: value * 257).convert("I;16")
    ramp.save(tmp_path / "a.png")
    storage = tiled(tmp_path, tmp_path / "a.png")
    data = archive.directories.tile(storage, KEY, "full/300,200")
    assert abs(colour(data, 0.5, 0.5)[0] - 128) < 4


def test_what_is_transparent_lies_on_white(tmp_path: Path) -> None:
    Pillow.new("RGBA", (50, 50), (0, 0, 0, 0)).save(tmp_path / "a.png")
    storage = tiled(tmp_path, tmp_path / "a.png")
    assert min(colour(archive.directories.tile(storage, KEY, "full/50,50"), 0.5, 0.5)) > 250


def test_a_colour_profile_is_applied_and_a_broken_one_is_ignored(tmp_path: Path) -> None:
    pictures.jpeg(tmp_path / "broken.jpg", 600, 400, icc_profile=b"no profile at all" * 20)
    storage = tiled(tmp_path, tmp_path / "broken.jpg")
    assert is_scene(archive.directories.tile(storage, KEY, "full/300,200"))


def test_no_metadata_of_the_original_reaches_the_pyramid(tmp_path: Path) -> None:
    secret = b"canary-of-the-camera"
    exif = Pillow.Exif()
    exif[0x010E] = secret.decode()
    exif[0x8825] = {1: "N", 2: (48.0, 51.0, 29.0), 29: secret.decode()}
    path = pictures.jpeg(tmp_path / "a.jpg", 700, 500, exif=exif, comment=secret, xmp=b"<x:xmpmeta>" + secret + b"</x:xmpmeta>")
    with path.open("ab") as stream:
        stream.write(b"<script>" + secret + b"</script>")
    assert path.read_bytes().count(secret) >= 4
    storage = tiled(tmp_path, path)
    with storage.open(KEY) as stream, zipfile.ZipFile(stream) as pyramid:
        for name in pyramid.namelist():
            assert secret not in pyramid.read(name)
            assert b"Exif" not in pyramid.read(name)


def test_equal_pictures_have_nearly_equal_views_and_other_pictures_do_not(tmp_path: Path) -> None:
    pictures.scene(800, 600).save(tmp_path / "a.png")
    pictures.scene(1600, 1200).save(tmp_path / "b.jpg", quality=70)
    pictures.scene(800, 600).transpose(Pillow.Transpose.ROTATE_90).save(tmp_path / "c.jpg")
    a, b, c = (pixels.build_pyramid(tmp_path / name, tmp_path / f"{name}.zip").thumb for name in ("a.png", "b.jpg", "c.jpg"))
    assert len(a) == SIDE * SIDE
    assert sum(abs(one - other) for one, other in zip(a, b, strict=True)) / len(a) < 2
    assert sum(abs(one - other) for one, other in zip(a, c, strict=True)) / len(a) > 20


def test_a_tile_that_is_not_there_is_named(tmp_path: Path) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg"))
    with pytest.raises(archive.NoSuchTile):
        archive.directories.tile(storage, KEY, "0,0,1,1/1,1")
    with pytest.raises(NoSuchKey):
        archive.directories.tile(storage, "pyramids/no/none.zip", "full/1,1")


@pytest.mark.parametrize("keep", [0, 10, 0.3, 0.9])
def test_a_cut_off_pyramid_is_reported_as_damaged(tmp_path: Path, keep: float) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg"))
    path = storage.root / KEY
    data = path.read_bytes()
    path.write_bytes(data[: int(keep if keep >= 1 else keep * len(data))])
    with pytest.raises(archive.DamagedPyramid, match="tile the picture again"):
        archive.read_directory(storage, KEY)


def test_a_flipped_bit_in_a_tile_is_noticed_although_the_directory_is_remembered(tmp_path: Path) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg"))
    pyramid = archive.directories.get(storage, KEY)
    entry = pyramid.entries["full/325,225"]
    with (storage.root / KEY).open("r+b") as stream:
        stream.seek(entry.offset + 200)
        byte = stream.read(1)
        stream.seek(entry.offset + 200)
        stream.write(bytes([byte[0] ^ 1]))
    with pytest.raises(archive.DamagedPyramid):
        archive.directories.tile(storage, KEY, "full/325,225")
    assert archive.directories.tile(storage, KEY, "0,0,512,512/512,512")


def test_a_pyramid_that_was_made_anew_is_read_anew(tmp_path: Path) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg", 1300, 900))
    archive.directories.tile(storage, KEY, "full/325,225")
    pictures.scene(1300, 900).transpose(Pillow.Transpose.FLIP_LEFT_RIGHT).save(tmp_path / "b.jpg", quality=60)
    pixels.build_pyramid(tmp_path / "b.jpg", tmp_path / "again.zip")
    storage.delete(KEY)
    storage.write(KEY, tmp_path / "again.zip")
    assert not is_scene(archive.directories.tile(storage, KEY, "full/325,225"))


def test_a_pyramid_without_all_its_tiles_is_damaged(tmp_path: Path) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg"))
    pyramid = archive.read_directory(storage, KEY)
    del pyramid.entries["full/325,225"]
    with pytest.raises(archive.DamagedPyramid):
        archive.check_complete(pyramid, KEY)


def test_a_compressed_zip_is_no_pyramid(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as foreign:
        foreign.writestr("x/full/1,1/0/default.jpg", b"x" * 1000)
        foreign.writestr("x/info.json", '{"width": 1, "height": 1}')
    with pytest.raises(archive.DamagedPyramid):
        archive.read_directory(storage, "a.zip")


def test_only_so_many_directories_are_remembered(tmp_path: Path) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg"))
    with storage.local_copy(KEY) as path:
        for number in range(5):
            storage.write(f"pyramids/{number}.zip", path)
    few = archive.Directories(most_entries=20)
    first = few.get(storage, "pyramids/0.zip")
    assert few.get(storage, "pyramids/0.zip") is first
    for number in range(1, 5):
        few.get(storage, f"pyramids/{number}.zip")
    assert few.get(storage, "pyramids/0.zip") is not first


def test_a_pyramid_that_was_taken_down_is_described_for_a_minute_at_most(tmp_path: Path) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg", 600, 400))
    now = [1000.0]
    known = archive.Directories(clock=lambda: now[0])
    assert known.get(storage, KEY).width == 600
    storage.erase(KEY)
    now[0] += 60
    assert known.get(storage, KEY).width == 600, "from memory"
    now[0] += 1
    with pytest.raises(NoSuchKey):
        known.get(storage, KEY)


def test_a_pyramid_that_stands_is_read_once_however_long_it_is_looked_at(tmp_path: Path) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg", 600, 400))
    now = [1000.0]
    known = archive.Directories(clock=lambda: now[0])
    first = known.get(storage, KEY)
    for _ in range(5):
        now[0] += 61
        assert known.get(storage, KEY) is first


def test_a_crop_shows_what_the_original_shows(tmp_path: Path) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg", 2600, 1800))
    whole = crops.crop(storage, KEY, cut_of("full", "800,", 2600, 1800))
    assert is_scene(whole)
    for x, y, wanted in ((100, 100, 0), (1500, 100, 1), (100, 1000, 2)):
        data = crops.crop(storage, KEY, cut_of(f"{x},{y},700,700", "350,350", 2600, 1800))
        pixel = colour(data, 0.5, 0.5)
        assert pixel[wanted] == max(pixel)
        with Pillow.open(io.BytesIO(data)) as picture:
            assert picture.size == (350, 350)


def test_a_crop_at_full_scale_keeps_every_pixel_in_its_place(tmp_path: Path) -> None:
    picture = pictures.scene(1300, 900)
    picture.paste((255, 255, 0), (600, 400, 616, 416))
    picture.save(tmp_path / "a.png")
    storage = tiled(tmp_path, tmp_path / "a.png")
    data = crops.crop(storage, KEY, cut_of("600,400,16,16", "max", 1300, 900))
    for x, y in ((0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)):
        red, green, blue = colour(data, x, y)
        assert min(red, green) > 200 > 120 > blue


@pytest.mark.parametrize("address", ["0,0,1,900/max", "0,0,1300,1/max", "1299,899,1,1/max", "3,5,1290,890/333,"])
def test_thin_and_odd_crops_are_made(tmp_path: Path, address: str) -> None:
    storage = tiled(tmp_path, pictures.jpeg(tmp_path / "a.jpg"))
    cut = cut_of(*address.split("/"), 1300, 900)
    with Pillow.open(io.BytesIO(crops.crop(storage, KEY, cut))) as picture:
        assert picture.size == (cut.out_width, cut.out_height)
