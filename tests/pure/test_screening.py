"""What the screening chain refuses, and why."""

import pytest

from annotation.hashing import normalised_text
from annotation.questions.counting import ZeroCount, names_definite_thing
from annotation.questions.edits import (
    Change,
    Component,
    Edit,
    Operation,
    SemanticTuple,
    Span,
    TupleKind,
    one_span_difference,
)
from annotation.questions.screening import CHAIN, Candidate, Check, Sibling, faults, passed, screen


def edit(before: str, after: str, component: str = "object", operation: str = "", thing: str = "thing") -> Edit:
    """The edit that leads from one text to the other; its claim is about the new words."""
    change = one_span_difference(before, after)
    kind = TupleKind.ENTITY if component == "object" else TupleKind(component)
    parts = (change.new.strip(),) if component == "object" else (thing, change.new.strip())
    chosen = operation or ("replace" if change.old.strip() else "add")
    return Edit(change, Component(component), Operation(chosen), SemanticTuple(kind, parts), "It is not so.")


def failures(candidate: Candidate) -> list[str]:
    return [check.name for check in screen(candidate) if not check.passed]


BOWL = "What color is the bowl?"


def test_a_sound_candidate_passes_every_check() -> None:
    checks = screen(Candidate(edit(BOWL, "What color is the teapot?")))
    assert passed(checks)
    assert [(check.name, check.version) for check in checks] == [(name, version) for name, version, _ in CHAIN]


def test_one_failed_check_fails_the_candidate() -> None:
    assert not passed((Check("a", 1, True), Check("b", 1, False)))


def test_a_long_difference_is_no_one_span_edit() -> None:
    candidate = Candidate(edit("What is lying on the beanbag?", "What does the man with the hat eat at the table?"))
    assert "one-span" in failures(candidate)


def test_an_exchange_may_be_longer() -> None:
    before = "Is the blue bench on the left or right side of the green door?"
    after = "Is the green bench on the left or right side of the blue door?"
    assert "one-span" in failures(Candidate(edit(before, after)))
    assert "one-span" not in failures(Candidate(edit(before, after, operation="swap")))


def test_another_answer_type_is_refused() -> None:
    assert "same-answer-type" in failures(Candidate(edit(BOWL, "What shape is the bowl?", "attribute")))


def test_a_question_that_is_not_english_is_not_checked_for_its_answer_type() -> None:
    check = next(c for c in screen(Candidate(edit("瓶子是什么颜色?", "茶壶是什么颜色?"))) if c.name == "same-answer-type")
    assert check.passed
    assert "not checked" in check.detail


@pytest.mark.parametrize("after", ["What color is the bowls?", "What color is the the bowl?", "What color is a orange?"])
def test_a_new_fault_of_grammar_is_refused(after: str) -> None:
    assert "grammar" in failures(Candidate(edit(BOWL, after)))


@pytest.mark.parametrize("text", ["What color is  the bowl?", "What color is the bowl ?"])
def test_misplaced_blanks_are_a_fault(text: str) -> None:
    assert faults(text) == {"blanks are misplaced"}


def test_an_old_fault_of_grammar_is_not_the_edits_fault() -> None:
    before, after = "What color is the red cups?", "What color is the blue cups?"
    assert faults(before) == faults(after) != frozenset()
    assert "grammar" not in failures(Candidate(edit(before, after, "attribute")))


@pytest.mark.parametrize("word", ["without", "not on", "no", "missing"])
def test_a_new_negation_is_refused(word: str) -> None:
    before = "Where is the man with the hat?"
    assert "negation" in failures(Candidate(edit(before, f"Where is the man {word} the hat?", "relation")))


def test_an_old_negation_stays() -> None:
    before = "Where is the man without a hat?"
    assert "negation" not in failures(Candidate(edit(before, "Where is the nun without a hat?")))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Is there a dog?", "Is there a cat?"),
        ("Are there any dogs?", "Are there any cats?"),
        ("Can you see a dog?", "Can you see a cat?"),
        ("Does the image show a dog?", "Does the image show a cat?"),
        ("Is the man holding a dog?", "Is the man holding a cat?"),
    ],
)
def test_a_question_that_no_answers_is_refused(before: str, after: str) -> None:
    assert "existence" in failures(Candidate(edit(before, after)))


def test_a_yes_no_question_about_a_definite_absent_thing_is_no_existence_question() -> None:
    assert "existence" not in failures(Candidate(edit("Is the dog asleep?", "Is the cat asleep?")))


RESTRICTING = [
    ("How many dogs are looking out of the window?", "How many cats are looking out of the window?"),
    ("How many cars are there?", "How many red cars are there?"),
    ("How many people are sitting on the awning?", "How many people are sitting under the awning?"),
    ("How many people wear a hat?", "How many people wear a crown?"),
    ("How many items in the box weigh nothing?", "How many items in a crate weigh nothing?"),
]
DEFINITE = [
    ("How many kites are there?", "How many kites are there above the lighthouse?"),
    ("How many wheels has the tractor?", "How many wheels has the tram?"),
    ("How many bicycles lean on the red kiosk?", "How many bicycles lean on the green kiosk?"),
    ("How many dogs are looking out of the window?", "How many dogs are looking out of the tent?"),
    ("How many items in the box weigh nothing?", "How many items in the crate weigh nothing?"),
    ("How many rings does the man's hand wear today?", "How many rings does the nun's hand wear today?"),
]


@pytest.mark.parametrize(("before", "after"), RESTRICTING)
def test_a_count_of_nothing_is_refused(before: str, after: str) -> None:
    changed = edit(before, after)
    assert not names_definite_thing(changed)
    assert "zero-count" in failures(Candidate(changed))


@pytest.mark.parametrize(("before", "after"), DEFINITE)
def test_a_count_about_a_definite_absent_thing_is_fine(before: str, after: str) -> None:
    assert names_definite_thing(edit(before, after))
    assert "zero-count" not in failures(Candidate(edit(before, after)))


@pytest.mark.parametrize("policy", [ZeroCount.ANSWERABLE, ZeroCount.BOTH])
def test_a_campaign_may_take_zero_counts(policy: ZeroCount) -> None:
    candidate = Candidate(edit(*RESTRICTING[0]), zero_count=policy)
    check = next(check for check in screen(candidate) if check.name == "zero-count")
    assert check.passed
    assert check.score == 0
    assert "0 is an answer" in check.detail


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("What is standing to the left of the bottle?", "What is standing to the right of the bottle?"),
        ("What color is the upper dog?", "What color is the lower dog?"),
        ("What color is the largest brush?", "What color is the smallest brush?"),
        ("What is behind the tree?", "What is in front of the tree?"),
    ],
)
def test_a_mere_turn_of_direction_is_refused(before: str, after: str) -> None:
    assert "directions" in failures(Candidate(edit(before, after, "relation")))


def test_an_attribute_edit_leaves_its_thing_alone() -> None:
    before = "What is in the red cup?"
    cup = SemanticTuple(TupleKind.ENTITY, ("cup",), (), Span(19, 22))
    claim = SemanticTuple(TupleKind.ATTRIBUTE, ("cup", "blue"), (0,))
    alone = one_span_difference(before, "What is in the blue cup?")
    both = one_span_difference(before, "What is in the blue jug?")
    edits = [Edit(c, Component.ATTRIBUTE, Operation.REPLACE, claim, "It is red.", tuples=(cup,)) for c in (alone, both)]
    assert ["parents-stay" in failures(Candidate(e)) for e in edits] == [False, True]


def test_a_thing_that_is_said_to_be_there_is_not_taken_for_absent() -> None:
    changed = edit("What is left of the bottle?", "What is left of the mug?")
    assert "presence" not in failures(Candidate(changed))
    assert "presence" in failures(Candidate(changed, answers=("a blue cup",)))
    assert "presence" in failures(Candidate(changed, siblings=(Sibling("How many cups are there?"),)))
    assert "presence" in failures(Candidate(changed, siblings=(Sibling("What is on the table?", ("a mug",)),)))


def test_a_value_that_the_thing_may_have_is_not_taken_for_false() -> None:
    changed = edit("What is in the red car?", "What is in the gray car?", "attribute", thing="car")
    assert "presence" not in failures(Candidate(changed))
    assert "presence" in failures(Candidate(changed, siblings=(Sibling("What color is the car?", ("silver",)),)))
    assert "presence" not in failures(Candidate(changed, siblings=(Sibling("What color is the bowl?", ("silver",)),)))


def test_a_relation_of_the_same_kind_is_not_false() -> None:
    before = "What is standing on the table?"
    claim = SemanticTuple(TupleKind.RELATION, ("something", "standing on top of", "table"))
    change = Change(before, Span(17, 19), "on top of")
    assert "presence" in failures(Candidate(Edit(change, Component.RELATION, Operation.REPLACE, claim, "It is not so.")))
    assert "presence" not in failures(Candidate(edit(before, "What is standing under the table?", "relation")))


def test_an_option_must_not_be_the_new_phrase_nor_a_way_out() -> None:
    changed = edit(BOWL, "What color is the teapot?")
    assert "options" not in failures(Candidate(changed, options=("red", "blue")))
    assert "options" in failures(Candidate(changed, options=("red", "Teapot")))
    assert "options" in failures(Candidate(changed, options=("red", "Cannot be determined")))


def test_the_same_question_twice_is_refused() -> None:
    changed = edit(BOWL, "What color is the teapot?")
    assert failures(Candidate(changed, taken=frozenset({normalised_text("What  color is the TEAPOT?")}))) == ["duplicate"]
