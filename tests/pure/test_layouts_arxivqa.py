"""ArxivQA: options with junk among them, letters in front of some, labels written four ways."""

from typing import Any

import pytest

from annotation.sources.layouts.lettering import choice
from annotation.sources.rows import Row, Wanted
from tests.rows_read import one_problem, one_row, parted, read

CURVE: dict[str, Any] = {
    "id": "cs-10231",
    "image": "images/2101.00001_2.jpg",
    "options": ["A) It rises", "B) It falls", "C) It is flat", "D) Cannot be determined"],
    "question": "How does the loss of the blue curve change after epoch 20?",
    "label": "B",
    "rationale": "The blue curve goes down to the right of 20.",
}


def curve(label: str, *options: str) -> dict[str, Any]:
    return {**CURVE, "options": list(options), "label": label}


def test_the_example_file_is_read() -> None:
    rows, problems, _ = parted(read("arxivqa.jsonl", "arxivqa"))
    assert rows[0] == Row(
        line=1,
        image=Wanted("images/2101.00001_2.jpg"),
        question=CURVE["question"],
        answers=("It falls",),
        options=("It rises", "It falls", "It is flat", "Cannot be determined"),
        key="cs-10231",
        family="chart",
        setting="option",
        extra={"label": "B", "raw_options": CURVE["options"], "rationale": CURVE["rationale"]},
    )
    assert [row.answers[0] for row in rows[1:]] == ["Blue", "B. cereus", "three"]
    assert [(one.line, one.field) for one in problems] == [(5, "label"), (6, "label"), (7, "options")]


def test_junk_among_the_options_goes_and_stays_on_record_with_its_reason() -> None:
    row = one_row("arxivqa", curve("D", "### Figure 1", "Red", "-", "Blue", " ", "Green"))
    assert row.options == ("Red", "Blue", "Green")
    assert row.answers == ("Blue",)
    assert row.extra["raw_options"] == ["### Figure 1", "Red", "-", "Blue", "", "Green"]
    assert row.extra["removed_options"] == [
        {"index": 0, "option": "### Figure 1", "reason": "heading"},
        {"index": 2, "option": "-", "reason": "separator"},
        {"index": 4, "option": "", "reason": "empty"},
    ]


@pytest.mark.parametrize(
    "label", ["B", "b", "B)", "(B)", "[B]", "B.", "B:", "B. It falls", "B) it falls.", "It falls", " [B] ", "Option B"]
)
def test_a_label_names_its_option_however_it_is_written(label: str) -> None:
    row = one_row("arxivqa", {**CURVE, "label": label})
    assert row.answers == ("It falls",)
    assert row.extra["label"] == label.strip()


@pytest.mark.parametrize("label", ["E", "F)", "B. It rises", "It flies", "AB", "-", "1"])
def test_a_label_that_names_no_option_is_refused(label: str) -> None:
    assert one_problem("arxivqa", {**CURVE, "label": label}).field == "label"


def test_a_letter_counts_the_raw_options() -> None:
    assert one_row("arxivqa", curve("C", "up", "-", "down", "level")).answers == ("down",)
    assert one_problem("arxivqa", curve("B", "up", "-", "down", "level")).field == "label"


def test_letters_of_the_options_count_too_where_they_stand_alone() -> None:
    assert one_row("arxivqa", curve("B", "A) up", "-", "B) down")).answers == ("down",)


def test_a_letter_that_means_two_options_is_refused_not_guessed() -> None:
    found = one_problem("arxivqa", curve("B", "-", "A) left", "B) right"))
    assert "'left' or 'right'" in found.reason or "'right' or 'left'" in found.reason
    found = one_problem("arxivqa", curve("A", "B", "A", "C"))
    assert "may mean" in found.reason


def test_letter_and_text_settle_what_the_letter_alone_leaves_open() -> None:
    assert one_row("arxivqa", curve("B. right", "-", "A) left", "B) right")).answers == ("right",)


@pytest.mark.parametrize(
    ("raw", "options"),
    [
        (["E. coli", "B. cereus", "S. aureus"], ("E. coli", "B. cereus", "S. aureus")),
        (["A. one", "two", "C) three", "D. four"], ("one", "two", "three", "four")),
        (["A) one", "two"], ("one", "two")),
        (["(A) one", "[B] two", "C: three"], ("one", "two", "three")),
        (["A.one", "B.two"], ("one", "two")),
        (["A", "B"], ("A", "B")),
        (["A)", "B)"], ("A)", "B)")),
        (["C. elegans", "D. melanogaster"], ("C. elegans", "D. melanogaster")),
        (["-", "A. one", "--", "B. two"], ("one", "two")),
        (["___", "—", "one", "===", "two"], ("one", "two")),
        (["Figure 1", "Figure 2"], ("Figure 1", "Figure 2")),
        (["# Figure 2", "##", "one", "two"], ("one", "two")),
        (["a) one", "b. two"], ("one", "two")),
        (["A.I.", "B.C."], ("A.I.", "B.C.")),
        (["E: drive", "B: drive"], ("E: drive", "B: drive")),
        (["*", "o", "+", "x"], ("*", "o", "+", "x")),
        (["-5", "-3"], ("-5", "-3")),
        (["# of cats rises", "it falls", "x"], ("# of cats rises", "it falls", "x")),
    ],
)
def test_letters_are_taken_off_only_where_they_are_letters(raw: list[str], options: tuple[str, ...]) -> None:
    assert choice(raw).options == options


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"options": ["A) one"]}, "options"),
        ({"options": ["-", "-"]}, "options"),
        ({"options": ["one", "One"], "label": "A"}, "options"),
        ({"options": "A, B"}, "options"),
        ({"options": [None, "b"]}, "options"),
        ({"options": None}, "options"),
        ({"options": [str(n) for n in range(27)]}, "options"),
        ({"image": "https://example.org/a.jpg"}, "image"),
        ({"image": "/images/a.jpg"}, "image"),
        ({"label": None}, "label"),
        ({"label": 1}, "label"),
        ({"question": ""}, "question"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_its_field(change: dict[str, Any], field: str) -> None:
    assert one_problem("arxivqa", {**CURVE, **change}).field == field


def test_numbers_may_be_options() -> None:
    assert one_row("arxivqa", {**CURVE, "options": [1, 2.5], "label": "B"}).answers == ("2.5",)


def test_a_rationale_may_hold_what_latex_left_behind_but_a_question_may_not() -> None:
    assert one_row("arxivqa", {**CURVE, "rationale": "\x08eta rises"}).extra["rationale"] == "\x08eta rises"
    assert one_problem("arxivqa", {**CURVE, "question": "Does \x08eta rise?"}).field == "question"
    assert one_problem("arxivqa", {**CURVE, "rationale": "a\x00b"}).field == "rationale"
    assert one_problem("arxivqa", {**CURVE, "rationale": "x" * 20_001}).field == "rationale"
