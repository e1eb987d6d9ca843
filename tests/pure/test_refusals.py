"""Does a prediction refuse? The model's own flag wins, then the rules read its final answer."""

import pytest

from annotation.evaluation.refusals import final_answer, refuses

REFUSALS = [
    "This cannot be determined from the image.",
    "It can't be determined.",
    "Unanswerable",
    "The question is not answerable.",
    "I cannot tell which one is meant.",
    "I’m unable to identify the brand.",
    "There is no red kiosk in the picture; the only kiosk is green.",
    "There are no bicycles.",
    "There isn't a lighthouse here.",
    "The lighthouse does not exist in this image.",
    "The chart doesn't show a red curve.",
    "No kettle is visible.",
    "No person with a yellow backpack can be seen.",
    "The kettle is not visible in the photo.",
    "I don't see any kettle.",
    "I see no kettle",
    "There is not enough information. Insufficient evidence.",
    "The question is based on a false premise.",
    "I don't know.",
    "图中没有红色的亭子。",
    "无法确定",
    "图片中看不到灯塔",
    "<answer>Cannot be determined</answer>",
    "<think>the kettle is green</think><answer>There is no kettle.</answer>",
    "THE  QUESTION\nCANNOT BE ANSWERED",
]
ANSWERS = [
    "no",
    "No.",
    "none",
    "0",
    "B",
    "red",
    "nothing",
    "not red",
    "There is a red kettle on the table.",
    "There is no doubt: it is red.",
    "the no entry sign",
    "<think>I cannot tell... maybe</think><answer>green</answer>",
    "<answer>unanswerable</answer> wait <answer>green</answer>",
    "can",
    "红色",
    "",
    "   ",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_is_heard(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_is_no_refusal(text: str) -> None:
    assert not refuses(text)


@pytest.mark.parametrize("text", [*REFUSALS[:3], *ANSWERS[:3]])
@pytest.mark.parametrize("flag", [True, False])
def test_the_models_own_flag_wins(text: str, *, flag: bool) -> None:
    assert refuses(text, flag=flag) is flag


def test_denying_is_an_answer_to_a_yes_or_no_question() -> None:
    assert not refuses("No, there is no dog.", question="Is there a dog in the picture?")
    assert refuses("No, there is no dog.", question="What color is the dog?")
    assert refuses("It cannot be determined.", question="Is there a dog in the picture?")


def test_the_final_answer_is_what_stands_in_the_last_tag() -> None:
    assert final_answer("<answer> a </answer> or <ANSWER>\nb </ANSWER>") == "b"
    assert final_answer("  c ") == "c"
