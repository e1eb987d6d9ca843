"""The sweep, voters, skippers and claimers meet on the same leases: whatever comes first, the counters equal a recount."""

import pytest

from annotation.models import Assignment, Decision, Person, ReviewItem, Vote
from annotation.review import operations
from annotation.review.operations.claiming import LeaseOver
from tests import factories
from tests.crowds import cast, counters, crowd, items_for, recount, take
from tests.moments import ago
from tests.races import at_once, somebody_else

pytestmark = pytest.mark.usefixtures("committed_db")


def overdue_leases(people: int, items: int, needed: int) -> dict[Person, str]:
    voters = crowd(people)
    items_for(factories.make_campaign(*voters), items, needed=needed)
    tokens = {person: take(person) for person in voters}
    Assignment.objects.update(leased_until=ago(1))
    return tokens


@pytest.mark.parametrize("turn", range(5))
def test_voters_and_three_sweepers_at_once_lose_no_vote_and_no_seat(turn: int) -> None:
    tokens = overdue_leases(people=16, items=4, needed=4)
    got = at_once(
        *[lambda p=person, t=token: cast(p, t) for person, token in tokens.items()],
        *[operations.expire_leases] * 3,
    )
    assert [one for one in got if isinstance(one, BaseException)] == []
    operations.expire_leases()
    assert Vote.objects.filter(late=False).count() == 16
    assert counters() == recount()
    assert set(counters().values()) == {(0, 4)}
    assert Decision.objects.count() == 4


def test_sweepers_skippers_and_renewers_at_once_free_each_seat_once() -> None:
    tokens = list(overdue_leases(people=18, items=3, needed=6).items())
    got = at_once(
        *[lambda p=person, t=token: operations.skip(token=t, person=p) for person, token in tokens[:6]],
        *[lambda p=person, t=token: operations.renew(token=t, person=p) for person, token in tokens[6:12]],
        *[operations.expire_leases] * 3,
    )
    assert {type(one) for one in got if isinstance(one, BaseException)} <= {LeaseOver}
    assert counters() == recount()
    operations.expire_leases()
    still_held = sum(isinstance(one, Assignment) for one in got)
    assert Assignment.objects.filter(live=True).count() == still_held
    assert counters() == recount()


def test_two_sweepers_share_the_work_and_end_each_lease_once() -> None:
    overdue_leases(people=20, items=10, needed=2)
    ended = at_once(*[operations.expire_leases] * 4)
    assert sum(ended) + operations.expire_leases() == 20
    assert counters() == recount()
    assert all(seats == (0, 0) for seats in counters().values())


def test_the_sweep_passes_by_an_item_that_a_voter_holds_and_does_not_wait() -> None:
    overdue_leases(people=2, items=2, needed=1)
    held = ReviewItem.objects.order_by("pk")[0]
    with somebody_else() as voter:
        voter.execute("SELECT 1 FROM review_item WHERE id = %s FOR UPDATE", [held.pk])
        assert operations.expire_leases() == 1
    assert operations.expire_leases() == 1
    assert counters() == recount()


def test_while_leases_end_others_claim_the_seats_and_no_item_is_over_full() -> None:
    overdue_leases(people=12, items=3, needed=4)
    late_comers = crowd_after(12)
    ReviewItem.objects.get(pk=min(counters()))
    at_once(*[operations.expire_leases] * 2, *[lambda p=person: operations.claim_next(person=p) for person in late_comers])
    operations.expire_leases()
    assert counters() == recount()
    assert all(leased <= 4 for leased, _voted in counters().values())


def crowd_after(size: int) -> list[Person]:
    people = Person.objects.bulk_create([Person(pseudonym=f"late comer {number}") for number in range(size)])
    campaign = ReviewItem.objects.all()[0].campaign
    for person in people:
        operations.add_member(campaign=campaign, person=person, by=campaign.by)
    return people
