"""Ann claims: what she may not get never comes, what is free comes, and an empty answer says the truth."""

import pytest

from annotation.models import Assignment, Person, ReviewItem, Vote
from annotation.review import operations
from annotation.review.operations.claiming import LeaseOver
from tests import factories
from tests.crowds import cast, counters, crowd, items_for, recount, take
from tests.moments import ago

pytestmark = pytest.mark.django_db


def item_of(token: str) -> ReviewItem:
    return Assignment.objects.get(token=token).item


def test_ann_who_skips_colour_questions_gets_none(ann: Person) -> None:
    ann.skips_colour = True
    ann.save()
    campaign = factories.make_campaign(ann)
    items_for(campaign, 4, colour_question=True)
    plain = items_for(campaign, 2)
    seen = []
    for _turn in plain:
        token = take(ann)
        seen.append(item_of(token))
        cast(ann, token)
    assert set(seen) == set(plain)
    assert operations.claim_next(person=ann).reason == "nothing-left"


def test_the_most_urgent_items_come_first_in_every_lane(ann: Person) -> None:
    campaign = factories.make_campaign(ann)
    items_for(campaign, 4, priority=2)
    urgent = [factories.make_item(campaign, lane=lane, priority=0) for lane in range(4)]
    for _turn in range(4):
        lane_before = {item.lane for item in urgent if item.voted}
        token = take(ann)
        assert item_of(token).priority == 0 or item_of(token).lane in lane_before
        cast(ann, token)
        for item in urgent:
            item.refresh_from_db()


def test_an_item_is_found_wherever_the_walk_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    people = crowd(3)
    campaign = factories.make_campaign(*people)
    item = factories.make_item(campaign, lane=2, shuffle_key=1000)
    for person, start in zip(people, (0, 1000, 2_147_483_646), strict=True):
        monkeypatch.setattr("annotation.review.operations.claiming.dice.randrange", lambda below, at=start: min(at, below - 1))
        assert item_of(take(person)) == item


def test_ann_never_meets_the_twin_while_anything_else_is_left(ann: Person) -> None:
    campaign = factories.make_campaign(ann, twin_distance=2)
    original = factories.make_original()
    twins = [factories.make_item(campaign, original), factories.make_item(campaign, factories.make_edit(original))]
    others = items_for(campaign, 6)
    order = []
    for _turn in range(8):
        token = take(ann)
        order.append(item_of(token))
        cast(ann, token)
    assert set(order) == {*twins, *others}
    assert order[-1] in twins
    assert len({item.pair for item in order[:7]}) == 7


def test_the_twin_does_not_come_within_the_campaigns_distance(ann: Person) -> None:
    campaign = factories.make_campaign(ann, twin_distance=3)
    original = factories.make_original()
    first = factories.make_item(campaign, original, priority=0)
    twin = factories.make_item(campaign, factories.make_edit(original), priority=0)
    later = items_for(campaign, 2, priority=2)
    order = []
    while (claimed := operations.claim_next(person=ann)).task is not None:
        order.append(item_of(claimed.task.token))
        cast(ann, claimed.task.token)
    assert claimed.reason == "nothing-left"
    assert set(order) - {first, twin} == set(later)
    assert len(order) == 3


def test_ann_does_not_get_the_twin_of_what_she_holds(ann: Person) -> None:
    campaign = factories.make_campaign(ann, twin_distance=0)
    original = factories.make_original()
    held = factories.make_item(campaign, original, leased=1)
    factories.make_item(campaign, factories.make_edit(original))
    ReviewItem.objects.filter(pk=held.pk).update(state="settled")  # so that the lease is not simply given again
    factories.make_assignment(held, ann)
    assert operations.claim_next(person=ann).reason == "nothing-left"


def test_a_lease_that_ran_out_is_taken_up_again_while_nobody_ended_it(ann: Person) -> None:
    campaign = factories.make_campaign(ann)
    items_for(campaign, 5)
    token = take(ann)
    operations.save_draft(token=token, person=ann, form={"answer": "gre"}, size=20)
    Assignment.objects.update(leased_until=ago(60))
    claimed = operations.claim_next(person=ann)
    assert claimed.task is not None
    assert (claimed.task.token, claimed.task.draft) == (token, {"answer": "gre"})
    assert operations.expire_leases() == 0
    assert counters() == recount()


def test_a_skipped_seat_is_free_at_once_and_skipping_twice_frees_it_once(ann: Person, ben: Person) -> None:
    campaign = factories.make_campaign(ann, ben)
    item = factories.make_item(campaign, needed=1)
    token = take(ann)
    assert operations.claim_next(person=ben).reason == "nothing-left"
    operations.skip(token=token, person=ann)
    with pytest.raises(LeaseOver):
        operations.skip(token=token, person=ann)
    item.refresh_from_db()
    assert item.leased == 0
    assert item_of(take(ben)) == item
    assert counters() == recount()


def test_paused_campaigns_and_former_members_give_nothing(ann: Person, ben: Person, max_: Person) -> None:
    campaign = factories.make_campaign(ann, ben)
    items_for(campaign, 1)
    campaign.memberships.filter(person=ann).update(active=False)
    assert operations.claim_next(person=ann).reason == "no-campaign"
    operations.set_campaign_state(campaign=campaign, state="paused", by=max_)
    assert operations.claim_next(person=ben).reason == "paused"
    assert not Vote.objects.exists()


def test_when_one_campaign_is_done_the_next_one_goes_on(ann: Person) -> None:
    factories.make_item(factories.make_campaign(ann), needed=1, voted=1, state="settled")
    open_item = factories.make_item(factories.make_campaign(ann))
    assert item_of(take(ann)) == open_item
