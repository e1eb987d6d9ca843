"""What the closed grammar reads, and what it leaves alone."""

import json
from pathlib import Path

import pytest

from annotation.questions.grammar import Asks, Family, ParsedQuestion, asks, named_things, parse
from annotation.questions.options import split_prompt
from annotation.questions.phrases import NounPhrase

TESTS = Path(__file__).parents[1]
DEMO = TESTS.parent / "annotation" / "demo" / "demo_questions.jsonl"
VSTAR = TESTS / "data" / "vstar_bench_test_questions.jsonl"


def rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read(text: str) -> ParsedQuestion:
    parsed = parse(text)
    assert parsed is not None, text
    return parsed


def phrases(parsed: ParsedQuestion) -> list[NounPhrase]:
    tops = [*parsed.things.values(), *([parsed.where.landmark] if parsed.where and parsed.where.landmark else [])]
    return [inner for top in tops for inner in top.within()]


def test_every_demo_question_is_read() -> None:
    assert [row["question"] for row in rows(DEMO) if parse(row["question"]) is None] == []


def test_every_vstar_stem_is_read() -> None:
    stems = [split_prompt(row["text"]).stem for row in rows(VSTAR)]
    assert [stem for stem in stems if parse(stem) is None] == []


def test_every_span_holds_the_words_it_stands_for() -> None:
    for text in [row["question"] for row in rows(DEMO)] + [split_prompt(row["text"]).stem for row in rows(VSTAR)]:
        for phrase in phrases(read(text)):
            assert phrase.head.span.of(text) == phrase.head.text
            assert all(word.span.of(text) == word.text for word in phrase.modifiers)
            assert phrase.span.covers(phrase.head.span)


@pytest.mark.parametrize(
    ("text", "family", "kind"),
    [
        ("What is the color of the dustpan?", Family.ATTRIBUTE, Asks.COLOUR),
        ("What material is the table under the bottle made of?", Family.ATTRIBUTE, Asks.MATERIAL),
        ("What is the breed of the dog?", Family.ATTRIBUTE, Asks.ATTRIBUTE),
        ("Is the drum on the left or right side of the yellow balloon?", Family.POSITION, Asks.CHOICE),
        ("Is the bell above or below the clock?", Family.POSITION, Asks.CHOICE),
        ("Is the flag blue and yellow or red and yellow?", Family.CHOICE, Asks.CHOICE),
        ("Which one is closer to the camera, the water bottle or the vehicle?", Family.CHOICE, Asks.CHOICE),
        ("How many kites are there?", Family.COUNT, Asks.COUNT),
        ("How many kites are there in the image?", Family.COUNT, Asks.COUNT),
        ("How many wheels has the tractor?", Family.COUNT, Asks.COUNT),
        ("How many headlights does the black bus have?", Family.COUNT, Asks.COUNT),
        ("How many bicycles lean on the red kiosk?", Family.COUNT, Asks.COUNT),
        ("Count the kites.", Family.COUNT, Asks.COUNT),
        ("Which platform number is on the sign above the clock?", Family.TEXT, Asks.TEXT),
        ("What does the poster say?", Family.TEXT, Asks.TEXT),
        ("What is lying on the beanbag?", Family.RELATION, Asks.THING),
        ("Who is holding the umbrella?", Family.RELATION, Asks.PERSON),
        ("What is the man wearing on his lips?", Family.RELATION, Asks.THING),
        ("What is the largest flower in the picture?", Family.IDENTITY, Asks.THING),
        ("Where is the red kite?", Family.IDENTITY, Asks.PLACE),
    ],
)
def test_a_question_is_read_as_its_family(text: str, family: Family, kind: Asks) -> None:
    parsed = read(text)
    assert (parsed.family, parsed.asks) == (family, kind)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How does the loss of the blue curve change after epoch 20?",
        "Where does the river beside the dirt path lead?",
        "What is the color of the man and the woman?",
        "What color is the?",
        "Tell me about the picture.",
        "Is the dog asleep?",
        "What is the color of the thing that the man holds?",
        "瓶子左边是什么?",
    ],
)
def test_what_does_not_fit_is_not_guessed(text: str) -> None:
    assert parse(text) is None


def test_a_chain_of_attachments_is_read_from_the_inside() -> None:
    thing = read("What color are the bristles of the brush to the right of the teal brush?").things["thing"]
    assert thing.is_part
    assert thing.attached is not None
    brush = thing.attached.landmark
    assert brush is not None
    assert brush.attached is not None
    assert brush.attached.relation is not None
    assert brush.attached.relation.text == "to the right of"
    assert brush.attached.landmark is not None
    assert brush.attached.landmark.label == "teal brush"


def test_a_possessor_owns_what_follows() -> None:
    thing = read("What is the color of the little girl's shirt?").things["thing"]
    assert thing.owner is not None
    assert (thing.owner.label, thing.head.text) == ("little girl", "shirt")
    assert thing.definite


def test_a_place_in_the_picture_is_no_landmark() -> None:
    thing = read("What color are the cups in the top right corner?").things["thing"]
    assert thing.attached is not None
    assert thing.attached.landmark is None


def test_a_colour_alone_is_a_colour_and_a_glass_is_a_thing() -> None:
    person = read("Is the baby stroller on the left or right side of the person in orange?").things["landmark"]
    assert person.attached is not None
    assert person.attached.landmark is not None
    assert person.attached.landmark.head.dimension == "colour"
    wine = read("What is the color of the wine in the glass?").things["thing"]
    assert wine.attached is not None
    assert wine.attached.landmark is not None
    assert wine.attached.landmark.head.dimension == ""


def test_the_frame_is_no_thing_of_the_picture() -> None:
    assert [p.head.text for p in named_things(read("Is the dirt path on the left or right half of the image?"))] == ["dirt path"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Is there a dog?", Asks.YES_NO),
        ("is the dog asleep?", Asks.YES_NO),
        ("What is the number of birds?", Asks.COUNT),
        ("What is the total number of birds?", Asks.COUNT),
        ("Whose hat is red?", Asks.PERSON),
        ("红色的车有几辆?", None),
        ("", None),
    ],
)
def test_the_first_words_tell_what_is_asked(text: str, kind: Asks | None) -> None:
    assert asks(text) is kind
