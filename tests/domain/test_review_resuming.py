"""Ann went away in the middle of a question: when she is back she goes on where she stopped, if its place is still free."""

import pytest

from annotation.models import Assignment, JournalEntry, Person
from annotation.review import operations
from tests import factories
from tests.conftest import counted_statements
from tests.crowds import cast, counters, items_for, recount, take
from tests.moments import ago

pytestmark = pytest.mark.django_db
FORM = {"verdict": "answerable", "answer": "gre"}


def leave_halfway(person: Person) -> str:
    """Take an item, enter something, go to lunch; its token."""
    token = take(person)
    operations.save_draft(token=token, person=person, form=FORM, size=20)
    Assignment.objects.filter(token=token).update(leased_until=ago(1))
    assert operations.expire_leases() == 1
    return token


def test_ann_gets_back_what_she_had_begun_with_her_draft(ann: Person) -> None:
    items_for(factories.make_campaign(ann), 8)
    token = leave_halfway(ann)
    task = operations.claim_next(person=ann).task
    assert task is not None
    assert (task.token, task.draft) == (token, FORM)
    assert operations.expire_leases() == 0
    assert counters() == recount()
    assert JournalEntry.objects.filter(event="assignment.leased").count() == 2
    assert not cast(ann, token).late


def test_ann_gets_something_else_when_her_place_was_taken(ann: Person, ben: Person) -> None:
    campaign = factories.make_campaign(ann, ben)
    (begun,) = items_for(campaign, 1, needed=1)
    leave_halfway(ann)
    take(ben)
    other = factories.make_item(campaign)
    assert Assignment.objects.get(token=take(ann)).item == other
    assert not begun.assignments.filter(person=ann, live=True).exists()
    assert counters() == recount()


@pytest.mark.parametrize("change", ["voted on the twin", "left the campaign", "skipped it", "colour questions are not for her"])
def test_what_ann_may_not_get_is_not_given_back(ann: Person, change: str) -> None:
    campaign = factories.make_campaign(ann)
    (item,) = items_for(campaign, 1, colour_question=True)
    token = leave_halfway(ann)
    if change == "voted on the twin":
        factories.make_vote(factories.make_item(campaign, pair=item.pair, state="settled"), ann)
    elif change == "left the campaign":
        campaign.memberships.update(active=False)
    elif change == "skipped it":
        operations.skip(token=token, person=ann)
    else:
        Person.objects.filter(pk=ann.pk).update(skips_colour=True)
        ann.refresh_from_db()
    assert operations.claim_next(person=ann).task is None
    assert counters() == recount()


def test_what_was_left_without_an_entry_is_not_given_back_before_others(ann: Person) -> None:
    items_for(factories.make_campaign(ann), 2)
    token = take(ann)
    Assignment.objects.update(leased_until=ago(1))
    operations.expire_leases()
    assert take(ann) != token


def test_what_was_begun_and_settled_by_others_costs_no_further_query(ann: Person) -> None:
    campaign = factories.make_campaign(ann)
    (begun,) = items_for(campaign, 1)
    leave_halfway(ann)
    factories.make_item(campaign)
    begun.state = "settled"
    begun.save()
    with counted_statements() as asked:
        assert operations.claim_next(person=ann).task is not None
    assert len(asked) == 2, asked


def test_two_tabs_that_ask_at_once_do_not_get_it_twice(ann: Person) -> None:
    items_for(factories.make_campaign(ann), 3)
    token = leave_halfway(ann)
    got = [operations.claim_next(person=ann).task for _tab in range(2)]
    assert [task.token for task in got if task] == [token, token]
    assert counters() == recount()
