"""The laws of one-span edits."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.errors import Invalid
from annotation.questions.edits import (
    Change,
    ChangesNothing,
    Component,
    Decomposition,
    Edit,
    NoDifference,
    Operation,
    SemanticTuple,
    Span,
    SpanOutside,
    TupleKind,
    WrongOperation,
    apply,
    invert,
    one_span_difference,
    widened,
    words,
)

TEXTS = st.text(st.sampled_from("ab é'-?的 \u0301,") | st.characters(codec="utf-8"), max_size=30)


@st.composite
def changes(draw: st.DrawFn) -> Change:
    text, new = draw(TEXTS), draw(TEXTS)
    start = draw(st.integers(0, len(text)))
    span = Span(start, draw(st.integers(start, len(text))))
    assume(span.of(text) != new)
    return Change(text, span, new)


def entity(noun: str) -> SemanticTuple:
    return SemanticTuple(TupleKind.ENTITY, (noun,))


def edit(change: Change, operation: Operation = Operation.REPLACE, reason: str = "There is none.") -> Edit:
    return Edit(change, Component.OBJECT, operation, entity("kettle"), reason)


@given(changes())
def test_applying_and_inverting_leads_back_to_the_original(change: Change) -> None:
    assert apply(invert(change)) == change.text
    assert invert(invert(change)) == change


@given(changes())
def test_the_span_holds_the_old_phrase_before_and_the_new_phrase_after(change: Change) -> None:
    assert change.text[change.span.start : change.span.end] == change.old
    assert invert(change).old == change.new


@given(changes())
def test_the_difference_found_is_never_longer_than_the_change_made(change: Change) -> None:
    found, made = one_span_difference(change.text, apply(change)).span, widened(change)
    assert found.end - found.start <= made.end - made.start


@given(changes())
def test_nothing_differs_outside_the_span_widened_to_whole_words(change: Change) -> None:
    found = one_span_difference(change.text, apply(change))
    # Where one of the two phrases is empty, an equal neighbour makes the place ambiguous ("red red cup").
    assume(found.old and found.new)
    assert widened(change).covers(found.span)


@given(TEXTS, TEXTS)
def test_a_difference_applied_gives_the_other_text(before: str, after: str) -> None:
    assume(before != after)
    assert apply(one_span_difference(before, after)) == after


@given(TEXTS)
def test_the_words_of_a_text_joined_are_the_text(text: str) -> None:
    assert "".join(words(text)) == text


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("What color is the dustpan?", "What color is the teapot?", "dustpan", "teapot"),
        ("What color is the bowl?", "What color is the big bowl?", "", "big "),
        ("Is the dog in the car?", "Is the dog in the cart?", "car", "cart"),
        ("the woman's scarf", "the woman's scarves", "scarf", "scarves"),
        ("瓶子左边是什么?", "杯子左边是什么?", "瓶", "杯"),
        ("a red cup on a blue tray", "a blue cup on a red tray", "red cup on a blue", "blue cup on a red"),
    ],
)
def test_a_difference_is_told_in_whole_words(before: str, after: str, old: str, new: str) -> None:
    change = one_span_difference(before, after)
    assert (change.old, change.new) == (old, new)


def test_a_change_that_changes_nothing_is_refused() -> None:
    with pytest.raises(ChangesNothing):
        Change("the red cup", Span(4, 7), "red")
    with pytest.raises(NoDifference):
        one_span_difference("the red cup", "the red cup")


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2), (0, 12)])
def test_a_span_outside_its_text_is_refused(start: int, end: int) -> None:
    with pytest.raises(SpanOutside):
        Change("the red cup", Span(start, end), "blue")


def test_an_addition_that_adds_nothing_is_refused() -> None:
    with pytest.raises(WrongOperation):
        edit(Change("the red cup", Span(4, 7), "blue"), Operation.ADD)


def test_a_replacement_of_nothing_is_refused() -> None:
    with pytest.raises(WrongOperation):
        edit(Change("the cup", Span(4, 4), "red "))
    with pytest.raises(WrongOperation):
        edit(Change("the red cup", Span(4, 8), ""))


def test_an_edit_without_a_reason_is_refused() -> None:
    with pytest.raises(Invalid) as refusal:
        edit(Change("the red cup", Span(8, 11), "jug"), reason=" ")
    assert refusal.value.field == "reason"


def test_a_tuple_cannot_come_before_its_parent() -> None:
    with pytest.raises(Invalid):
        Decomposition("the red cup", (SemanticTuple(TupleKind.ATTRIBUTE, ("cup", "red"), parents=(1,)), entity("cup")))


def test_code_points_are_counted_beyond_the_basic_plane() -> None:
    change = one_span_difference("🪁 above the pier?", "🪁 above the barn?")
    assert change.span == Span(12, 16)
    assert change.old == "pier"
