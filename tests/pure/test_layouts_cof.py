"""CoF-RL-Data and the training form: questions without their wrapping."""

from typing import Any

import pytest

from annotation.sources.layouts.unwrapping import unwrapped, user_words
from annotation.sources.rows import Row, Wanted
from tests.rows_read import one_problem, one_row, parted, read

WRAPPED = "<image>\nQuestion: What color is the kettle?\nThink in the mind first, and then answer."
KETTLE: dict[str, Any] = {
    "data_source": "vstar",
    "prompt": [{"role": "system", "content": "You may call tools."}, {"role": "user", "content": WRAPPED}],
    "images": [{"image": "./images/gqa_17.jpg"}],
    "reward_model": {"ground_truth": "green", "style": "rule"},
    "groundtruth_complete": "The kettle is green.",
    "extra_info": {"index": 17, "split": "train"},
}


def test_the_example_file_is_read() -> None:
    rows, problems, _ = parted(read("cof.jsonl", "cof"))
    assert [(row.question, row.answers, row.key) for row in rows] == [
        ("What color is the kettle?", ("green",), "train-17"),
        ("Which line is highest?", ("the red line",), "train-18"),
        ("Where is the dog?", ("to the left of the red car",), "19"),
    ]
    assert rows[1].options == ("the blue line", "the red line")
    assert rows[1].setting == "option"
    assert [(one.line, one.field) for one in problems] == [(4, "prompt"), (5, "images")]


def test_what_was_taken_off_and_the_tag_are_kept() -> None:
    row = one_row("cof", KETTLE)
    assert row == Row(
        line=7,
        image=Wanted("images/gqa_17.jpg"),
        question="What color is the kettle?",
        answers=("green",),
        key="train-17",
        extra={"groundtruth_complete": "The kettle is green.", "data_source": "vstar", "prompt": WRAPPED},
    )


def test_a_tag_that_names_another_source_does_not_make_the_row_its_own() -> None:
    assert one_row("cof", KETTLE).data_source == ""


def test_a_picture_may_come_with_its_bytes() -> None:
    image = one_row("cof", {**KETTLE, "images": [{"bytes": b"\x89PNG", "path": "image.png"}]}).image
    assert image.content == b"\x89PNG"
    assert image.size == 4
    assert image.name == f"embedded/{image.sha256}.png"


@pytest.mark.parametrize(
    ("wrapped", "question"),
    [
        (WRAPPED, "What color is the kettle?"),
        ("<image>What is it?", "What is it?"),
        ("<image> <image>\n question : What is it?", "What is it?"),
        ("What is the question: red or blue?", "What is the question: red or blue?"),
        ("Question: Question: what is that?", "Question: what is that?"),
        ("What do they think in the picture?", "What do they think in the picture?"),
        ("What is it? Think in the mind first, and\nthen\nanswer.", "What is it?"),
        ("What is it?\n<image_1>", "What is it?"),
    ],
)
def test_only_the_wrapping_is_taken_off(wrapped: str, question: str) -> None:
    assert unwrapped(wrapped) == question


def test_a_turn_may_have_parts() -> None:
    parts = [{"type": "image"}, {"type": "text", "text": "What is it?"}]
    assert user_words([{"role": "user", "content": parts}]) == "What is it?"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"prompt": "What is it?"}, "prompt"),
        ({"prompt": []}, "prompt"),
        ({"prompt": [{"role": "system", "content": "x"}]}, "prompt"),
        ({"prompt": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]}, "prompt"),
        ({"prompt": [{"role": "user", "content": None}]}, "prompt"),
        ({"prompt": [{"role": "user", "content": "<image>"}]}, "prompt"),
        ({"images": [{"image": "a.jpg"}, {"image": "b.jpg"}]}, "images"),
        ({"images": [{"image": "../a.jpg"}]}, "images"),
        ({"images": [7]}, "images"),
        ({"reward_model": {"style": "rule"}}, "reward_model"),
        ({"reward_model": {"ground_truth": ""}}, "reward_model"),
        ({"reward_model": None}, "reward_model"),
        ({"extra_info": {"index": 1.5}}, "extra_info"),
        ({"data_source": ["vstar"]}, "data_source"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_its_field(change: dict[str, Any], field: str) -> None:
    assert one_problem("cof", {**KETTLE, **change}).field == field


def test_the_training_form_is_read() -> None:
    rows, problems, _ = parted(read("verl.json", "verl"))
    assert [(row.question, row.answers, row.unanswerable, row.reason) for row in rows] == [
        ("How many bicycles lean on the green kiosk?", ("3",), False, ""),
        ("How many bicycles lean on the red kiosk?", (), True, "The only kiosk is green."),
        ("What is red?", ("the kettle",), False, ""),
    ]
    assert {row.data_source for row in rows} == {"tallyqa", "vstar"}
    assert rows[0].extra == {"env_name": "zoom"}
    assert [(one.line, one.field) for one in problems] == [(5, "images"), (6, "reward_model.ground_truth")]


@pytest.mark.parametrize(
    ("info", "field"),
    [
        ({"is_unanswerable": "false"}, "extra_info.is_unanswerable"),
        ({"question": 7}, "extra_info.question"),
        ({"answer": []}, "extra_info.answer"),
        ({"index": [1]}, "extra_info.index"),
    ],
)
def test_a_part_of_extra_info_that_does_not_fit_is_refused_by_its_name(info: dict[str, Any], field: str) -> None:
    assert one_problem("verl", {**KETTLE, "extra_info": info}).field == field


def test_a_training_row_without_any_answer_is_refused() -> None:
    assert one_problem("verl", {**KETTLE, "reward_model": {}}).field == "answer"


def test_hardbench_rows_keep_their_reason_or_fall_back_to_the_answer() -> None:
    rows, problems, _ = parted(read("hardbench.json", "hardbench"))
    assert [(row.answers, row.unanswerable) for row in rows] == [(("3",), False), ((), True), (("A",), False), ((), True)]
    assert rows[1].reason == "The question takes for granted a red kiosk; the only kiosk is green."
    assert rows[3].reason == "There is no teapot."
    assert (rows[2].question, rows[2].options, rows[2].setting) == (
        "What is the color of the kettle?",
        ("green", "red"),
        "instruction",
    )
    assert rows[2].extra["question"].endswith("directly.")
    assert [(one.line, one.field) for one in problems] == [(6, "is_unanswerable")]
