"""Every file of the hostile corpus ends as it should, in a child that stays within its limits, twice the same way."""

import io
from pathlib import Path

import pytest
from PIL import Image as Pillow

from annotation.images import archive, formats, pixels, tiling
from annotation.storage import LocalStorage
from tests.hostile import Case, corpus, told

KEY = "pyramids/ab/abc.zip"


def outcome(path: Path) -> str:
    try:
        pixels.inspect(path)
    except pixels.Refused as refused:
        return refused.reason
    return "taken"


@pytest.mark.parametrize("case", corpus(), ids=str)
def test_every_file_ends_as_it_should(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "picture.jpg"
    case.make(path)
    found = outcome(path)
    assert found in case.outcome.split("|"), formats.REASONS.get(found, found)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
def test_nothing_that_a_camera_or_its_owner_wrote_is_served(form: str, tmp_path: Path) -> None:
    data = told(form)
    assert b"CANARY" in data
    (tmp_path / "told").write_bytes(data)
    pixels.build_pyramid(tmp_path / "told", tmp_path / "out.zip")
    assert b"CANARY" not in (tmp_path / "out.zip").read_bytes()
    storage = LocalStorage(tmp_path / "store")
    storage.write(KEY, tmp_path / "out.zip")
    for cut in tiling.tiles(600, 400):
        tile = archive.directories.tile(storage, KEY, cut.name)
        with Pillow.open(io.BytesIO(tile)) as served:
            assert set(served.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
            assert not served.getexif()
