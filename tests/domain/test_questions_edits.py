"""An edited twin is stored with its one change, once, and only from its own original."""

from typing import Any

import pytest

from annotation.models import JournalEntry, Person, Question
from annotation.questions import operations, queries
from annotation.questions.edits import Component, Edit, Operation, SemanticTuple, TupleKind, one_span_difference
from tests import factories

BOWL = "What color is the bowl?"


def teapot(before: str = BOWL, after: str = "What color is the teapot?", component: str = "object") -> Edit:
    change = one_span_difference(before, after)
    claim = SemanticTuple(TupleKind.ENTITY, ("teapot",))
    return Edit(change, Component(component), Operation.REPLACE, claim, "There is no teapot.", tuples=(claim,))


def add(original: Question, edit: Edit, **values: Any) -> Question:
    return operations.add_edit(original=original, edit=edit, by=original.by, engine="hand", **values)


@pytest.fixture
def bowl(max_: Person) -> Question:
    return factories.make_original(BOWL, box=[590, 230, 2560, 1740], options=[], by=max_)


def test_the_change_and_its_meaning_are_stored(bowl: Question) -> None:
    twin = add(bowl, teapot())
    assert twin.edit is not None
    assert (twin.text, twin.kind, twin.state, twin.parent, twin.answers) == (
        "What color is the teapot?",
        "edited",
        "candidate",
        bowl,
        [],
    )
    row = twin.edit
    assert (row.span_start, row.span_end, row.old_phrase, row.new_phrase) == (18, 22, "bowl", "teapot")
    assert row.falsified == {"kind": "entity", "parts": ["teapot"], "parents": [], "span": None}
    assert row.reason == "There is no teapot."
    assert JournalEntry.objects.get(event="edit.added").after["original"] == bowl.key


def test_the_place_of_the_answer_hints_at_counter_evidence_of_an_attribute(bowl: Question) -> None:
    assert add(bowl, teapot()).edit.hint_box is None
    striped = Edit(
        one_span_difference(BOWL, "What color is the checkered bowl?"),
        Component.ATTRIBUTE,
        Operation.ADD,
        SemanticTuple(TupleKind.ATTRIBUTE, ("bowl", "checkered")),
        "The bowl is plain.",
    )
    assert add(bowl, striped).edit.hint_box == [590, 230, 2560, 1740]


def test_the_same_edit_twice_is_known(bowl: Question) -> None:
    first = add(bowl, teapot())
    with pytest.raises(operations.QuestionKnown) as refusal:
        add(bowl, teapot())
    assert refusal.value.known == first


def test_an_edit_that_is_another_original_of_the_picture_is_known(bowl: Question) -> None:
    other = factories.make_original("What color is the teapot?", image=bowl.image)
    with pytest.raises(operations.QuestionKnown) as refusal:
        add(bowl, teapot())
    assert refusal.value.known == other


def test_an_edit_of_another_text_is_refused(bowl: Question) -> None:
    with pytest.raises(operations.ForeignEdit):
        add(bowl, teapot("What color is the jar?"))


def test_an_edit_of_an_edit_is_refused(bowl: Question) -> None:
    twin = add(bowl, teapot())
    with pytest.raises(operations.ForeignEdit):
        add(twin, teapot(twin.text, "What color is the vase?"))


def test_options_that_name_the_changed_thing_change_along(max_: Person) -> None:
    text = "Which one is closer to the camera, the black car or the silver car?"
    original = factories.make_original(text, options=["black car", "silver car"], prompt_setting="instruction", by=max_)
    twin = add(original, teapot(text, text.replace("silver", "purple")))
    assert (twin.options, twin.prompt_setting) == (["black car", "purple car"], "instruction")


def test_candidates_are_listed_newest_first_and_filtered(bowl: Question) -> None:
    first = add(bowl, teapot())
    second = add(bowl, teapot(after="What color is the jug?"), state="rejected")
    assert list(queries.edited()) == [second, first]
    assert list(queries.edited(state="candidate", component="object")) == [first]
    assert list(queries.edited(component="relation")) == []


def test_listing_candidates_asks_the_same_number_of_questions_however_many_there_are(
    bowl: Question, django_assert_num_queries: Any
) -> None:
    for noun in ("jug", "vase", "plate"):
        add(bowl, teapot(after=f"What color is the {noun}?"))
    with django_assert_num_queries(2):
        texts = [(twin.text, twin.parent.text, twin.edit.reason, list(twin.screenings.all())) for twin in queries.edited()]
    assert len(texts) == 3


def test_twins_are_the_original_and_its_other_edits(bowl: Question) -> None:
    first, second = add(bowl, teapot()), add(bowl, teapot(after="What color is the jug?"))
    factories.make_edit(factories.make_original(image=bowl.image))
    assert set(queries.twins(first)) == {bowl, second}
    assert set(queries.twins(bowl)) == {first, second}


def test_what_can_be_reviewed_are_active_originals_and_candidates(bowl: Question) -> None:
    candidate = add(bowl, teapot())
    add(bowl, teapot(after="What color is the jug?"), state="rejected")
    assert list(queries.reviewable()) == [bowl, candidate]
