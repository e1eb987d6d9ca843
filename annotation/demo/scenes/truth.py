"""What a question asked of a scene deserves: an answer, a refusal with the premise that fails, or neither. Pure.

A question is a set of atomic tuples (entities, attributes, relations) about variables, and what is asked about one of
them. Edited questions are the same with other tuples, so they are judged in the same way, with certainty or not at all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.demo.scenes.facts import Level, has, is_a, related
from annotation.demo.scenes.scene import Scene, Thing


@dataclass(frozen=True, slots=True)
class Entity:
    """`who` is a thing of the kind `word`; the word "thing" fits everything."""

    who: str
    word: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """`who` has this value of `colour`, `pattern`, `material` or `label`."""

    who: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Relation:
    """`who` is, for instance, "left of" `whom`."""

    who: str
    name: str
    whom: str


Tuple = Entity | Attribute | Relation
Bound = dict[str, Thing]
ATTRIBUTE_NAMES = ("colour", "pattern", "material", "label")
SIDES = ("left", "right")


@dataclass(frozen=True, slots=True)
class Query:
    """`asks` is `kind`, `count`, `colour`, `pattern`, `material` or `label` of `about`, or `side`: on which side of
    `against` it is."""

    tuples: tuple[Tuple, ...]
    asks: str
    about: str
    against: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`verdict` is answerable, unanswerable or ambiguous; `premise` is the component that fails (object, attribute or
    relation), `evidence` the ids of the things that show the answer."""

    verdict: str
    answer: str = ""
    premise: str = ""
    reason: str = ""
    evidence: tuple[int, ...] = ()


def holds(scene: Scene, fact: Tuple, bound: Bound) -> Level:
    """Whether a tuple holds of the things that its variables stand for."""
    if isinstance(fact, Entity):
        return is_a(bound[fact.who], fact.word)
    if isinstance(fact, Attribute):
        return has(bound[fact.who], fact.name, fact.value)
    return related(scene, bound[fact.who], fact.name, bound[fact.whom])


def verdict_of(scene: Scene, query: Query) -> Verdict:
    """The only defensible verdict, or `ambiguous` where there is none."""
    if query.asks == "count":
        return _counted(scene, query)
    possible = list(matches(scene, query.tuples))
    if not possible:
        return _refused(scene, query.tuples)
    certain = [bound for bound, level in possible if level == Level.YES]
    if not certain:
        return Verdict("ambiguous", reason="undecided")
    if len(possible) > 1:
        return Verdict("ambiguous", reason="several_referents")
    return _answered(scene, query, certain[0])


def matches(scene: Scene, tuples: Sequence[Tuple]) -> Iterator[tuple[Bound, Level]]:
    """All ways to understand the variables that are not certainly wrong, each with how sure it is. Two variables are never
    the same thing."""
    order = sorted(
        ((who, _candidates(scene, who, tuples)) for who in variables(tuples)),
        key=lambda found: len(found[1]),
    )
    relations = [one for one in tuples if isinstance(one, Relation)]
    yield from _joined(scene, order, relations, {}, Level.YES)


def _joined(
    scene: Scene, order: list[tuple[str, list[tuple[Thing, Level]]]], relations: list[Relation], bound: Bound, level: Level
) -> Iterator[tuple[Bound, Level]]:
    if not order:
        yield bound, level
        return
    (who, candidates), rest = order[0], order[1:]
    known = {*bound, who}
    now = [one for one in relations if who in (one.who, one.whom) and {one.who, one.whom} <= known]
    for thing, its in candidates:
        if any(thing.id == other.id for other in bound.values()):
            continue
        wider = {**bound, who: thing}
        together = min([level, its, *(holds(scene, one, wider) for one in now)])
        if together > Level.NO:
            yield from _joined(scene, rest, relations, wider, together)


def variables(tuples: Sequence[Tuple]) -> tuple[str, ...]:
    """In the order in which they are introduced."""
    return tuple(dict.fromkeys(one.who for one in tuples if isinstance(one, Entity)))


def _candidates(scene: Scene, who: str, tuples: Sequence[Tuple], *, attributes: bool = True) -> list[tuple[Thing, Level]]:
    unary = [one for one in tuples if one.who == who and isinstance(one, (Entity, Attribute) if attributes else Entity)]
    levels = ((thing, min(holds(scene, one, {who: thing}) for one in unary)) for thing in scene.things)
    return [(thing, level) for thing, level in levels if level > Level.NO]


def _refused(scene: Scene, tuples: Sequence[Tuple]) -> Verdict:
    """Which component fails: an object that is not there, one that is but is not so, or the relation between them."""
    words = {one.who: one.word for one in tuples if isinstance(one, Entity)}
    for who in variables(tuples):
        if not _candidates(scene, who, tuples, attributes=False):
            return Verdict("unanswerable", premise="object", reason=f"There is no {words[who]}.")
    for who in variables(tuples):
        if not _candidates(scene, who, tuples):
            said = " and ".join(one.value for one in tuples if isinstance(one, Attribute) and one.who == who)
            return Verdict("unanswerable", premise="attribute", reason=f"No {words[who]} is {said}.")
    said = "; ".join(f"{words[one.who]} {one.name} {words[one.whom]}" for one in tuples if isinstance(one, Relation))
    return Verdict("unanswerable", premise="relation", reason=f"This holds of nothing: {said}.")


def _answered(scene: Scene, query: Query, bound: Bound) -> Verdict:
    thing = bound[query.about]
    answer = _side(scene, query, bound) if query.asks == "side" else _value(thing, query.asks)
    if not answer:
        return Verdict("ambiguous", reason="undecided")
    shown = dict.fromkeys((thing.id, *(one.id for one in bound.values())))
    return Verdict("answerable", answer=answer, evidence=tuple(shown))


def _value(thing: Thing, asks: str) -> str:
    """The value of an attribute, empty where people might name different ones."""
    if asks == "kind":
        return thing.kind
    if asks == "colour" and thing.pattern:
        return ""
    value: str = getattr(thing, asks) if asks in ATTRIBUTE_NAMES else ""
    return value if value and has(thing, asks, value) == Level.YES else ""


def _side(scene: Scene, query: Query, bound: Bound) -> str:
    one, other = bound[query.about], bound[query.against]
    found = [side for side in SIDES if related(scene, one, f"{side} of", other) == Level.YES]
    return found[0] if found else ""


def _counted(scene: Scene, query: Query) -> Verdict:
    """The number of things that fit, given the one landmark that the question takes for granted. None is no answer."""
    others = tuple(one for one in query.tuples if query.about not in (one.who, getattr(one, "whom", "")))
    landmarks = list(matches(scene, others)) if others else [({}, Level.YES)]
    if not landmarks:
        return _refused(scene, others)
    if len(landmarks) > 1 or landmarks[0][1] < Level.YES:
        return Verdict("ambiguous", reason="several_referents" if len(landmarks) > 1 else "undecided")
    found = list(matches(scene, query.tuples))
    if not found:
        return Verdict("ambiguous", reason="zero-count")
    if any(level < Level.YES for _, level in found):
        return Verdict("ambiguous", reason="undecided")
    counted = tuple(sorted({bound[query.about].id for bound, _ in found}))
    return Verdict("answerable", answer=str(len(counted)), evidence=counted)
