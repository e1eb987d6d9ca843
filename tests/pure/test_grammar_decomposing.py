"""What a question takes for granted, claim by claim."""

import json
from pathlib import Path

import pytest

from annotation.questions.decomposing import check_question, check_questions, claim_at, decompose
from annotation.questions.edits import Decomposition, SemanticTuple, Span, TupleKind
from annotation.questions.grammar import parse

DEMO = Path(__file__).parents[2] / "annotation" / "demo" / "demo_questions.jsonl"


def taken_apart(text: str) -> Decomposition:
    parsed = parse(text)
    assert parsed is not None
    return decompose(parsed)


def told(text: str) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    return [(claim.kind.value, claim.parts, claim.parents) for claim in taken_apart(text).tuples]


def test_things_come_before_what_is_said_of_them() -> None:
    assert told("What color is the beanbag under the red drum?") == [
        ("entity", ("beanbag",), ()),
        ("entity", ("drum",), ()),
        ("attribute", ("drum", "red"), (1,)),
        ("relation", ("beanbag", "under", "red drum"), (0, 1)),
    ]


def test_a_part_belongs_to_its_whole_and_an_amount_is_what_it_is_an_amount_of() -> None:
    assert told("What color is the rim of the cups?")[-1] == ("relation", ("cups", "has", "rim"), (0, 1))
    assert told("Is the row of wooden posts on the left or right side of the image?") == [
        ("entity", ("posts",), ()),
        ("attribute", ("posts", "wooden"), (0,)),
    ]


def test_what_is_asked_for_is_something() -> None:
    assert told("What is lying on the beanbag?")[-1] == ("relation", ("something", "lying on", "beanbag"), (0,))
    assert told("How many thick cables cross the sky?")[-1] == ("relation", ("thick cables", "crossing", "sky"), (0, 2))


def test_every_claim_of_the_demo_questions_stands_on_words_and_can_be_checked() -> None:
    for line in DEMO.read_text(encoding="utf-8").splitlines():
        decomposition = taken_apart(json.loads(line)["question"])
        assert decomposition.tuples
        for claim in decomposition.tuples:
            assert claim.span is not None
            assert claim.span.of(decomposition.text)
            assert check_question(claim).endswith("?")


def test_a_claim_is_found_by_its_words() -> None:
    decomposition = taken_apart("What color is the bowl?")
    assert claim_at(decomposition, Span(18, 22)) == 0
    assert claim_at(decomposition, Span(0, 4)) is None


@pytest.mark.parametrize(
    ("kind", "parts", "question"),
    [
        ("entity", ("orange",), "Is there an orange?"),
        ("entity", ("cups",), "Are there cups?"),
        ("entity", ("milk",), "Is there any milk?"),
        ("attribute", ("kiosk", "red"), "Is the kiosk red?"),
        ("attribute", ("cups", "blue"), "Are the cups blue?"),
        ("attribute", ("brush", "largest"), "Is one brush the largest one?"),
        ("relation", ("something", "lying on", "beanbag"), "Is something lying on the beanbag?"),
        ("relation", ("boats", "at the bottom left"), "Are the boats at the bottom left?"),
        ("relation", ("woman", "has", "scarf"), "Does the woman have a scarf?"),
    ],
)
def test_a_check_question_reads_well_and_does_not_tell_its_answer(kind: str, parts: tuple[str, ...], question: str) -> None:
    assert check_question(SemanticTuple(TupleKind(kind), parts)) == question


def test_an_original_and_its_edit_get_check_questions_in_the_same_number_and_order() -> None:
    original = check_questions("What color is the beanbag under the red drum?")
    edited = check_questions("What color is the beanbag under the red guitar?")
    assert original == (
        "Is there a beanbag?",
        "Is there a drum?",
        "Is the drum red?",
        "Is the beanbag under the red drum?",
    )
    assert [question.replace("guitar", "drum") for question in edited] == list(original)


def test_what_cannot_be_read_has_no_check_questions() -> None:
    assert check_questions("How does the loss change after epoch 20?") == ()
