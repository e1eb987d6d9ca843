"""Columns mapped by hand: any file, whatever its columns are called."""

import csv
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from annotation.sources.faults import Problem, WrongLayout
from annotation.sources.layouts import LAYOUTS, Options, reading
from annotation.sources.layouts.mapped import missing_columns
from annotation.sources.rows import Record, Row, Wanted
from tests.rows_read import EXAMPLES, one_problem, one_row

MAPPING = {
    "bild": "image",
    "frage": "question",
    "antworten": "answers",
    "auswahl": "options",
    "rahmen": "box",
    "note": "extra",
}
SPLIT = {"answers": "|", "options": "/", "box": ";"}
CHOSEN = Options(mapping=MAPPING, split=SPLIT)
RED: dict[str, Any] = {
    "bild": "a.jpg",
    "frage": "What is red?",
    "antworten": "kettle | pot",
    "auswahl": "",
    "rahmen": "1;2;30;40",
    "note": "x",
}


def plain(**more: str) -> Options:
    return Options(mapping={"i": "image", "q": "question", "a": "answer", **more})


def test_cells_of_text_become_lists_and_numbers() -> None:
    assert one_row("mapped", RED, CHOSEN) == Row(
        line=7,
        image=Wanted("a.jpg"),
        question="What is red?",
        answers=("kettle", "pot"),
        boxes=((1.0, 2.0, 30.0, 40.0),),
        extra={"note": "x"},
    )
    row = one_row("mapped", {**RED, "auswahl": "kettle / pot"}, CHOSEN)
    assert (row.options, row.setting) == (("kettle", "pot"), "option")


def test_values_of_tables_are_taken_as_they_are() -> None:
    fields = {**RED, "antworten": ["kettle"], "auswahl": ["kettle", "pot"], "rahmen": [1, 2, 30, 40]}
    row = one_row("mapped", fields, CHOSEN)
    assert (row.answers, row.options, row.boxes) == (("kettle",), ("kettle", "pot"), ((1.0, 2.0, 30.0, 40.0),))


def test_columns_may_lie_inside_others() -> None:
    options = Options(mapping={"images.0.image": "image", "info.q": "question", "info.a": "answer"})
    fields = {"images": [{"image": "a.jpg"}], "info": {"q": "What is red?", "a": 3}}
    row = one_row("mapped", fields, options)
    assert (row.image.name, row.question, row.answers) == ("a.jpg", "What is red?", ("3",))
    assert one_problem("mapped", {**fields, "images": []}, options).field == "images.0.image"
    assert one_row("mapped", {**fields, "info.q": "What is blue?"}, options).question == "What is blue?"


def test_constants_stand_in_every_row() -> None:
    options = Options(mapping={"i": "image", "a": "answer"}, constants={"question": "How many?", "family": "count"})
    row = one_row("mapped", {"i": "a.jpg", "a": 0}, options)
    assert (row.question, row.answers, row.family) == ("How many?", ("0",), "count")


def test_a_letter_names_its_option() -> None:
    options = Options(mapping={"i": "image", "q": "question", "o": "options", "l": "letter"})
    assert one_row("mapped", {"i": "a.jpg", "q": "Which?", "o": ["red", "blue"], "l": "B"}, options).answers == ("blue",)


def test_unanswerable_rows_are_read_with_their_reason() -> None:
    options = plain(u="is_unanswerable", r="reason")
    row = one_row("mapped", {"i": "a.jpg", "q": "Which?", "a": "", "u": "True", "r": "No such."}, options)
    assert (row.answers, row.unanswerable, row.reason) == ((), True, "No such.")
    assert not one_row("mapped", {"i": "a.jpg", "q": "Which?", "a": "red", "u": 0}, options).unanswerable


def test_a_box_may_have_width_and_height() -> None:
    row = one_row("mapped", {"i": "a.jpg", "q": "Which?", "a": "red", "b": [1, 2, 3, 4]}, plain(b="box_xywh"))
    assert row.boxes == ((1.0, 2.0, 4.0, 6.0),)


def test_a_picture_carries_its_hash() -> None:
    row = one_row(
        "mapped", {"i": "https://example.org/a.jpg", "q": "Which?", "a": "red", "h": "AB" * 32}, plain(h="image_sha256")
    )
    assert row.image == Wanted("https://example.org/a.jpg", "ab" * 32)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"frage": ""}, "frage"),
        ({"frage": None}, "frage"),
        ({"bild": "../a.jpg"}, "bild"),
        ({"antworten": ""}, "answer"),
        ({"auswahl": "red/red"}, "auswahl"),
        ({"rahmen": "1;2;3"}, "rahmen"),
        ({"rahmen": "1;2;x;4"}, "rahmen"),
        ({"rahmen": "1;2;nan;4"}, "rahmen"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_its_column(change: dict[str, Any], field: str) -> None:
    assert one_problem("mapped", {**RED, **change}, CHOSEN).field == field


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (Options(), "No column is mapped to image. No column is mapped to question."),
        (Options(mapping={"i": "image"}), "No column is mapped to question."),
        (plain(x="colour"), "There is no field 'colour'"),
        (plain(x="answer"), "Two columns are mapped to answer."),
        (Options(mapping={"i": "image", "q": "question"}, constants={"image": "a.jpg"}), "Two columns are mapped to image."),
        (Options(mapping=MAPPING, split={"points": ";"}), "points is not mapped"),
        (Options(mapping=MAPPING, split={"answers": ""}), "The text that parts answers is empty."),
    ],
)
def test_a_mapping_that_is_none_is_refused_before_anything_is_read(options: Options, told: str) -> None:
    with pytest.raises(WrongLayout, match=told[:30]):
        reading(EXAMPLES / "cof.jsonl", "mapped", options)


def test_the_columns_that_a_file_lacks_are_named() -> None:
    assert missing_columns(["bild", "frage"], CHOSEN) == ("antworten", "auswahl", "rahmen", "note")
    assert missing_columns(["images", "info"], Options(mapping={"images.0.image": "image", "info.q": "question"})) == ()


def test_a_file_without_a_needed_column_is_refused_as_a_whole() -> None:
    with pytest.raises(WrongLayout, match="Missing: i, q"):
        list(reading(EXAMPLES / "cof.jsonl", "mapped", plain()))


def test_columns_that_nobody_mapped_are_counted() -> None:
    options = Options(mapping={"image": "image", "text": "question", "label": "letter"})
    file = reading(EXAMPLES / "vstar.jsonl", "mapped", options)
    rows = list(file)
    assert file.ignored == {"category": 3, "question_id": 3}
    assert [type(row) for row in rows] == [Row, Row, Row]


def test_what_is_only_kept_must_be_storable() -> None:
    kept = {"day": date(2026, 12, 1), "price": Decimal("1.50"), "more": [{"x": None}]}
    row = one_row("mapped", {"i": "a.jpg", "q": "Which?", "a": "red", "k": kept}, plain(k="extra"))
    assert row.extra == {"k": {"day": "2026-12-01", "price": "1.50", "more": [{"x": None}]}}
    for value in (b"\xff", float("nan"), "a\x00b", ["\ud800"]):
        assert one_problem("mapped", {"i": "a.jpg", "q": "Which?", "a": "red", "k": value}, plain(k="extra")).field == "k"


def test_the_example_table_is_read_through_its_mapping() -> None:
    with (EXAMPLES / "mapped.csv").open(encoding="utf-8", newline="") as stream:
        records = [Record(number, dict(fields)) for number, fields in enumerate(csv.DictReader(stream), 1)]
    first, second, third = (found for record in records for found in LAYOUTS["mapped"].row(record, CHOSEN))
    assert isinstance(first, Row)
    assert (first.answers, first.boxes) == (("kettle", "pot"), ((1.0, 2.0, 30.0, 40.0),))
    assert isinstance(second, Row)
    assert (second.options, second.setting) == (("red", "blue"), "option")
    assert third == Problem(3, "frage", "", "This must not be empty.")


@pytest.mark.parametrize(
    ("cell", "unanswerable"), [("TRUE", True), ("yes", True), ("1", True), ("false", False), ("No ", False), ("0", False)]
)
def test_a_truth_may_be_a_word(cell: str, unanswerable: bool) -> None:
    row = one_row("mapped", {"i": "a.jpg", "q": "Which?", "a": "red", "u": cell}, plain(u="is_unanswerable"))
    assert row.unanswerable is unanswerable


def test_a_truth_that_is_none_is_refused() -> None:
    assert one_problem("mapped", {"i": "a.jpg", "q": "Which?", "a": "red", "u": "maybe"}, plain(u="is_unanswerable")).field == "u"
