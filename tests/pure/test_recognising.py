"""Whose edit is this? The original one phrase away, the component of the new words, and refusal where it is unclear."""

import json
from pathlib import Path

import pytest

from annotation.errors import Invalid
from annotation.questions.recognising import NoOriginal, SeveralOriginals, nearest_original, recognised

DEMO = Path(__file__).parents[2] / "annotation" / "demo"


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DEMO / name).read_text().splitlines()]


ORIGINALS = {row["id"]: row for row in rows("demo_questions.jsonl")}
EDITS = rows("demo_edits_truth.jsonl")


# Written anew rather than edited: no single phrase leads from the original to them.
REWRITTEN = {"edit-006", "edit-011", "edit-013", "edit-016"}
# Their new words make several claims (or one that may be called either), so the component is a matter of taste.
SEVERAL_CLAIMS = {"edit-005", "edit-010", "edit-012", "edit-015", "edit-020"}


def questions_beside(edit: dict[str, str]) -> list[str]:
    picture = ORIGINALS[edit["source_id"]]["image"]
    return [row["question"] for row in ORIGINALS.values() if row["image"] == picture]


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit["id"] not in REWRITTEN], ids=lambda edit: edit["id"])
def test_a_hand_made_edit_finds_its_original_among_all_questions_of_its_picture(edit: dict[str, str]) -> None:
    assert nearest_original(edit["question"], questions_beside(edit)) == ORIGINALS[edit["source_id"]]["question"]


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit["id"] in REWRITTEN], ids=lambda edit: edit["id"])
def test_a_question_written_anew_is_given_no_original(edit: dict[str, str]) -> None:
    with pytest.raises(NoOriginal):
        nearest_original(edit["question"], questions_beside(edit))


@pytest.mark.parametrize(
    "edit", [edit for edit in EDITS if edit["id"] not in REWRITTEN | SEVERAL_CLAIMS], ids=lambda edit: edit["id"]
)
def test_operation_and_component_are_those_of_the_hand_that_made_it(edit: dict[str, str]) -> None:
    found = recognised(ORIGINALS[edit["source_id"]]["question"], edit["question"], "No such thing.")
    assert found.edited == edit["question"]
    assert (str(found.component), str(found.operation)) == (edit["component"], edit["operation"])


@pytest.mark.parametrize(
    ("edited", "originals"),
    [
        ("How many dogs are there?", ["What is the color of the cup on the table?"]),
        ("What is the man on the left holding?", ["What is the color of the kettle?"]),
        ("What is red?", []),
        ("What is red?", ["What is red?"]),
        ("Which of the two very old and quite rusty bicycles is blue?", ["Which bicycle is blue?"]),
    ],
)
def test_a_question_that_is_more_than_a_phrase_away_has_no_original(edited: str, originals: list[str]) -> None:
    with pytest.raises(NoOriginal):
        nearest_original(edited, originals)


def test_two_originals_equally_near_are_not_chosen_between() -> None:
    with pytest.raises(SeveralOriginals, match=r"cup.*mug"):
        nearest_original("What color is the jug?", ["What color is the mug?", "What color is the cup?"])


def test_the_nearer_of_two_originals_is_taken() -> None:
    near, far = "What color is the cup on the shelf?", "What color is the cup on the old table?"
    assert nearest_original("What color is the jug on the shelf?", [far, near]) == near


def test_words_in_another_order_are_a_swap() -> None:
    found = recognised("Is the dog behind the cat?", "Is the cat behind the dog?", "It is the other way round.")
    assert found.operation == "swap"


def test_words_that_are_only_taken_away_are_no_edit() -> None:
    with pytest.raises(Invalid):
        recognised("What color is the old cup?", "What color is the cup?", "Nothing fails.")
