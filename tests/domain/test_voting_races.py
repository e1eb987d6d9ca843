"""Votes meet at one item: it settles exactly once, and the same vote over two connections is one vote."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from annotation.models import VOTE_GATE, Assignment, Decision, JournalEntry, Person, ReviewItem, Vote
from annotation.review import operations, statements
from annotation.review.operations import voting
from annotation.review.operations.voting import AlreadyVoted, KeyReused
from tests import factories
from tests.crowds import cast, counters, crowd, items_for, recount, take
from tests.races import at_once, meanwhile, somebody_else, wait_until_blocked

pytestmark = pytest.mark.usefixtures("committed_db")
HOLD = "SELECT 1 FROM review_item WHERE id = %s FOR UPDATE"


def three_at_one_item() -> tuple[ReviewItem, dict[Person, str]]:
    people = crowd(3)
    (item,) = items_for(factories.make_campaign(*people), 1)
    return item, {person: take(person) for person in people}


def casting(person: Person, token: str, key: str = "") -> Callable[[], Any]:
    return lambda: cast(person, token, key)


def test_concurrent_last_votes_settle_every_item_exactly_once() -> None:
    people = crowd(12)
    campaign = factories.make_campaign(*people)
    items_for(campaign, 12)
    held = [(person, take(person)) for person in people]
    for _round in range(3):
        got = at_once(*[casting(person, token) for person, token in held])
        assert [one for one in got if isinstance(one, BaseException)] == []
        held = [(person, claimed.task.token) for person in people if (claimed := operations.claim_next(person=person)).task]
    assert Vote.objects.count() == 36
    assert {item.state for item in ReviewItem.objects.all()} == {"settled"}
    assert sorted(Decision.objects.values_list("item_id", flat=True)) == sorted(counters())
    assert counters() == recount()


@pytest.mark.parametrize("turn", range(10))
def test_three_votes_on_one_item_at_once_make_one_decision_of_three(turn: int) -> None:
    item, held = three_at_one_item()
    got = at_once(*[casting(person, token) for person, token in held.items()])
    assert [one for one in got if isinstance(one, BaseException)] == []
    item.refresh_from_db()
    assert (item.state, item.leased, item.voted) == ("settled", 0, 3)
    assert len(Decision.objects.get().votes) == 3
    assert JournalEntry.objects.filter(event="item.settled").count() == 1


def test_without_the_items_lock_three_votes_at_once_would_settle_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    item, held = three_at_one_item()
    everybody_read = Barrier(3)
    check = voting.ballots.check_evidence

    def slowly(*args: Any, **values: Any) -> None:
        check(*args, **values)
        everybody_read.wait(timeout=20)

    assert "FOR UPDATE OF i, a" in statements.OPEN_BALLOT
    monkeypatch.setattr(statements, "OPEN_BALLOT", statements.OPEN_BALLOT.replace("FOR UPDATE OF i, a", ""))
    monkeypatch.setattr(voting.ballots, "check_evidence", slowly)
    at_once(*[casting(person, token) for person, token in held.items()])
    item.refresh_from_db()
    assert Vote.objects.count() == 3
    assert (item.state, Decision.objects.count()) == ("open", 0)


def test_the_same_vote_over_five_connections_is_one_vote_with_one_answer() -> None:
    item, held = three_at_one_item()
    person, token = next(iter(held.items()))
    got = at_once(*[casting(person, token, "one key")] * 5)
    assert [one for one in got if isinstance(one, BaseException)] == []
    assert len({one.vote for one in got}) == 1
    assert sorted(one.repeated for one in got) == [False, True, True, True, True]
    assert Vote.objects.get().key == got[0].vote
    assert JournalEntry.objects.filter(event="vote.cast").count() == 1
    assert counters() == recount() == {item.pk: (2, 1)}


def test_two_different_votes_of_ann_at_once_are_one_vote_and_one_refusal() -> None:
    _item, held = three_at_one_item()
    person, token = next(iter(held.items()))
    got = at_once(casting(person, token, "first key"), casting(person, token, "second key"))
    assert sorted(type(one) for one in got if isinstance(one, BaseException)) == [AlreadyVoted]
    assert Vote.objects.count() == 1
    assert counters() == recount()


def test_one_key_for_two_items_at_once_is_one_vote_and_one_refusal() -> None:
    (ann,) = crowd(1)
    campaign = factories.make_campaign(ann)
    tokens = [factories.make_assignment(item, ann).token for item in items_for(campaign, 2, leased=1)]
    got = at_once(*[casting(ann, token, "one key") for token in tokens])
    assert sorted(type(one) for one in got if isinstance(one, BaseException)) == [KeyReused]
    assert Vote.objects.count() == 1
    assert counters() == recount()


def test_a_vote_that_waits_for_the_sweep_frees_its_seat_once() -> None:
    item, held = three_at_one_item()
    ann, token = next(iter(held.items()))
    Assignment.objects.filter(token=token).update(leased_until="2026-01-01T00:00:00Z")
    with ThreadPoolExecutor(1) as pool:
        with somebody_else() as sweeper:
            sweeper.execute(statements.EXPIRE)
            waiting = meanwhile(pool, casting(ann, token))
            wait_until_blocked()
        assert not waiting.result(timeout=20).late
    assert counters() == recount() == {item.pk: (2, 1)}


def test_a_vote_that_waits_for_its_item_does_not_hold_its_lease_so_no_circle_can_form() -> None:
    item, held = three_at_one_item()
    ann, token = next(iter(held.items()))
    with ThreadPoolExecutor(1) as pool:
        with somebody_else() as sweeper:
            sweeper.execute(HOLD, [item.pk])
            waiting = meanwhile(pool, casting(ann, token))
            wait_until_blocked()
            sweeper.execute("SELECT 1 FROM assignment WHERE token = %s FOR UPDATE NOWAIT", [token])
        assert not waiting.result(timeout=20).late


def test_a_vote_that_waits_for_the_last_other_vote_is_kept_as_late() -> None:
    item, held = three_at_one_item()
    ann, token = next(iter(held.items()))
    with ThreadPoolExecutor(1) as pool:
        with somebody_else() as other:
            other.execute("UPDATE review_item SET state = 'settled' WHERE id = %s", [item.pk])
            waiting = meanwhile(pool, casting(ann, token))
            wait_until_blocked()
        assert waiting.result(timeout=20).late
    assert Vote.objects.get().late
    assert not Decision.objects.exists()
    assert counters() == recount() == {item.pk: (2, 0)}


def test_votes_wait_while_a_release_build_takes_its_snapshot_and_hold_nothing_meanwhile() -> None:
    item, held = three_at_one_item()
    ann, token = next(iter(held.items()))
    with ThreadPoolExecutor(1) as pool, somebody_else() as build:
        build.execute("SELECT pg_advisory_xact_lock(%s)", [VOTE_GATE])
        waiting = meanwhile(pool, casting(ann, token))
        wait_until_blocked()
        build.execute(f"{HOLD} NOWAIT", [item.pk])
        assert not Vote.objects.exists()
        build.rollback()
        assert not waiting.result(timeout=20).late
    assert Vote.objects.count() == 1


def test_a_release_build_waits_for_the_votes_that_came_before_it() -> None:
    _item, held = three_at_one_item()
    (ann, token), (ben, his_token), *_rest = held.items()
    with ThreadPoolExecutor(1) as pool, somebody_else() as vote, somebody_else() as build:
        vote.execute("SELECT pg_advisory_xact_lock_shared(%s)", [VOTE_GATE])
        assert not cast(ann, token).late, "votes do not wait for each other at the gate"
        taken = build.execute("SELECT pg_try_advisory_xact_lock(%s)", [VOTE_GATE]).fetchone()
        assert taken == (False,)
        vote.rollback()
        waiting = meanwhile(pool, casting(ben, his_token))
        waiting.result(timeout=20)
        assert build.execute("SELECT pg_try_advisory_xact_lock(%s)", [VOTE_GATE]).fetchone() == (True,)
