"""Copies of one picture share a cluster, named by its oldest; other pictures of one scene do not."""

import zipfile
from pathlib import Path

import pytest
from PIL import Image as Pillow
from PIL import ImageEnhance, ImageOps

from annotation.images import operations
from annotation.images.looks import VERSION
from annotation.images.operations import pyramid_key, take_in, tile
from annotation.models import Image, ImageLikeness, ImageLook, JournalEntry, Person
from annotation.storage import store
from tests import pictures
from tests.factories import make_source
from tests.likenesses import CUPS, WINE, cropped, looked, photo, saved


@pytest.fixture(autouse=True)
def _own_storage(tmp_path: Path, settings: object) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"  # type: ignore[attr-defined]


def tiled(path: Path, by: Person, source: str = "demo-photos") -> Image:
    image = take_in(path=path, by=by, source=make_source(source))
    tile(image_id=image.pk)
    image.refresh_from_db()
    return image


def test_copies_in_other_files_are_found_whatever_was_done_to_them(tmp_path: Path, max_: Person) -> None:
    picture = photo()
    first = tiled(saved(picture, tmp_path / "first.jpg", quality=92), max_)
    copies = {
        "poor.jpg": (picture, {"quality": 20}),
        "small.png": (picture.resize((picture.width // 3, picture.height // 3)), {}),
        "web.webp": (picture, {"quality": 40}),
        "cropped.jpg": (cropped(picture), {}),
        "mirrored.jpg": (ImageOps.mirror(picture), {}),
        "brighter.jpg": (ImageEnhance.Brightness(picture).enhance(1.2), {}),
        "framed.jpg": (ImageOps.expand(picture, 12, "white"), {}),
    }
    for name, (copy, options) in copies.items():
        assert tiled(saved(copy, tmp_path / name, **options), max_).cluster == first.pk, name
    other = tiled(saved(photo(WINE), tmp_path / "other.jpg"), max_)
    assert other.cluster == other.pk
    kinds = dict(ImageLikeness.objects.filter(one=first).values_list("other__format", "mirrored"))
    assert set(kinds) == {"jpeg", "png", "webp"}
    assert ImageLikeness.objects.filter(one=first, mirrored=True).count() == 1


def test_the_oldest_names_the_cluster_also_when_it_is_tiled_last(tmp_path: Path, max_: Person) -> None:
    paths = [saved(photo(), tmp_path / "a.png"), saved(photo(longest=600), tmp_path / "b.jpg")]
    images = [take_in(path=path, by=max_, source=make_source()) for path in paths]
    for image in reversed(images):
        tile(image_id=image.pk)
    assert set(Image.objects.values_list("cluster", flat=True)) == {images[0].pk}
    entry = JournalEntry.objects.get(event="image.tiled", subject_id=images[0].pk)
    assert entry.after["cluster"] == images[0].pk


def test_another_moment_of_one_scene_is_another_picture(db: None) -> None:
    scene, thing = photo(), photo(WINE, 160)
    here, there = scene.copy(), scene.copy()
    here.paste(thing, (60, 120))
    there.paste(thing, (600, 300))
    assert looked(here).cluster != looked(there).cluster


def test_parts_of_one_photograph_that_share_little_are_other_pictures(db: None) -> None:
    scene = photo()
    wide = round(scene.width * 0.6)
    left, right = scene.crop((0, 0, wide, scene.height)), scene.crop((scene.width - wide, 0, scene.width, scene.height))
    assert looked(left).cluster != looked(right).cluster


def test_blank_pages_and_single_marks_stay_alone_however_alike(db: None) -> None:
    page = Pillow.new("RGB", (600, 400), (250, 250, 250))
    marked = page.copy()
    marked.paste((20, 20, 20), (300, 200, 340, 220))
    images = [looked(picture) for picture in (page, page, marked, marked)]
    assert len({image.cluster for image in images}) == 4
    assert not ImageLook.objects.filter(telling=True).exists()
    assert not ImageLikeness.objects.exists()


def test_a_picture_that_links_two_clusters_makes_them_one(db: None) -> None:
    scene = photo()
    width, height = scene.size
    left, right = scene.crop((0, 0, round(width * 0.9), height)), scene.crop((round(width * 0.1), 0, width, height))
    one, other = looked(left), looked(right)
    assert one.cluster != other.cluster, "they are shifted too far"
    between = looked(scene.crop((round(width * 0.05), 0, round(width * 0.95), height)))
    one.refresh_from_db()
    other.refresh_from_db()
    assert one.cluster == other.cluster == between.cluster == one.pk


def test_tiling_again_leaves_one_look_and_the_same_cluster(tmp_path: Path, max_: Person) -> None:
    first = tiled(saved(photo(), tmp_path / "a.png"), max_)
    second = tiled(saved(photo(longest=500), tmp_path / "b.jpg"), max_)
    store().delete(pyramid_key(first.key))
    tile(image_id=first.pk)
    first.refresh_from_db()
    assert first.cluster == second.cluster == first.pk
    assert ImageLook.objects.filter(image=first).count() == 1
    assert ImageLikeness.objects.count() == 1


def test_looks_of_an_older_rule_are_made_anew_and_give_the_same_clusters(tmp_path: Path, max_: Person) -> None:
    first = tiled(saved(photo(), tmp_path / "a.png"), max_)
    second = tiled(saved(photo(longest=500), tmp_path / "b.jpg"), max_)
    ImageLikeness.objects.update(version=VERSION - 1)
    ImageLook.objects.filter(image=first).update(version=VERSION - 1, hash_whole=0, hash_trimmed=0, hash_inner=0)
    ImageLook.objects.filter(image=second).delete()  # tiled before there were looks
    Image.objects.update(cluster=None)
    waiting = list(operations.unlooked())
    assert waiting == [first, second]
    assert [operations.relook(image=image) for image in waiting] == [first.pk, first.pk]
    assert not operations.unlooked().exists()
    assert set(ImageLook.objects.values_list("version", flat=True)) == {VERSION}
    assert ImageLikeness.objects.get().version == VERSION


def test_all_clusters_can_be_derived_anew_from_what_is_stored(max_: Person) -> None:
    images = [looked(photo()), looked(photo(longest=500)), looked(photo(WINE))]
    before = list(Image.objects.order_by("pk").values_list("cluster", flat=True))
    assert operations.settle_all(by=max_) == 0
    Image.objects.filter(pk=images[1].pk).update(cluster=images[1].pk)
    assert operations.settle_all(by=max_, made=3) == 1
    assert list(Image.objects.order_by("pk").values_list("cluster", flat=True)) == before
    assert JournalEntry.objects.filter(event="clusters.rebuilt").latest("pk").after == {
        "version": VERSION,
        "looks": 3,
        "changed": 1,
    }


def test_a_forgotten_picture_leaves_nothing_of_its_pixels(db: None) -> None:
    image = looked(photo(CUPS))
    operations.forget(image)
    assert not ImageLook.objects.exists()
    assert looked(photo(longest=500)).cluster != image.pk, "nobody can be compared with it any more"


def test_the_view_in_the_database_is_that_of_the_pyramids_smallest_level(tmp_path: Path, max_: Person) -> None:
    image = tiled(saved(pictures.scene(1300, 900, "L"), tmp_path / "a.jpg", quality=90), max_)
    path = tmp_path / "storage" / pyramid_key(image.key)
    with zipfile.ZipFile(path) as pyramid:
        name = next(name for name in pyramid.namelist() if "/full/" in name and name.endswith(".jpg"))
        (tmp_path / "level.jpg").write_bytes(pyramid.read(name))
    view, level = Pillow.frombytes("L", (64, 64), bytes(image.look.thumb)), Pillow.open(tmp_path / "level.jpg")
    expected = level.convert("L").resize((64, 64), Pillow.Resampling.BOX)
    differences = [abs(a - b) for a, b in zip(view.tobytes(), expected.tobytes(), strict=True)]
    assert sum(differences) / len(differences) < 3
