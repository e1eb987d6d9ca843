"""What Rae finds in her queue, and what she reads of one case."""

import pytest

from annotation.adjudication import queries
from annotation.models import Person, ReviewItem, Vote
from tests import factories
from tests.domain.test_adjudication import FOUND, decide, disputed_item


def test_the_queue_holds_disputed_items_only(ann: Person, ben: Person, rae: Person) -> None:
    item = disputed_item(ann, ben)
    for state in ("open", "settled", "withdrawn"):
        factories.make_item(item.campaign, state=state)
    assert list(queries.open_cases(person=rae)) == [item]


def test_the_queue_leaves_out_what_rae_voted_on(ann: Person, ben: Person, rae: Person) -> None:
    disputed_item(ann, rae)
    other = disputed_item(ann, ben)
    assert list(queries.open_cases(person=rae)) == [other]


def test_after_a_decision_the_next_older_case_comes_and_after_the_last_the_first(ann: Person, ben: Person, rae: Person) -> None:
    first, second, third = (disputed_item(ann, ben) for _ in range(3))
    assert queries.next_case(person=rae, after=first) == second
    decide(third, rae, FOUND)
    assert queries.next_case(person=rae, after=third) == first
    ReviewItem.objects.exclude(pk=third.pk).update(state="withdrawn")
    assert queries.next_case(person=rae, after=third) is None


def test_a_case_shows_current_votes_oldest_first_and_late_ones_too(ann: Person, ben: Person, rae: Person) -> None:
    item = disputed_item(ann, ben)
    of_ben, of_ann = Vote.objects.order_by("pk")
    revised = factories.make_vote(item, ann, assignment=of_ann.assignment, supersedes=of_ann)
    late = factories.make_vote(item, factories.make_person("cleo"), late=True)
    case = queries.case(item_key=item.key, person=rae)
    assert case.votes == [of_ben, revised, late]
    assert case.open


def test_a_decided_case_can_be_read_again_and_an_item_never_in_dispute_cannot(ann: Person, ben: Person, rae: Person) -> None:
    item = disputed_item(ann, ben)
    decision = decide(item, rae, FOUND)
    case = queries.case(item_key=item.key, person=rae)
    assert (case.open, case.decision) == (False, decision)
    with pytest.raises(queries.CaseUnknown):
        queries.case(item_key=factories.make_item(item.campaign).key, person=rae)
