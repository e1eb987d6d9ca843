"""A takedown and somebody else's deed at once: each order ends well, none ends half."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from annotation.models import Erratum, Image, Release, ReviewItem, Takedown, Vote
from annotation.releases import operations
from annotation.review.operations import ItemWithdrawn, cast_vote, claim_next
from tests import factories
from tests.decided import built_release
from tests.domain.test_takedowns import ABSENT, picture_of, publish, take_down
from tests.people import make_person
from tests.races import at_once, meanwhile, somebody_else, wait_until_blocked

pytestmark = pytest.mark.usefixtures("committed_db")


def test_of_four_takedowns_of_one_picture_one_stands() -> None:
    image, max_ = factories.make_image(), make_person("max")
    answers = at_once(*[partial(take_down, image, max_)] * 4)
    assert len([answer for answer in answers if isinstance(answer, Takedown)]) == 1
    assert Takedown.objects.count() == 1


@pytest.mark.parametrize("attempt", range(4))
def test_a_release_is_published_with_an_erratum_or_not_at_all(attempt: int) -> None:
    release = built_release()
    image = picture_of(release)
    at_once(partial(publish, release), partial(take_down, image, make_person("max")))
    release.refresh_from_db()
    assert Takedown.objects.filter(image=image).exists()
    assert (release.state, Erratum.objects.count()) in {("published", 1), ("built", 0)}


def test_a_takedown_waits_for_a_release_that_is_being_published() -> None:
    release = built_release()
    image, max_ = picture_of(release), make_person("max")
    with ThreadPoolExecutor(1) as pool:
        with somebody_else() as publisher:
            publisher.execute("SELECT id FROM release WHERE id = %s FOR UPDATE", [release.pk])
            taking = meanwhile(pool, partial(take_down, image, max_))
            wait_until_blocked()
            publisher.execute("UPDATE release SET state = 'published', published_at = now() WHERE id = %s", [release.pk])
        taking.result(timeout=20)
    assert Erratum.objects.get().release == Release.objects.get()


@pytest.mark.parametrize("attempt", range(4))
def test_a_vote_is_counted_before_or_told_never_half(attempt: int) -> None:
    image, ann, max_ = factories.make_image(), make_person("ann"), make_person("max")
    item = factories.make_item(factories.make_campaign(ann), factories.make_original(image=image), needed=3)
    claimed = claim_next(person=ann)
    assert claimed.task is not None
    vote = partial(cast_vote, token=claimed.task.token, person=ann, client_key="k", body=ABSENT)
    voted, taken = at_once(vote, partial(take_down, image, max_))
    assert isinstance(taken, Takedown), taken
    item = ReviewItem.objects.get(pk=item.pk)
    assert (item.state, item.leased) == ("withdrawn", 0)
    assert Vote.objects.count() == item.voted == (0 if isinstance(voted, ItemWithdrawn) else 1)
    assert Image.objects.get(pk=image.pk).pyramid_state == "erased"


def test_nobody_publishes_while_the_rows_are_being_withdrawn() -> None:
    release = built_release()
    image, max_ = picture_of(release), make_person("max")
    with ThreadPoolExecutor(1) as pool:
        with somebody_else() as voter:
            voter.execute("SELECT id FROM question WHERE image_id = %s FOR UPDATE", [image.pk])
            taking = meanwhile(pool, partial(take_down, image, max_))
            wait_until_blocked()
            publishing = meanwhile(pool_two := ThreadPoolExecutor(1), partial(publish, release))
        taking.result(timeout=20)
        with pytest.raises(operations.RowsWithdrawn):
            publishing.result(timeout=20)
        pool_two.shutdown()
