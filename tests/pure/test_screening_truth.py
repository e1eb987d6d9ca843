"""The chain against hand-made edits whose truth is known: no trap and no zero count may pass, no sound one may be lost."""

import json
from pathlib import Path

from annotation.questions.edits import Component, Edit, Operation, SemanticTuple, TupleKind, one_span_difference
from annotation.questions.screening import Candidate, Sibling, screen

DEMO = Path(__file__).parents[2] / "annotation" / "demo"


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DEMO / name).read_text(encoding="utf-8").splitlines()]


def candidate(row: dict[str, str], originals: dict[str, dict[str, str]]) -> Candidate:
    original = originals[row["source_id"]]
    change = one_span_difference(original["question"], row["question"])
    component = Component(row["component"])
    kind = TupleKind.ENTITY if component is Component.OBJECT else TupleKind(component)
    parts = (change.new.strip(),) if component is Component.OBJECT else ("thing", change.new.strip())
    operation = Operation.REPLACE if change.old.strip() and change.new.strip() else Operation.ADD
    siblings = [o for o in originals.values() if o["image"] == original["image"] and o is not original]
    return Candidate(
        Edit(change, component, operation, SemanticTuple(kind, parts), row["reason"]),
        answers=(original["answer"],),
        siblings=tuple(Sibling(o["question"], (o["answer"],)) for o in siblings),
    )


def failed(truth: str) -> dict[str, set[str]]:
    originals = {row["id"]: row for row in rows("demo_questions.jsonl")}
    edits = [row for row in rows("demo_edits_truth.jsonl") if row["truth"] == truth]
    return {row["id"]: {c.name for c in screen(candidate(row, originals)) if not c.passed} for row in edits}


def test_every_known_trap_is_refused() -> None:
    refused = failed("answerable")
    assert len(refused) == 5
    assert all(refused.values())
    assert refused["edit-017"] == refused["edit-020"] == {"directions"}


def test_every_known_zero_count_is_refused_as_one() -> None:
    assert failed("zero-count") == {"edit-022": {"zero-count"}, "edit-023": {"zero-count"}}


def test_of_the_sound_edits_only_those_that_are_no_one_span_edits_are_refused() -> None:
    refused = {name: reasons for name, reasons in failed("unanswerable").items() if reasons}
    assert all(reasons & {"one-span", "same-answer-type"} for reasons in refused.values())
    assert len(failed("unanswerable")) - len(refused) == 8
