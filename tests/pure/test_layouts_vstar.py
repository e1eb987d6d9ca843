"""V*Bench: rows of text with a trailer, files beside the pictures with boxes, and both joined."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from annotation.sources.faults import EmptyFile, Problem, WrongLayout
from annotation.sources.layouts import Options, reading
from annotation.sources.rows import Row, Wanted
from tests.rows_read import EXAMPLES, one_problem, one_row, parted, read

REAL = EXAMPLES.parent / "vstar_bench_test_questions.jsonl"
TRAILER = "Answer with the option's letter from the given choices directly."
KETTLE = {
    "image": "direct_attributes/sa_10001.jpg",
    "text": f"What is the color of the kettle?\n(A) green\n(B) red\n(C) black\n(D) white\n{TRAILER}",
    "category": "direct_attributes",
    "label": "A",
    "question_id": "500",
}


def test_all_191_real_rows_are_read() -> None:
    found = list(reading(REAL, "vstar"))
    rows, problems, left_out = parted(found)
    assert (len(rows), problems, left_out) == (191, [], [])
    assert {row.setting for row in rows} == {"instruction"}
    assert sum(row.family == "attribute" for row in rows) == 115
    assert sum(row.family == "relation" for row in rows) == 76
    assert sum(len(row.options) == 4 for row in rows) == 107
    assert all(row.answers[0] in row.options for row in rows)
    assert not any("(A)" in row.question or "letter" in row.question for row in rows)
    assert len({row.key for row in rows}) == 191


def test_a_picture_that_a_copy_of_the_rows_does_not_name_is_called_after_its_question() -> None:
    rows, _, _ = parted(list(reading(REAL, "vstar")))
    assert rows[0].image == Wanted("direct_attributes/sa_4690.jpg")
    assert rows[2].image == Wanted("direct_attributes/2.jpg")
    assert len({row.image.name for row in rows}) == 191


def test_the_text_comes_apart_and_its_words_are_kept() -> None:
    assert one_row("vstar", KETTLE) == Row(
        line=7,
        image=Wanted("direct_attributes/sa_10001.jpg"),
        question="What is the color of the kettle?",
        answers=("green",),
        options=("green", "red", "black", "white"),
        key="500",
        family="attribute",
        setting="instruction",
        extra={"question": KETTLE["text"], "category": "direct_attributes"},
    )


def test_a_label_without_its_option_is_refused() -> None:
    _, problems, _ = parted(read("vstar.jsonl", "vstar"))
    assert [(one.line, one.field, one.value) for one in problems] == [(3, "label", "C")]


def test_boxes_are_joined_from_the_files_beside_the_pictures() -> None:
    rows, _, _ = parted(read("vstar.jsonl", "vstar", Options(root=EXAMPLES / "vstar")))
    assert rows[0].boxes == ((1200.0, 340.0, 1252.0, 380.0),)
    assert rows[1].boxes == ((100.0, 340.0, 152.0, 380.0), (20.5, 300.0, 220.5, 420.0))
    assert rows[1].extra["target_object"] == ["dog", "red car"]


def test_a_row_without_a_file_beside_its_picture_has_no_box(tmp_path: Path) -> None:
    assert one_row("vstar", KETTLE, Options(root=tmp_path)).boxes == ()


@pytest.mark.parametrize(
    ("beside", "field"),
    [
        ({"bbox": [[1, 2, 3, 4]], "options": ["red", "green"]}, "label"),
        ({"bbox": [[1, 2, 0, 4]]}, "bbox"),
        ({"bbox": [[-1, 2, 3, 4]]}, "bbox"),
        ({"bbox": [1, 2, 3, 4]}, "bbox"),
        ("no JSON", "image"),
        ([1], "image"),
        ('{"bbox": [], "bbox": []}', "image"),
        ('{"bbox": [[1, 2, NaN, 4]]}', "image"),
        ("[" * 9999 + "]" * 9999, "image"),
        (" " * (1 << 20) + "{}", "image"),
    ],
)
def test_a_file_beside_a_picture_that_contradicts_or_is_broken_rejects_the_row(tmp_path: Path, beside: Any, field: str) -> None:
    path = tmp_path / "direct_attributes" / "sa_10001.json"
    path.parent.mkdir()
    path.write_text(beside if isinstance(beside, str) else json.dumps(beside))
    assert one_problem("vstar", KETTLE, Options(root=tmp_path)).field == field


def test_the_folder_of_files_is_read_itself() -> None:
    rows, problems, _ = parted(read("vstar", "vstar"))
    assert problems == []
    assert [(row.line, row.image.name, row.answers, row.family) for row in rows] == [
        (1, "direct_attributes/sa_10001.jpg", ("green",), "attribute"),
        (2, "relative_position/sa_10002.jpg", ("right",), "relation"),
    ]
    assert rows[0].boxes == ((1200.0, 340.0, 1252.0, 380.0),)
    assert {row.setting for row in rows} == {"option"}


def test_the_right_option_is_not_given_away_by_its_place(tmp_path: Path) -> None:
    first = 0
    for number in range(40):
        path = tmp_path / f"sa_{number}.json"
        path.write_text(json.dumps({"target_object": ["x"], "bbox": [], "question": "Which?", "options": ["a", "b", "c", "d"]}))
    rows, _, _ = parted(list(reading(tmp_path, "vstar")))
    assert all(row.answers == ("a",) and sorted(row.options) == ["a", "b", "c", "d"] for row in rows)
    first = sum(row.options[0] == "a" for row in rows)
    assert 2 <= first <= 20
    assert [row.options for row in rows] == [row.options for row in parted(list(reading(tmp_path, "vstar")))[0]]


def test_one_file_beside_a_picture_is_read_alone() -> None:
    (row,) = read("vstar/direct_attributes/sa_10001.json", "vstar")
    assert isinstance(row, Row)
    assert row.image == Wanted("sa_10001.jpg")
    assert row.family == "attribute"


def test_the_picture_that_lies_there_is_the_one_that_is_wanted(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / "vstar", tmp_path / "vstar")
    (tmp_path / "vstar/direct_attributes/sa_10001.png").touch()
    rows, _, _ = parted(list(reading(tmp_path / "vstar", "vstar")))
    assert rows[0].image == Wanted("direct_attributes/sa_10001.png")


def test_reading_goes_on_after_the_files_that_were_read() -> None:
    (row,) = reading(EXAMPLES / "vstar", "vstar", after=1)
    assert row.line == 2


def test_a_broken_file_in_the_folder_is_a_problem_of_its_own(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / "vstar", tmp_path / "vstar")
    (tmp_path / "vstar/direct_attributes/sa_1.json").write_text("{")
    first, *rest = reading(tmp_path / "vstar", "vstar")
    assert isinstance(first, Problem)
    assert (first.line, first.field, first.value) == (1, "file", "direct_attributes/sa_1.json")
    assert len(rest) == 2


def test_an_empty_folder_and_one_without_any_sound_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EmptyFile):
        list(reading(tmp_path, "vstar"))
    (tmp_path / "a.json").write_text("[]")
    with pytest.raises(WrongLayout):
        list(reading(tmp_path, "vstar"))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"text": "What is it?"}, "text"),
        ({"text": None}, "question"),
        ({"label": ""}, "label"),
        ({"label": None}, "label"),
        ({"label": "E"}, "label"),
        ({"image": "../a.jpg"}, "image"),
        ({"image": None, "question_id": None}, "image"),
        ({"category": None}, "category"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_its_field(change: dict[str, Any], field: str) -> None:
    assert one_problem("vstar", {**KETTLE, **change}).field == field
