"""Rae decides what the votes could not: on evidence, with a reason, once, and never about her own vote."""

from typing import Any

import pytest

from annotation.adjudication import operations, queries
from annotation.errors import DomainError
from annotation.models import Decision, JournalEntry, Person, ReviewItem, SearchRecord, Vote
from annotation.review import coverage
from tests import factories

BOX = {"kind": "box", "boxes": [[10, 10, 60, 60]]}
FOUND = {"verdict": "answerable", "answer": "green", "evidence": BOX, "comment": "The teapot stands behind the curtain."}
ABSENT = {"verdict": "unanswerable", "premise": "object", "evidence": BOX, "comment": "That is a kettle, not a teapot."}
VAGUE = {"verdict": "ambiguous", "code": "several_referents", "comment": "There are two of them."}


def disputed_item(*people: Person, **values: Any) -> ReviewItem:
    item = factories.make_item(factories.make_campaign(*people), factories.make_edit(factories.make_original()))
    for person in people[1:]:
        factories.make_vote(item, person)
    factories.make_vote(item, people[0], "answerable")
    dispute = {"state": "disputed", "dispute_reason": "evidence-against-absent", **values}
    ReviewItem.objects.filter(pk=item.pk).update(**dispute)
    item.refresh_from_db()
    return item


def decide(item: ReviewItem, by: Person, body: dict[str, Any]) -> Decision:
    return operations.adjudicate(item_key=item.key, by=by, **body)


@pytest.fixture
def item(ann: Person, ben: Person, cleo: Person) -> ReviewItem:
    return disputed_item(ann, ben, cleo)


def test_raes_decision_stands_with_the_votes_she_read_and_the_place_she_showed(item: ReviewItem, rae: Person) -> None:
    decision = decide(item, rae, FOUND)
    item.refresh_from_db()
    assert item.state == "settled"
    assert (decision.verdict, decision.answer, decision.premise) == ("answerable", "green", "")
    assert (decision.method, decision.rule_version, decision.by) == ("adjudication", "adjudicate-2", rae)
    assert decision.votes == list(Vote.objects.order_by("pk").values_list("pk", flat=True))
    assert decision.comment == "The teapot stands behind the curtain."
    assert decision.numbers["dispute"] == "evidence-against-absent"
    assert decision.numbers["counts"] == {"answerable": 1, "unanswerable": 2, "ambiguous": 0}
    assert decision.numbers["evidence"] == {"kind": "box", "reason": "", "boxes": [[10, 10, 60, 60]], "points": []}


def test_each_verdict_keeps_only_what_belongs_to_it(item: ReviewItem, rae: Person) -> None:
    decision = decide(item, rae, {**VAGUE, "answer": "green", "premise": "object"})
    assert (decision.verdict, decision.answer, decision.premise) == ("ambiguous", "", "")
    assert decision.numbers["code"] == "several_referents"


def test_the_journal_says_that_rae_decided_and_what_it_was_before(item: ReviewItem, rae: Person) -> None:
    decision = decide(item, rae, ABSENT)
    made, settled = JournalEntry.objects.filter(event__in=["decision.made", "item.settled"]).order_by("pk")
    assert (made.actor, made.subject_id, made.after["method"]) == (rae, decision.pk, "adjudication")
    assert (settled.actor, settled.subject_id) == (rae, item.pk)
    assert settled.before == {"state": "disputed", "reason": "evidence-against-absent"}
    assert settled.after == {"verdict": "unanswerable"}


def test_raes_decision_supersedes_the_one_that_stood(item: ReviewItem, rae: Person) -> None:
    first = Decision.objects.create(
        question=item.question, item=item, verdict="unanswerable", method="consensus", rule_version="settle-1"
    )
    decision = decide(item, rae, FOUND)
    assert decision.supersedes == first
    assert queries.current_decision(item.question_id) == decision


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({**FOUND, "comment": " "}, "reason-missing", "comment"),
        ({**FOUND, "answer": ""}, "evidence-missing", "answer"),
        ({**FOUND, "evidence": None}, "evidence-missing", "evidence"),
        ({**FOUND, "evidence": {"kind": "box", "boxes": [[9000, 0, 9001, 5]]}}, "ballot-invalid", "evidence"),
        ({**ABSENT, "premise": ""}, "evidence-missing", "premise"),
        ({**ABSENT, "premise": "mood"}, "ballot-invalid", "premise"),
        ({**ABSENT, "evidence": None}, "evidence-missing", "evidence"),
        ({**VAGUE, "code": ""}, "evidence-missing", "code"),
        ({**VAGUE, "verdict": "perhaps"}, "ballot-invalid", "verdict"),
        ({**VAGUE, "comment": "nul\x00"}, "ballot-invalid", "comment"),
    ],
)
def test_a_decision_without_evidence_or_reason_names_the_field_and_changes_nothing(
    item: ReviewItem, rae: Person, body: dict[str, Any], code: str, field: str
) -> None:
    with pytest.raises(DomainError) as refusal:
        decide(item, rae, body)
    assert (refusal.value.code, refusal.value.field) == (code, field)
    item.refresh_from_db()
    assert item.state == "disputed"
    assert not Decision.objects.exists()


def test_a_reason_from_the_closed_list_carries_an_absent_verdict(item: ReviewItem, rae: Person) -> None:
    decision = decide(item, rae, {**ABSENT, "evidence": {"kind": "none", "reason": "scene_excludes"}})
    assert decision.numbers["evidence"]["reason"] == "scene_excludes"


def test_the_search_that_the_voters_did_together_carries_an_absent_verdict(item: ReviewItem, rae: Person) -> None:
    left, right = (whole_search(half) for half in (0, 1200))
    for vote, grid in zip(item.votes.order_by("pk")[:2], (left, right), strict=True):
        SearchRecord.objects.create(
            vote=vote, grid=grid.as_json(), grid_version=grid.version, needed_scale=1.0, seen_share=0.5, server_ms=9000
        )
    decision = decide(item, rae, {**ABSENT, "evidence": None})
    assert decision.numbers["searched"] is True


def whole_search(left: int) -> coverage.Grid:
    """A search of one half of the factories' picture (2400 x 1600) at full size."""
    samples = [coverage.Sample(t, left, 0, 1200, 1600, 1.0) for t in (0, 5000)]
    return coverage.grid_of(samples, width=2400, height=1600, duration_ms=9000)


def test_rae_cannot_decide_what_she_voted_on(ann: Person, ben: Person, rae: Person) -> None:
    item = disputed_item(ann, ben, rae)
    with pytest.raises(operations.AdjudicatorVoted):
        decide(item, rae, FOUND)
    with pytest.raises(queries.AdjudicatorVoted):
        queries.case(item_key=item.key, person=rae)
    assert not Decision.objects.exists()


@pytest.mark.parametrize("state", ["open", "settled", "withdrawn"])
def test_only_a_disputed_item_is_decided(item: ReviewItem, rae: Person, state: str) -> None:
    ReviewItem.objects.update(state=state)
    with pytest.raises(operations.NotDisputed):
        decide(item, rae, FOUND)
    assert not Decision.objects.exists()


def test_a_case_is_decided_once(item: ReviewItem, rae: Person) -> None:
    decide(item, rae, FOUND)
    with pytest.raises(operations.NotDisputed):
        decide(item, rae, ABSENT)
    assert Decision.objects.get().verdict == "answerable"


def test_an_unknown_item_is_no_case(rae: Person) -> None:
    with pytest.raises(operations.CaseUnknown):
        operations.adjudicate(item_key="no-such-item", by=rae, **FOUND)
