"""Ada looks through the pictures, each with its licence and author; reviewers see pictures only through their questions."""

import re
from pathlib import Path

import pytest

from annotation.images import operations
from annotation.models import Acquisition, Image, Person, Role
from tests import factories
from tests.canary import seen_by_those_who_may
from tests.conftest import browser_of, counted_statements
from tests.pictures import jpeg


def make_tiled(**values: object) -> Image:
    return factories.make_image(pyramid_state="tiled", pyramid_key=f"pyramids/{Image.objects.count()}", **values)


def test_the_list_shows_small_views_sizes_and_states(ada: Person) -> None:
    make_tiled(width=2400, height=1600)
    factories.make_image(width=300, height=200)
    page = browser_of(ada).get("/images/").content.decode()
    assert re.findall(r'src="/iiif/staff\.[^/]+/[^/]+/([^"]+)"', page) == ["full/300,200/0/default.jpg"]
    assert "2400 × 1600" in page
    assert "3.8 megapixels" in page
    assert "waiting" in page


@pytest.mark.parametrize(("width", "height"), [(900, 640), (512, 512), (40, 30), (1300, 200)])
def test_the_small_view_is_a_tile_that_the_pyramid_has(ada: Person, tmp_path: Path, width: int, height: int) -> None:
    path = jpeg(tmp_path / "photo.jpg", width, height)
    image = operations.take_in(path=path, by=ada, source=factories.make_source())
    operations.tile(image_id=image.pk)
    client = browser_of(ada)
    address = re.search(r'src="(/iiif/[^"]+)"', client.get("/images/").content.decode())
    assert address is not None
    answer = client.get(address[1])
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")


def test_the_list_can_be_narrowed_by_source_and_state(ada: Person) -> None:
    kept = factories.make_image(source=factories.make_source("kept"), pyramid_state="failed")
    factories.make_image(source=kept.source)
    factories.make_image(pyramid_state="failed")
    page = browser_of(ada).get("/images/", {"source": "kept", "state": "failed"}).content.decode()
    assert re.findall(r"<code>([^<]+)</code>", page) == [kept.key]
    lost = browser_of(ada).get("/images/", {"state": "lost"})
    assert lost.status_code == 400, "there is no such state"
    assert "No picture fits these filters" in lost.content.decode()


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"format": "png"}, {"sign"}),
        ({"size": "small"}, {"kiosk"}),
        ({"size": "middle"}, {"harbour", "sign"}),
        ({"size": "huge"}, set()),
        ({"text": "HARB"}, {"harbour"}),
        ({"text": "_"}, set()),
        ({"copies": "on"}, {"harbour", "sign"}),
        ({"copies": "on", "format": "jpeg"}, {"harbour"}),
    ],
)
def test_the_list_can_be_narrowed_by_format_size_name_and_copies(ada: Person, query: dict[str, str], names: set[str]) -> None:
    sizes = {"kiosk": (1000, 1000), "harbour": (1000, 1001), "sign": (2000, 5000)}
    images = {name: factories.make_image(width=width, height=height) for name, (width, height) in sizes.items()}
    for name, image in images.items():
        Acquisition.objects.create(source=image.source, name=f"{name}.jpg", state="stored", image=image)
    Image.objects.filter(pk=images["sign"].pk).update(format="png")
    Image.objects.exclude(pk=images["kiosk"].pk).update(cluster=images["harbour"].pk)
    Image.objects.filter(pk=images["kiosk"].pk).update(cluster=images["kiosk"].pk)
    page = browser_of(ada).get("/images/", query).content.decode()
    shown = set(re.findall(r"<code>([^<]+)</code>", page))
    assert {name for name, image in images.items() if image.key in shown} == names


def test_how_many_there_are_is_counted_for_the_source_that_is_chosen(ada: Person) -> None:
    kept = factories.make_image(source=factories.make_source("kept"), pyramid_state="failed")
    factories.make_image()
    factories.make_image(source=kept.source)
    page = browser_of(ada).get("/images/", {"source": "kept", "text": "nothing"}).content.decode()
    assert re.findall(r'state=(\w+)&amp;source=kept">(\d+)<', page) == [
        ("waiting", "1"),
        ("tiled", "0"),
        ("failed", "1"),
        ("erased", "0"),
    ]
    assert "No picture fits these filters" in page


def test_a_picture_comes_with_source_licence_author_and_hash(ada: Person) -> None:
    image = make_tiled(attribution="Photo: M. Rossi", licence="CC-BY-SA-4.0")
    page = browser_of(ada).get(f"/images/{image.key}/").content.decode()
    assert "Photo: M. Rossi" in page
    assert "CC-BY-SA-4.0" in page
    assert image.sha256 in page
    assert "/info.json" in page


def test_without_a_licence_of_its_own_a_picture_has_its_sources(ada: Person) -> None:
    image = factories.make_image()
    assert "CC-BY-4.0" in browser_of(ada).get(f"/images/{image.key}/").content.decode()


def test_a_picture_without_tiles_says_why(ada: Person) -> None:
    waiting, failed = factories.make_image(), factories.make_image(pyramid_state="failed", pyramid_fault="It has 3 gigapixels.")
    client = browser_of(ada)
    assert "waiting to be tiled" in client.get(f"/images/{waiting.key}/").content.decode()
    page = client.get(f"/images/{failed.key}/").content.decode()
    assert "It has 3 gigapixels." in page
    assert "/iiif/" not in page


def test_ada_sees_the_questions_with_their_reference_answers(ada: Person) -> None:
    question = factories.make_original()
    seen_by_those_who_may.clear()
    page = browser_of(ada).get(f"/images/{question.image.key}/").content.decode()
    assert question.text in page
    assert question.answers[0] in page
    assert seen_by_those_who_may


def test_a_maintainer_who_also_reviews_sees_the_picture_without_its_questions(max_: Person) -> None:
    question = factories.make_original()
    assert max_.user is not None
    max_.user.roles = [Role.MAINTAINER, Role.ANNOTATOR]
    max_.user.save()
    page = browser_of(max_).get(f"/images/{question.image.key}/").content.decode()
    assert question.image.sha256 in page
    assert question.text not in page


def test_who_reviews_or_is_outside_does_not_see_images(ann: Person, rae: Person, otto: Person) -> None:
    image = factories.make_image()
    for person in (ann, rae, otto):
        for path in ("/images/", f"/images/{image.key}/"):
            assert browser_of(person).get(path).status_code == 403, (person, path)


def test_a_picture_that_is_not_there_is_not_found_and_an_empty_list_says_so(max_: Person) -> None:
    client = browser_of(max_)
    assert client.get("/images/none/").status_code == 404
    assert "No pictures yet" in client.get("/images/").content.decode()


def test_the_list_asks_as_much_for_many_pictures_as_for_one(ada: Person) -> None:
    client = browser_of(ada)
    make_tiled()
    with counted_statements() as one:
        client.get("/images/")
    for _ in range(55):
        make_tiled()
    with counted_statements() as many:
        page = client.get("/images/").content.decode()
    assert page.count('class="thumb"') == 50
    assert len(one) == len(many) == 5, many


def test_a_picture_asks_as_much_for_thirty_questions_as_for_one(ada: Person) -> None:
    image = make_tiled()
    client = browser_of(ada)
    factories.make_original(image=image)
    with counted_statements() as one:
        client.get(f"/images/{image.key}/")
    for _ in range(29):
        factories.make_original(image=image)
    with counted_statements() as thirty:
        client.get(f"/images/{image.key}/")
    assert len(one) == len(thirty) == 4, thirty
