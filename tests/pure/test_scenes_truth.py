"""What is true of a scene is certain or not said at all, and so every edited question is labelled rightly."""

import pytest

from annotation.demo.scenes.facts import Level, has, is_a, related
from annotation.demo.scenes.truth import Attribute, Entity, Query, Relation, Tuple, verdict_of
from tests.scenes import scene, thing

RED_DRUM = thing("drum", 100, 500, colour="red")
BLUE_DRUM = thing("drum", 400, 500, colour="blue")
CAT = thing("cat", 110, 445, 40, 55, colour="black", on=0)
SQUARE = scene(RED_DRUM, CAT, BLUE_DRUM, thing("scooter", 700, 500, colour="green"), thing("ladder", 880, 400, 60, 160))


def verdict(*tuples: Tuple, asks: str = "colour", about: str = "x", against: str = "") -> tuple[str, str]:
    found = verdict_of(SQUARE, Query(tuples, asks, about, against))
    return found.verdict, found.answer or found.premise or found.reason


def test_a_question_with_one_answer_is_answerable() -> None:
    assert verdict(Entity("x", "scooter")) == ("answerable", "green")
    assert verdict(Entity("x", "drum"), Relation("y", "on", "x"), Entity("y", "cat")) == ("answerable", "red")


def test_a_thing_that_was_never_drawn_fails_as_object() -> None:
    assert verdict(Entity("x", "fountain")) == ("unanswerable", "object")
    assert verdict(Entity("x", "scooter"), Entity("y", "tree"), asks="side", against="y") == ("unanswerable", "object")


def test_a_thing_that_is_there_in_another_color_fails_as_attribute() -> None:
    assert verdict(Entity("x", "drum"), Attribute("x", "colour", "green"), asks="kind") == ("unanswerable", "attribute")


def test_things_that_are_there_but_not_so_related_fail_as_relation() -> None:
    cat_on_scooter = (Entity("x", "cat"), Relation("x", "on", "y"), Entity("y", "scooter"))
    assert verdict(*cat_on_scooter) == ("unanswerable", "relation")


def test_two_that_could_be_meant_are_ambiguous() -> None:
    assert verdict(Entity("x", "drum")) == ("ambiguous", "several_referents")


@pytest.mark.parametrize("word", ["giraffe", "sky", "house", "contraption"])
def test_words_that_nobody_drew_or_defined_are_never_called_absent(word: str) -> None:
    assert verdict(Entity("x", word))[0] == "ambiguous"


def test_a_wider_word_finds_what_it_covers() -> None:
    assert verdict(Entity("x", "animal"), asks="kind") == ("answerable", "cat")


def test_a_part_of_a_drawing_may_be_meant_by_another_kinds_word() -> None:
    market = scene(thing("person", 100, 400, 60, 90, colour="red"))
    assert verdict_of(market, Query((Entity("x", "hat"),), "colour", "x")).verdict == "ambiguous"


@pytest.mark.parametrize(
    ("colour", "asked", "level"),
    [("red", "red", Level.YES), ("red", "blue", Level.NO), ("red", "orange", Level.UNSURE), ("gray", "white", Level.UNSURE)],
)
def test_neighbouring_colors_are_not_denied(colour: str, asked: str, level: Level) -> None:
    assert has(thing("ball", 0, 0, colour=colour), "colour", asked) == level


def test_the_color_of_a_pattern_is_not_asked_and_its_second_color_not_denied() -> None:
    striped = thing("umbrella", 0, 0, colour="red", pattern="striped")
    assert has(striped, "colour", "white") == Level.UNSURE
    assert has(striped, "colour", "green") == Level.NO
    assert verdict_of(scene(striped), Query((Entity("x", "umbrella"),), "colour", "x")).verdict == "ambiguous"


def test_a_label_that_something_hides_is_neither_read_nor_denied() -> None:
    hidden = thing("signboard", 0, 0, colour="red", label="OPEN", label_seen=0.7)
    assert has(hidden, "label", "OPEN") == has(hidden, "label", "SALE") == Level.UNSURE
    assert verdict_of(scene(hidden), Query((Entity("x", "signboard"),), "label", "x")).verdict == "ambiguous"


@pytest.mark.parametrize(("x", "level"), [(300, Level.YES), (205, Level.UNSURE), (150, Level.UNSURE), (20, Level.NO)])
def test_left_needs_a_margin(x: int, level: Level) -> None:
    place = scene(thing("cat", 140, 500), thing("dog", x, 500))
    assert related(place, place.things[0], "left of", place.things[1]) == level


@pytest.mark.parametrize(("x", "level"), [(203, Level.YES), (230, Level.UNSURE), (400, Level.NO)])
def test_next_to_is_close_far_or_undecided(x: int, level: Level) -> None:
    place = scene(thing("cat", 140, 500), thing("dog", x, 500))
    assert related(place, place.things[0], "next to", place.things[1]) == level


def test_what_seems_to_stand_on_something_is_not_denied() -> None:
    place = scene(thing("cat", 110, 440), thing("drum", 100, 500, 80, 80), thing("cat", 700, 500))
    seeming, drum, far = place.things
    assert related(place, seeming, "on", drum) == Level.UNSURE
    assert related(place, far, "on", drum) == Level.NO


def test_only_people_hold_and_only_what_a_hand_can_hold() -> None:
    person = thing("person", 100, 400, 70, 100)
    place = scene(person, thing("flag", 160, 440), thing("barrel", 160, 440), thing("balloon", 165, 400, held_by=0))
    one, flag, barrel, balloon = place.things
    assert related(place, one, "holding", balloon) == Level.YES
    assert related(place, one, "holding", flag) == Level.UNSURE
    assert related(place, one, "holding", barrel) == related(place, barrel, "holding", flag) == Level.NO


def test_things_are_counted_and_none_is_no_answer() -> None:
    assert verdict(Entity("x", "drum"), asks="count") == ("answerable", "2")
    assert verdict(Entity("x", "tree"), asks="count") == ("ambiguous", "zero-count")
    landmark = (Entity("x", "drum"), Relation("x", "left of", "y"), Entity("y", "ladder"))
    assert verdict(*landmark, asks="count") == ("answerable", "2")
    lost = (Entity("x", "drum"), Relation("x", "left of", "y"), Entity("y", "lighthouse"))
    assert verdict(*lost, asks="count") == ("unanswerable", "object")


def test_a_thing_is_not_beside_itself() -> None:
    assert related(SQUARE, SQUARE.things[0], "next to", SQUARE.things[0]) == Level.NO
    assert is_a(SQUARE.things[0], "thing") == Level.YES
