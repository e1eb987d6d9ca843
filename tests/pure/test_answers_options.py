"""Forced-choice texts taken apart."""

import json
from pathlib import Path

import pytest

from annotation.questions.answers import same_answer
from annotation.questions.edits import one_span_difference
from annotation.questions.options import PromptSetting, chosen_option, edited_options, split_prompt

ROWS = Path(__file__).parents[1] / "data" / "vstar_bench_test_questions.jsonl"
TRAILER = "Answer with the option's letter from the given choices directly."


def vstar() -> list[dict[str, str]]:
    return [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]


def test_every_vstar_row_comes_apart_into_stem_and_options() -> None:
    prompts = [split_prompt(row["text"]) for row in vstar()]
    assert len(prompts) == 191
    assert {prompt.setting for prompt in prompts} == {PromptSetting.INSTRUCTION}
    assert sorted({len(prompt.options) for prompt in prompts}) == [2, 4]
    assert sum(len(prompt.options) == 4 for prompt in prompts) == 107
    assert not any("(" in prompt.stem or "Answer with" in prompt.stem for prompt in prompts)
    assert not any("(" in option for prompt in prompts for option in prompt.options)


def test_every_vstar_label_names_an_option() -> None:
    for row in vstar():
        assert chosen_option(row["label"], split_prompt(row["text"]).options)


def test_a_plain_question_stays_as_it_is() -> None:
    prompt = split_prompt("What is lying on the beanbag?")
    assert (prompt.stem, prompt.options, prompt.setting) == ("What is lying on the beanbag?", (), PromptSetting.BASE)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("What falls?\nA) the red line\nB) the blue line", ("the red line", "the blue line")),
        ("What falls?\n A. the red line\n B. the blue line\n", ("the red line", "the blue line")),
        ("What grows?\nB. cereus\nC. elegans", ()),
        ("What grows?\n(A) B. cereus\n(B) C. elegans", ("B. cereus", "C. elegans")),
        ("Which one?\n(A) only one option", ()),
    ],
)
def test_only_lines_lettered_from_a_without_a_gap_are_options(text: str, options: tuple[str, ...]) -> None:
    prompt = split_prompt(text)
    assert prompt.options == options
    assert prompt.setting is (PromptSetting.OPTION if options else PromptSetting.BASE)


def test_a_trailer_alone_is_an_instruction() -> None:
    prompt = split_prompt("What color is it?\nAnswer the question using a single word or phrase.")
    assert (prompt.stem, prompt.setting) == ("What color is it?", PromptSetting.INSTRUCTION)


def test_an_empty_text_has_an_empty_stem() -> None:
    assert split_prompt(" \n ").stem == ""


def test_an_option_that_names_the_edited_thing_changes_with_it() -> None:
    before = "Which one is closer to the camera, the black vehicle or the silver vehicle?"
    change = one_span_difference(before, before.replace("silver", "purple"))
    assert edited_options(("black vehicle", "silver vehicle"), change) == ("black vehicle", "purple vehicle")


def test_an_option_that_only_shares_a_word_with_the_edit_stays() -> None:
    change = one_span_difference("What is the color of the orange bag?", "What is the color of the striped bag?")
    assert edited_options(("orange bag and red", "red"), change) == ("orange bag and red", "red")


def test_a_letter_and_its_text_are_the_same_answer() -> None:
    row = vstar()[0]
    options = split_prompt(row["text"]).options
    assert same_answer(row["label"], "rubber", options=options)
