"""Fifty people want ten items: nobody gets a taken seat, nobody gets one twice, and nobody is sent away while one is free."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from annotation.models import Assignment, Person, ReviewItem, Vote
from annotation.review import operations, statements
from annotation.review.operations import claiming
from tests import factories
from tests.crowds import counters, crowd, items_for, patient_claim, recount, take, work_until_empty
from tests.races import at_once, meanwhile, somebody_else

pytestmark = pytest.mark.usefixtures("committed_db")


def claim(person: Person) -> Callable[[], Any]:
    return lambda: patient_claim(person)


def test_fifty_people_at_ten_items_never_hold_more_seats_than_there_are() -> None:
    people = crowd(50)
    items_for(factories.make_campaign(*people), 10, needed=3)
    got = at_once(*[claim(person) for person in people])
    assert [one for one in got if isinstance(one, BaseException)] == []
    assert sum(one.task is not None for one in got) == 30
    assert {one.reason for one in got if one.task is None} == {"nothing-left"}
    assert set(counters().values()) == {(3, 0)}
    assert counters() == recount()


@pytest.mark.parametrize("turn", range(5))
def test_as_many_people_as_seats_all_get_one(turn: int) -> None:
    people = crowd(24)
    items_for(factories.make_campaign(*people), 3, needed=8)
    got = at_once(*[claim(person) for person in people])
    assert [one.reason for one in got if one.task is None] == []
    assert set(counters().values()) == {(8, 0)}


def test_a_seat_in_an_item_that_others_lock_is_called_busy_not_gone() -> None:
    (ann,) = crowd(1)
    (item,) = items_for(factories.make_campaign(ann), 1)
    with somebody_else() as other:
        other.execute("SELECT 1 FROM review_item WHERE id = %s FOR UPDATE", [item.pk])
        assert operations.claim_next(person=ann).reason == "busy"
    assert operations.claim_next(person=ann).task is not None


def test_without_the_recheck_ann_would_be_sent_away_from_a_free_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    (ann,) = crowd(1)
    (item,) = items_for(factories.make_campaign(ann), 1)
    monkeypatch.setattr(claiming, "_why_empty", lambda person, campaign: "nothing-left")
    with somebody_else() as other:
        other.execute("SELECT 1 FROM review_item WHERE id = %s FOR UPDATE", [item.pk])
        assert operations.claim_next(person=ann).reason == "nothing-left"
        assert ReviewItem.objects.get().claimable


def test_ann_waits_for_the_last_seat_until_a_slow_claim_is_over() -> None:
    ann, ben = crowd(2)
    (item,) = items_for(factories.make_campaign(ann, ben), 1, needed=2)
    with ThreadPoolExecutor(1) as pool, somebody_else() as slow:
        slow.execute("SELECT 1 FROM review_item WHERE id = %s FOR UPDATE", [item.pk])
        waiting = meanwhile(pool, claim(ann))
        slow.rollback()
        assert waiting.result(timeout=20).task is not None


def test_ann_with_eight_tabs_never_holds_an_item_or_its_twin_twice() -> None:
    (ann,) = crowd(1)
    campaign = factories.make_campaign(ann)
    for _pair in range(4):
        original = factories.make_original()
        factories.make_item(campaign, original)
        factories.make_item(campaign, factories.make_edit(original))
    got = at_once(*[claim(ann)] * 8)
    assert [one for one in got if isinstance(one, BaseException)] == []
    pairs = list(Assignment.objects.filter(live=True).values_list("pair", flat=True))
    assert len(pairs) == len(set(pairs))
    assert {one.task.token for one in got if one.task} == set(Assignment.objects.values_list("token", flat=True))
    assert counters() == recount()


def test_a_crowd_with_two_tabs_each_finishes_all_it_may_and_meets_no_twins() -> None:
    people = crowd(6)
    campaign = factories.make_campaign(*people, twin_distance=1000, votes_needed=2)
    for _pair in range(5):
        original = factories.make_original()
        factories.make_item(campaign, original, needed=2)
        factories.make_item(campaign, factories.make_edit(original), needed=2)
    reasons = at_once(*[lambda person=person: work_until_empty(person) for person in people * 2])
    assert set(reasons) == {"nothing-left"}
    votes = list(Vote.objects.values_list("person_id", "pair"))
    assert len(votes) == len(set(votes)), "somebody voted on both twins"
    assert counters() == recount()
    assert all(leased == 0 for leased, _voted in counters().values())
    for item in ReviewItem.objects.filter(claimable=True):
        assert {person.pk for person in people} <= {voter for voter, pair in votes if pair == item.pair}


def test_the_last_votes_of_a_campaign_all_arrive() -> None:
    people = crowd(12)
    items_for(factories.make_campaign(*people), 6, needed=9)
    reasons = at_once(*[lambda person=person: work_until_empty(person) for person in people])
    assert set(reasons) == {"nothing-left"}
    assert {item.state for item in ReviewItem.objects.all()} == {"settled"}
    assert set(counters().values()) == {(0, 9)}
    assert Vote.objects.filter(late=False).count() == 54


def test_a_skip_and_a_claim_at_once_leave_the_counters_true() -> None:
    people = crowd(8)
    items_for(factories.make_campaign(*people), 2, needed=4)
    tokens = {person: take(person) for person in people}
    got = at_once(
        *[lambda p=person: operations.skip(token=tokens[p], person=p) for person in people[:4]],
        *[lambda p=person: operations.claim_next(person=p) for person in people[4:]],
        lambda: operations.expire_leases(),
    )
    assert [one for one in got if isinstance(one, BaseException)] == []
    assert counters() == recount()
    assert sum(leased for leased, _voted in counters().values()) == 4


def test_own_votes_are_asked_for_in_the_shape_that_keeps_the_index() -> None:
    for text in (statements.CLAIM, statements.CLAIM_WITHOUT_COLOUR):
        assert text.count("COALESCE((SELECT false FROM vote") == 2
        assert text.count("FOR UPDATE OF i SKIP LOCKED") == 2
        assert "NOT EXISTS" not in text
