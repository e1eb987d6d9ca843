"""Number, articles and numerals; and the hand-kept tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import english
from annotation.questions import vocabulary
from annotation.questions.presence import kin_of, near_value, things_in


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("wine bottle", "wine bottles"),
        ("brush", "brushes"),
        ("box", "boxes"),
        ("baby", "babies"),
        ("boy", "boys"),
        ("woman", "women"),
        ("policeman", "policemen"),
        ("shelf", "shelves"),
        ("bus", "buses"),
        ("glass", "glasses"),
        ("sheep", "sheep"),
        ("person", "people"),
    ],
)
def test_plural_and_singular_lead_to_each_other(one: str, many: str) -> None:
    assert english.plural(one) == many
    assert english.singular(many) == one
    assert english.is_plural(one) is False


@given(st.text(st.characters(codec="ascii", categories=["L"]), max_size=12))
def test_the_singular_of_a_singular_is_itself(word: str) -> None:
    assert english.singular(english.singular(word)) == english.singular(word)


def test_the_number_of_every_known_thing_can_be_changed() -> None:
    for noun in vocabulary.nouns().values():
        if not noun.mass and noun.name not in english.PLURAL_ONLY and noun.name not in english.SAME_IN_BOTH:
            assert not english.is_plural(noun.name), noun.name
            assert english.singular(english.plural(noun.name)).lower() == noun.name.lower()


@pytest.mark.parametrize(
    ("word", "article"), [("igloo", "an"), ("umbrella", "an"), ("unicycle", "a"), ("hour", "an"), ("kite", "a"), ("SUV", "a")]
)
def test_articles(word: str, article: str) -> None:
    assert english.article(word) == article


@pytest.mark.parametrize(
    ("words", "value"), [("zero", 0), ("nineteen", 19), ("twenty", 20), ("ninety-nine", 99), ("a dozen", 12), ("1,204", 1204)]
)
def test_numerals_are_read(words: str, value: int) -> None:
    assert english.number(words) == value


@pytest.mark.parametrize("words", ["", "-5", "twenty eleven", "some", "½", "two dogs"])
def test_what_is_no_numeral_is_no_number(words: str) -> None:
    assert english.number(words) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [("car", "vehicle"), ("vehicles", "red car"), ("dog", "puppy"), ("wine bottle", "bottle"), ("cup", "mugs"), ("bird", "owl")],
)
def test_things_that_may_go_by_one_name_are_kin(first: str, second: str) -> None:
    assert vocabulary.kindred(first, second)
    assert vocabulary.kindred(second, first)


@pytest.mark.parametrize(("first", "second"), [("car", "bus"), ("dog", "cat"), ("teapot", "bottle"), ("owl", "swan")])
def test_things_of_one_kind_are_not_yet_kin(first: str, second: str) -> None:
    assert not vocabulary.kindred(first, second)


def test_values_that_look_alike_are_near_and_others_are_not() -> None:
    assert vocabulary.near_values("gray", "silver")
    assert vocabulary.near_values("silver", "grey")
    assert not vocabulary.near_values("blue", "red")


def test_a_near_value_is_one_of_the_same_dimension() -> None:
    table = vocabulary.values()
    for value in table.values():
        for near in value.near & table.keys():
            assert {table[near].dimension, value.dimension} <= {"colour", "material", "pattern"}


def test_things_in_a_text_are_found_by_name_and_by_head() -> None:
    assert {"wine glass", "glass"} & things_in("two wine glasses on a table") == {"glass"}
    assert kin_of("mug", ["Where are the red cups?"]) == "cup"
    assert kin_of("lighthouse", ["How many kites are there?"]) is None
    assert near_value("gray", ["the silver car"]) == "silver"
