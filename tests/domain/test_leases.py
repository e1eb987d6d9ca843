"""Leases end when nobody works on them any more: their seats return, once each, and the counters stay true."""

import pytest
from django.db import connection

from annotation.models import Assignment, JournalEntry, Person, ReviewItem
from annotation.review import operations
from annotation.review.operations.claiming import AssignmentUnknown, LeaseOver
from tests import factories
from tests.crowds import cast, counters, crowd, items_for, recount, take
from tests.moments import ago, ahead

pytestmark = pytest.mark.django_db


def test_several_leases_on_one_item_end_in_one_sweep_and_free_a_seat_each() -> None:
    people = crowd(5)
    (item,) = items_for(factories.make_campaign(*people), 1, needed=5)
    tokens = [take(person) for person in people]
    Assignment.objects.filter(token__in=tokens[:3]).update(leased_until=ago(1))
    assert operations.expire_leases() == 3
    assert counters() == recount() == {item.pk: (2, 0)}
    assert set(Assignment.objects.filter(token__in=tokens[:3]).values_list("state", flat=True)) == {"expired"}
    assert JournalEntry.objects.filter(event="assignment.expired").count() == 3
    assert operations.expire_leases() == 0


def test_a_sweep_that_does_not_group_by_item_would_drift() -> None:
    people = crowd(3)
    (item,) = items_for(factories.make_campaign(*people), 1)
    for person in people:
        take(person)
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH ended AS (UPDATE assignment SET state = 'expired' WHERE live RETURNING item_id) "
            "UPDATE review_item i SET leased = leased - 1 FROM ended WHERE i.id = ended.item_id"
        )
    assert counters() == {item.pk: (2, 0)}
    assert recount() == {item.pk: (0, 0)}


def test_a_freed_seat_goes_to_the_next_who_asks(ann: Person, ben: Person) -> None:
    (item,) = items_for(factories.make_campaign(ann, ben), 1, needed=1)
    take(ann)
    assert operations.claim_next(person=ben).reason == "nothing-left"
    Assignment.objects.update(leased_until=ago(1))
    operations.expire_leases()
    assert Assignment.objects.get(token=take(ben)).item == item


def test_a_renewed_lease_outlives_the_sweep(ann: Person) -> None:
    items_for(factories.make_campaign(ann), 1)
    token = take(ann)
    Assignment.objects.update(leased_until=ago(1))
    operations.renew(token=token, person=ann)
    assert operations.expire_leases() == 0
    assert Assignment.objects.filter(token=token, live=True, leased_until__gt=ahead(590)).exists()


def test_an_ended_lease_cannot_be_renewed_but_its_vote_still_counts(ann: Person) -> None:
    (item,) = items_for(factories.make_campaign(ann), 1)
    token = take(ann)
    Assignment.objects.update(leased_until=ago(1))
    operations.expire_leases()
    with pytest.raises(LeaseOver):
        operations.renew(token=token, person=ann)
    assert not cast(ann, token).late
    assert counters() == recount() == {item.pk: (0, 1)}


def test_nobody_renews_or_skips_the_lease_of_another(ann: Person, ben: Person) -> None:
    items_for(factories.make_campaign(ann, ben), 1)
    token = take(ann)
    for verb in (operations.renew, operations.skip):
        with pytest.raises(AssignmentUnknown):
            verb(token=token, person=ben)
    assert Assignment.objects.get().state == "leased"


def test_a_vote_after_the_seat_went_to_another_is_kept_beyond_what_was_needed(ann: Person, ben: Person) -> None:
    (item,) = items_for(factories.make_campaign(ann, ben, votes_needed=1, votes_at_most=1), 1, needed=1)
    token = take(ann)
    Assignment.objects.update(leased_until=ago(1))
    operations.expire_leases()
    his = take(ben)
    assert not cast(ann, token).late
    assert cast(ben, his).late
    assert ReviewItem.objects.get().state != "open"
    assert counters() == recount() == {item.pk: (0, 1)}
