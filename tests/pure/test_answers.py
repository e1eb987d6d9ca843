"""When two answers are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.questions.answers import aliases, normalised, same_answer

ANSWERS = st.text(st.sampled_from("ab AsE12,.-'()é和") | st.characters(codec="utf-8"), max_size=20) | st.sampled_from(
    ["a wine glass", "the wine glasses", "Twenty-One dogs", "grey", "yellow and blue", "its paws", "B. red", "1,000", "-5"]
)


@given(ANSWERS)
def test_normalising_twice_changes_nothing(answer: str) -> None:
    assert normalised(normalised(answer)) == normalised(answer)


@given(ANSWERS)
def test_an_answer_with_something_in_it_is_the_same_as_itself(answer: str) -> None:
    assert same_answer(answer, answer) == bool(normalised(answer))


@given(ANSWERS, ANSWERS)
def test_order_does_not_matter_where_nothing_lists_alternatives(first: str, second: str) -> None:
    if len(aliases(first)) < 2 and len(aliases(second)) < 2:
        assert same_answer(first, second) == same_answer(second, first)


@pytest.mark.parametrize(
    ("given_answer", "reference"),
    [
        ("2", "two"),
        ("Two", "2"),
        ("2 dogs", "2"),
        ("two dogs", "2 dogs"),
        ("zero", "0"),
        ("twenty-one", "21"),
        ("Twenty one people", "21"),
        ("a dozen", "12"),
        ("1,000", "1000"),
        ("2.0", "2"),
        ("wine glass", "a wine glass"),
        ("A wine glass.", "the wine glasses"),
        ("oar", "oars"),
        ("paw", "its paw"),
        ("grey", "gray"),
        ("Light Grey", "light gray"),
        ("pale pink", "light pink"),
        ("wooden", "wood"),
        ("yellow-green", "yellow green"),
        ("yellow and blue", "blue and yellow"),
        ("yellow, blue", "blue & yellow"),
        ("people", "person"),
        ("nine", "9 or nine"),
        ("9", "9 or nine"),
        ("  RED ", "red"),
        ("“stop”", "STOP"),
        ("１２", "12"),
        ("红色。", "红色"),
    ],
)
def test_what_means_the_same_is_the_same(given_answer: str, reference: str) -> None:
    assert same_answer(given_answer, reference)


@pytest.mark.parametrize(
    ("given_answer", "reference"),
    [
        ("blue", "light blue"),
        ("light blue", "dark blue"),
        ("left", "right"),
        ("1", "2"),
        ("1 or 2", "2"),
        ("red or blue", "red"),
        ("7", "007"),
        ("-5", "5"),
        ("2 cats", "2 dogs"),
        ("12", "1"),
        ("", ""),
        (" . ", "red"),
        ("a", "the"),
        ("not red", "red"),
    ],
)
def test_what_may_mean_something_else_is_not_the_same(given_answer: str, reference: str) -> None:
    assert not same_answer(given_answer, reference)


OPTIONS = ("rubber", "cotton", "kevlar", "leather")


@pytest.mark.parametrize("letter", ["B", "b", "(B)", "B.", "B)", "[B]", "option B", "B. cotton", "(B) Cotton", "cotton"])
def test_a_letter_stands_for_its_option(letter: str) -> None:
    assert same_answer(letter, "cotton", options=OPTIONS)
    assert same_answer("cotton", letter, options=OPTIONS)
    assert not same_answer(letter, "A", options=OPTIONS)


@pytest.mark.parametrize("answer", ["E", "B. cereus", "b or c"])
def test_a_letter_without_its_option_stands_for_itself(answer: str) -> None:
    assert not same_answer(answer, "cotton", options=OPTIONS)


def test_without_options_a_letter_is_a_letter() -> None:
    assert same_answer("b", "B")
    assert not same_answer("B", "cotton")


def test_aliases_come_once_and_in_order() -> None:
    assert aliases("9 or nine or IX") == ("9 or nine or ix", "9", "ix")
