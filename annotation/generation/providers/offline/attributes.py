"""Attribute edits: another colour, material or pattern of a thing that is there, or a pattern that it does not have.

Only values that exclude each other are touched. Positions, sizes and superlatives are not: flip "upper dog" or "largest
brush" and another thing fits. Nor is the colour of a thing that comes in several colours here: among red and blue cups
there may be purple ones.
"""

from collections.abc import Iterator

from annotation import english
from annotation.english import wordset
from annotation.generation.providers.base import Proposal
from annotation.generation.providers.offline.scene import Scene, claim, rewritten, some
from annotation.questions import vocabulary
from annotation.questions.edits import Change, Component, Operation, Span, TupleKind
from annotation.questions.grammar import Asks, named_things, parse
from annotation.questions.phrases import NounPhrase, Word
from annotation.questions.presence import values_in

PATTERNED = wordset("clothing bag carried furniture textile container")
ADDED = ("striped", "checkered", "polka-dotted", "floral")
ASKS_FOR = {Asks.COLOUR: "colour", Asks.MATERIAL: "material"}


def replaced_values(scene: Scene) -> Iterator[Proposal]:
    """Each colour, material or pattern in turn replaced by another of its dimension."""
    for phrase in scene.taken_for_granted():
        for word in phrase.modifiers:
            if word.dimension in vocabulary.REPLACEABLE and not _varied(scene, phrase.head.text, word.dimension):
                yield from (_replaced(scene, phrase, word, value) for value in _others(scene, word))
        tie = phrase.attached
        if tie is not None and tie.landmark is not None and tie.landmark.head.dimension == "colour":
            yield from (_dressed(scene, phrase, tie.landmark.head, value) for value in _others(scene, tie.landmark.head))


def added_patterns(scene: Scene) -> Iterator[Proposal]:
    """A pattern for a thing that has none in the question: "the bowl" becomes "the checkered bowl"."""
    for phrase in scene.taken_for_granted():
        known = vocabulary.noun(phrase.head.text)
        plain = not any(word.dimension == "pattern" for word in phrase.modifiers)
        if known is not None and known.category in PATTERNED and plain and "pattern" not in scene.original.text:
            yield from (_added(scene, phrase, value) for value in scene.shuffled(ADDED, scene.original.pool.values))


def _replaced(scene: Scene, phrase: NounPhrase, word: Word, value: str) -> Proposal:
    thing = phrase.head.text
    return scene.proposal(
        rewritten(scene.original.text, phrase, word.span, value),
        Component.ATTRIBUTE,
        Operation.REPLACE,
        claim(TupleKind.ATTRIBUTE, [thing, value], scene.entity(phrase)),
        f"The question takes for granted {some(f'{value} {thing}')}; the {thing} {_be(thing)} {word.lower}.",
        subtype=word.dimension,
        distance="near",
    )


def _dressed(scene: Scene, phrase: NounPhrase, word: Word, value: str) -> Proposal:
    """ "The person in blue": the colour stands alone."""
    return scene.proposal(
        Change(scene.original.text, word.span, value),
        Component.ATTRIBUTE,
        Operation.REPLACE,
        claim(TupleKind.ATTRIBUTE, [phrase.head.text, value], scene.entity(phrase)),
        f"The question takes for granted {some(phrase.head.text)} in {value}; the one asked about is in {word.lower}.",
        subtype="colour",
        distance="near",
    )


def _added(scene: Scene, phrase: NounPhrase, value: str) -> Proposal:
    thing, at = phrase.head.text, phrase.head.span.start
    return scene.proposal(
        rewritten(scene.original.text, phrase, Span(at, at), f"{value} "),
        Component.ATTRIBUTE,
        Operation.ADD,
        claim(TupleKind.ATTRIBUTE, [thing, value], scene.entity(phrase)),
        f"The question takes for granted {some(f'{value} {thing}')}; the {thing} {_be(thing)} not {value}.",
        subtype="pattern",
    )


def _others(scene: Scene, word: Word) -> list[str]:
    return [value for value in scene.shuffled(_of(word.dimension), scene.original.pool.values) if value != word.lower]


def _of(dimension: str) -> list[str]:
    return [name for name, value in vocabulary.values().items() if value.dimension == dimension and name != "grey"]


def _varied(scene: Scene, thing: str, dimension: str) -> bool:
    """Whether things of this name are known to come in two or more values of the dimension in this picture."""
    seen: set[str] = set()
    for text, answers in [(scene.original.text, scene.original.answers), *((s.text, s.answers) for s in scene.original.siblings)]:
        seen |= _values_of(thing, dimension, text, answers)
    return len(seen) > 1


def _values_of(thing: str, dimension: str, text: str, answers: tuple[str, ...]) -> set[str]:
    """The values that one question and its answers give to a thing."""
    parsed = parse(text)
    if parsed is None:
        return set()
    same = [p for p in named_things(parsed) if english.singular(p.head.lower) == english.singular(thing.lower())]
    found = {word.lower for phrase in same for word in phrase.modifiers}
    if parsed.things.get("thing") in same and ASKS_FOR.get(parsed.asks) == dimension:
        found |= {value for answer in answers for value in values_in(answer)}
    return {value for value in found if vocabulary.values()[value].dimension == dimension}


def _be(thing: str) -> str:
    return "are" if english.is_plural(thing) else "is"
