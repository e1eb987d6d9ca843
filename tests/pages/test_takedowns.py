"""The page on which Max takes a picture down, and what is seen of it afterwards."""

import html

import pytest
from django.test import Client

from annotation.models import Image, Person, Takedown, WorkUnit
from annotation.storage import store
from tests import factories
from tests.browser.desk import tiled_image
from tests.conftest import browser_of, counted_statements
from tests.decided import built_release
from tests.domain.test_takedowns import picture_of, publish

WHY = {"asked_by": "Otto Outside", "reason": "It shows my garden."}


@pytest.fixture
def image(db: None) -> Image:
    image = tiled_image(700, 500)
    store().write(image.storage_key, b"original")
    return image


def page(client: Client, address: str) -> str:
    return html.unescape(client.get(address).content.decode())


def test_max_reads_what_it_means_before_he_does_it(image: Image, max_: Person, ann: Person) -> None:
    factories.make_vote(factories.make_item(factories.make_campaign(ann), factories.make_original(image=image)), ann)
    max_there = browser_of(max_)
    with counted_statements() as asked:
        text = page(max_there, f"/images/{image.key}/takedown/")
    assert len(asked) <= 12, asked
    for line in ("1 question is withdrawn.", "1 item leaves review at once", "1 vote stays in the history."):
        assert line in text
    assert f"/images/{image.key}/takedown/" in page(max_there, f"/images/{image.key}/")


def test_max_takes_it_down_and_its_page_says_so(image: Image, max_: Person, ada: Person) -> None:
    max_there = browser_of(max_)
    answer = max_there.post(f"/images/{image.key}/takedown/", WHY, follow=True)
    text = html.unescape(answer.content.decode())
    assert "This picture was taken down" in text
    assert "Otto Outside" in text
    assert "data-info-url" not in text
    assert "Take it down" not in text
    assert WorkUnit.objects.filter(natural_key=f"erase:{image.key}").exists()
    assert "It shows my garden." in page(browser_of(ada), f"/images/{image.key}/")
    assert max_there.get(f"/images/{image.key}/takedown/").headers["Location"] == f"/images/{image.key}/"
    assert "taken down" in page(max_there, "/images/?state=erased")
    assert max_there.post(f"/images/{image.key}/original/").status_code == 404


def test_a_takedown_without_words_comes_back_with_what_was_entered(image: Image, max_: Person) -> None:
    answer = browser_of(max_).post(f"/images/{image.key}/takedown/", {**WHY, "reason": " "})
    assert answer.status_code == 400
    assert "Otto Outside" in answer.content.decode()
    assert not Takedown.objects.exists()


def test_a_second_window_is_told(image: Image, max_: Person) -> None:
    max_there = browser_of(max_)
    max_there.post(f"/images/{image.key}/takedown/", WHY)
    answer = max_there.post(f"/images/{image.key}/takedown/", WHY)
    assert answer.status_code == 409
    assert "taken down before" in answer.content.decode()


def test_whoever_looks_at_it_just_then_is_told_that_it_is_gone(image: Image, max_: Person) -> None:
    max_there = browser_of(max_)
    text = page(max_there, f"/images/{image.key}/")
    address = text.split('data-info-url="')[1].split('"')[0]
    assert max_there.get(address).status_code == 200
    store().erase(image.pyramid_key)
    Image.objects.filter(pk=image.pk).update(pyramid_state="erased", pyramid_key="")
    tile = f"{address.removesuffix('info.json')}full/350,250/0/default.jpg"
    answer = max_there.get(tile)
    assert (answer.status_code, answer.content.decode().strip()) == (410, "This picture was taken down.")


@pytest.mark.usefixtures("committed_db")
def test_a_release_shows_its_errata_and_why_it_cannot_be_published() -> None:
    release = built_release()
    image = picture_of(release)
    max_ = browser_of(Person.objects.get(pseudonym="max"))
    publish(release)
    assert "Errata" not in page(max_, f"/releases/{release.key}/")
    max_.post(f"/images/{image.key}/takedown/", WHY)
    text = page(max_, f"/releases/{release.key}/")
    assert "Errata" in text
    assert "garden" not in text
    rows = release.rows.filter(question__image=image).order_by("position").values_list("row_id", flat=True)
    told = max_.get(f"/releases/{release.key}/errata/").json()
    assert told["errata"][0]["rows"] == list(rows)


@pytest.mark.usefixtures("committed_db")
def test_a_built_release_says_that_its_rows_were_withdrawn() -> None:
    release = built_release()
    max_ = browser_of(Person.objects.get(pseudonym="max"))
    max_.post(f"/images/{picture_of(release).key}/takedown/", WHY)
    assert "withdrawn since it was built" in page(max_, f"/releases/{release.key}/")
