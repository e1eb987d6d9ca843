"""What Ann skipped stays away from her for the time of a lease, and nobody else notices."""

import pytest
from django.db import connection

from annotation.models import Assignment, Person
from annotation.review import operations, statements
from annotation.review.operations.voting import AlreadyVoted
from tests import factories
from tests.crowds import cast, counters, crowd, items_for, recount, take
from tests.moments import ago, ahead

pytestmark = pytest.mark.django_db


def skip_one(person: Person) -> int:
    """Take an item and skip it; its id."""
    token = take(person)
    operations.skip(token=token, person=person)
    return Assignment.objects.get(token=token).item_id


def test_what_ann_skipped_does_not_come_straight_back_to_her(ann: Person) -> None:
    items_for(factories.make_campaign(ann), 3)
    skipped = [skip_one(ann) for _turn in range(3)]
    assert len(set(skipped)) == 3


def test_ann_who_skipped_the_rest_is_told_so_and_gets_it_when_the_time_is_over(ann: Person, ben: Person) -> None:
    items_for(factories.make_campaign(ann, ben), 2)
    cast(ann, take(ann))
    skipped = skip_one(ann)
    assert operations.claim_next(person=ann).reason == "skipped-only"
    Assignment.objects.filter(state="skipped").update(leased_until=ago(1))
    assert Assignment.objects.get(token=take(ann)).item_id == skipped


def test_what_ann_skipped_comes_to_ben_at_once(ann: Person, ben: Person) -> None:
    items_for(factories.make_campaign(ann, ben), 1, needed=1)
    skipped = skip_one(ann)
    assert Assignment.objects.get(token=take(ben)).item_id == skipped
    assert operations.claim_next(person=ann).reason == "nothing-left"
    assert counters() == recount()


def test_a_twin_that_may_come_still_comes_after_the_other_one_was_skipped(ann: Person) -> None:
    campaign = factories.make_campaign(ann)
    original = factories.make_original()
    twins = {factories.make_item(campaign, question).pk for question in (original, factories.make_edit(original))}
    assert {skip_one(ann), skip_one(ann)} == twins


def test_the_twin_of_what_ann_skipped_comes_last(ann: Person) -> None:
    campaign = factories.make_campaign(ann)
    original = factories.make_original()
    twins = {factories.make_item(campaign, question).pk for question in (original, factories.make_edit(original))}
    others = {factories.make_item(campaign, priority=2).pk for _item in range(2)}
    assert skip_one(ann) in twins
    assert {skip_one(ann), skip_one(ann)} == others
    assert skip_one(ann) in twins


def test_a_twin_that_is_barred_anyway_is_not_called_skipped(ann: Person) -> None:
    campaign = factories.make_campaign(ann, twin_distance=5)
    original = factories.make_original()
    items = [factories.make_item(campaign, question) for question in (original, factories.make_edit(original))]
    factories.make_assignment(items[0], ann, state="skipped", leased_until=ahead(600))
    cast(ann, take(ann))
    assert operations.claim_next(person=ann).reason == "nothing-left"


def test_a_colour_question_that_ann_may_not_get_is_not_called_skipped(ann: Person) -> None:
    (item,) = items_for(factories.make_campaign(ann), 1, colour_question=True)
    factories.make_assignment(item, ann, state="skipped", leased_until=ahead(600))
    Person.objects.filter(pk=ann.pk).update(skips_colour=True)
    ann.refresh_from_db()
    assert operations.claim_next(person=ann).reason == "nothing-left"


def test_a_lease_that_is_nearly_over_still_bars_for_a_whole_lease(ann: Person) -> None:
    campaign = factories.make_campaign(ann)
    items_for(campaign, 1)
    token = take(ann)
    Assignment.objects.update(leased_until=ago(1))
    operations.skip(token=token, person=ann)
    assert operations.claim_next(person=ann).reason == "skipped-only"
    assert Assignment.objects.filter(leased_until__gt=ahead(campaign.lease_seconds - 20)).exists()


def test_a_lease_that_was_ended_can_still_be_skipped_and_frees_no_second_seat(ann: Person) -> None:
    items_for(factories.make_campaign(ann), 1)
    token = take(ann)
    Assignment.objects.update(leased_until=ago(1))
    operations.expire_leases()
    operations.skip(token=token, person=ann)
    assert operations.claim_next(person=ann).reason == "skipped-only"
    assert counters() == recount()


def test_skipped_items_of_one_campaign_do_not_hide_another_campaign(ann: Person) -> None:
    for _campaign in range(2):
        items_for(factories.make_campaign(ann), 1)
    assert skip_one(ann) != skip_one(ann)
    assert operations.claim_next(person=ann).reason == "skipped-only"


@pytest.mark.parametrize("statement", ["CLAIM", "CLAIM_WITHOUT_COLOUR", "WHY_NONE"])
def test_the_bar_is_asked_of_its_own_index(statement: str) -> None:
    ann, ben = crowd(2)
    campaign = factories.make_campaign(ann, ben)
    (item,) = items_for(campaign, 1)
    states = ["skipped", "expired"] * 500
    others = [Assignment(item=item, person=ben, pair=item.pair, state=state, leased_until=ahead(600)) for state in states]
    Assignment.objects.bulk_create(others)
    values = {"campaign": campaign.pk, "person": ann.pk, "lanes": 4, "priorities": 3, "lane": 0, "start": 0, "apart": 5,
              "token": "token", "seconds": 600, "skips": False}  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + getattr(statements, statement), values)
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "assignment_skipped" in plan


def test_what_ann_voted_on_can_be_neither_skipped_nor_renewed_nor_drafted_and_the_reason_is_her_vote(ann: Person) -> None:
    items_for(factories.make_campaign(ann), 1)
    token = take(ann)
    cast(ann, token)
    for verb in (operations.skip, operations.renew, lambda **who: operations.save_draft(form={}, size=2, **who)):
        with pytest.raises(AlreadyVoted):
            verb(token=token, person=ann)
    assert counters() == recount()
