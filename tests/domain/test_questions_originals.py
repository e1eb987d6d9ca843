"""Max adds originals: each once per picture, with words, and withdraws what was wrong."""

from typing import Any

import pytest

from annotation.models import Image, JournalEntry, Person, Question
from annotation.questions import operations, queries
from annotation.questions.screening import Sibling
from tests import factories
from tests.races import at_once

BOWL = "What color is the bowl?"


def add(image: Image, by: Person, text: str = BOWL, **values: Any) -> Question:
    return operations.add_original(
        image=image, source=image.source, text=text, by=by, **{"answers": ["red orange"], "family": "attribute", **values}
    )


def test_max_adds_an_original_and_the_journal_knows(max_: Person) -> None:
    question = add(factories.make_image(), max_, box=[590, 230, 2560, 1740], source_row="demo-030")
    assert (question.kind, question.state, question.answers) == ("original", "active", ["red orange"])
    entry = JournalEntry.objects.get(event="question.added")
    assert (entry.actor, entry.subject_id, entry.after) == (max_, question.pk, {"source": "demo-photos", "row": "demo-030"})


@pytest.mark.parametrize("again", [BOWL, "what  COLOR is the bowl?", " What color is the bowl? "])
def test_the_same_words_about_the_same_picture_are_known(max_: Person, again: str) -> None:
    image = factories.make_image()
    first = add(image, max_)
    with pytest.raises(operations.QuestionKnown) as refusal:
        add(image, max_, again)
    assert refusal.value.known == first
    assert Question.objects.count() == 1


def test_the_same_words_about_another_picture_or_with_other_options_are_new(max_: Person) -> None:
    image = factories.make_image()
    add(image, max_)
    add(factories.make_image(), max_)
    add(image, max_, options=["red", "blue"])
    assert Question.objects.count() == 3


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_question_without_words_is_refused(max_: Person, text: str) -> None:
    with pytest.raises(operations.EmptyQuestion) as refusal:
        add(factories.make_image(), max_, text)
    assert refusal.value.field == "text"


def test_max_withdraws_a_question_once_and_says_why(max_: Person) -> None:
    question = add(factories.make_image(), max_)
    assert operations.withdraw(question=question, by=max_, reason="The bowl is brown.").state == "withdrawn"
    entry = JournalEntry.objects.get(event="question.withdrawn")
    assert (entry.before, entry.after) == ({"state": "active"}, {"reason": "The bowl is brown."})
    with pytest.raises(operations.AlreadyWithdrawn):
        operations.withdraw(question=question, by=max_, reason="Again.")


def test_a_question_under_review_cannot_be_withdrawn(max_: Person, ann: Person) -> None:
    question = add(factories.make_image(), max_)
    factories.make_item(factories.make_campaign(ann), question)
    with pytest.raises(operations.QuestionInUse):
        operations.withdraw(question=question, by=max_, reason="The bowl is brown.")
    question.refresh_from_db()
    assert question.state == "active"


def test_the_siblings_of_a_question_are_the_other_originals_of_its_picture(max_: Person) -> None:
    image = factories.make_image()
    question = add(image, max_)
    add(image, max_, "How many fruits are in the bowl?", answers=["1"])
    add(factories.make_image(), max_, "What is lying on the beanbag?")
    assert queries.siblings(image, but=question) == (Sibling("How many fruits are in the bowl?", ("1",)),)


def test_withdrawn_originals_are_not_edited(max_: Person) -> None:
    kept, gone = add(factories.make_image(), max_), add(factories.make_image(), max_)
    operations.withdraw(question=gone, by=max_, reason="Unsound.")
    assert list(queries.originals_to_edit()) == [kept]


@pytest.mark.usefixtures("committed_db")
def test_of_four_who_add_the_same_at_once_one_adds_it_and_three_are_told() -> None:
    image, max_ = factories.make_image(), factories.make_person("max")
    results = at_once(*[lambda: add(image, max_)] * 4)
    assert sorted(type(result).__name__ for result in results) == ["Question", "QuestionKnown", "QuestionKnown", "QuestionKnown"]
    assert Question.objects.count() == 1
