"""What cannot be stored is refused with a reason, and nothing of it is kept."""

from typing import Any

import pytest

from annotation.models import Draft, IdempotencyKey, Person, Vote
from annotation.review import operations
from annotation.review.ballots import BallotInvalid
from annotation.review.operations.claiming import DraftInvalid
from annotation.review.operations.voting import KeyMissing
from tests import factories
from tests.crowds import absent, counters, items_for, recount, take

pytestmark = pytest.mark.django_db


@pytest.fixture
def token(ann: Person) -> str:
    items_for(factories.make_campaign(ann), 1)
    return take(ann)


@pytest.mark.parametrize("key", ["", "k" * 81, "nul\x00", "new\nline", "half \ud800"])
def test_a_key_is_one_to_eighty_printable_characters(ann: Person, token: str, key: str) -> None:
    with pytest.raises(KeyMissing):
        operations.cast_vote(token=token, person=ann, client_key=key, body=absent(token))
    assert not IdempotencyKey.objects.exists()


@pytest.mark.parametrize("value", [float("inf"), "half a pair \ud800", {"deep": ["\udfff"]}])
def test_a_body_that_has_no_canonical_form_is_refused_wherever_the_fault_is(ann: Person, token: str, value: Any) -> None:
    with pytest.raises(BallotInvalid):
        operations.cast_vote(token=token, person=ann, client_key="key", body={**absent(token), "unknown": value})
    assert not Vote.objects.exists()
    assert counters() == recount()


@pytest.mark.parametrize("letter", ["\x00", "\ud800"])
def test_a_draft_that_cannot_be_stored_leaves_the_last_one_standing(ann: Person, token: str, letter: str) -> None:
    operations.save_draft(token=token, person=ann, form={"answer": "gre"}, size=20)
    with pytest.raises(DraftInvalid):
        operations.save_draft(token=token, person=ann, form={"answer": letter}, size=20)
    assert Draft.objects.get().form == {"answer": "gre"}
