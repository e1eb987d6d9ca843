"""Two copies that are tiled at the same moment find each other: never two clusters."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import transaction

from annotation.images.looks import look_of
from annotation.images.operations import split_cluster
from annotation.images.operations.clusters import CLUSTER_LOCK, join
from annotation.images.operations.comparing import compare
from annotation.models import Image, ImageLikeness, Person
from tests import factories
from tests.likenesses import photo, view_of
from tests.people import make_person
from tests.races import at_once, meanwhile, somebody_else, wait_until_blocked


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


def waiting(count: int) -> list[Image]:
    return [factories.make_image(width=900, height=563) for _ in range(count)]


def settled(image: Image, longest: int) -> int:
    compared = compare(image, look_of(view_of(photo(longest=longest))))
    with transaction.atomic():
        return join(image, compared)


def test_copies_that_were_compared_before_either_was_stored_end_in_one_cluster(max_: Person) -> None:
    one, other = waiting(2)
    compared = [compare(image, look_of(view_of(photo(longest=size)))) for image, size in ((one, 900), (other, 500))]
    assert [found.likenesses for found in compared] == [(), ()]
    for image, found in zip((one, other), compared, strict=True):
        with transaction.atomic():
            join(image, found)
    assert set(Image.objects.values_list("cluster", flat=True)) == {one.pk}


def test_many_copies_at_once_end_in_one_cluster(max_: Person) -> None:
    images = waiting(6)
    found = at_once(*[lambda image=image, place=place: settled(image, 500 + 60 * place) for place, image in enumerate(images)])
    assert all(isinstance(cluster, int) for cluster in found), found
    assert set(Image.objects.values_list("cluster", flat=True)) == {images[0].pk}
    assert ImageLikeness.objects.count() == 15, "every pair was compared once"


@pytest.mark.parametrize("first", ["split", "arrival"])
def test_a_picture_that_arrives_while_max_splits_respects_the_split(max_: Person, first: str) -> None:
    one, other, late = waiting(3)
    for place, image in enumerate((one, other)):
        settled(image, 900 - 200 * place)
    deeds = {
        "split": lambda: split_cluster(images=[other], by=make_person("max"), reason="Another year."),
        "arrival": lambda: settled(late, 600),
    }
    with ThreadPoolExecutor(2) as pool, somebody_else() as holder:
        holder.execute("SELECT pg_advisory_xact_lock(%s)", [CLUSTER_LOCK])
        waiters = [meanwhile(pool, deeds.pop(first))]
        wait_until_blocked()
        waiters += [meanwhile(pool, deed) for deed in deeds.values()]
        holder.rollback()
        for waiter in waiters:
            waiter.result(timeout=20)
    clusters = dict(Image.objects.values_list("pk", "cluster"))
    assert clusters[one.pk] != clusters[other.pk]
    assert clusters[late.pk] in {one.pk, other.pk}
