"""Original questions about a scene, each with exactly one right answer by its truth. Pure.

Families: color, pattern, material, text, relation (what is on, in or held by something), side (left or right), count,
and choice (colors with options). None asks whether something exists.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.demo.scenes.facts import Level, has
from annotation.demo.scenes.kinds import KINDS, PALETTE, PATTERNS
from annotation.demo.scenes.naming import Names, attributes_but, names_of, phrases, renamed
from annotation.demo.scenes.phrases import worded
from annotation.demo.scenes.scene import Scene, Thing
from annotation.demo.scenes.truth import SIDES, Attribute, Entity, Query, Relation, Verdict, verdict_of

PER_FAMILY = 6
SMALLEST = 0.8e-4  # of the picture's area
WELL_SEEN = 0.7  # at least, as boxes hide more than what is drawn in them
COUNTS = range(2, 13)
OPTIONS = 4
FEW = 12  # of many alike, none is the only one that carries something
CHOICES = 3
SPELLINGS: Mapping[str, tuple[str, ...]] = {"gray": ("grey",), "wood": ("wooden",)}
FAMILY_OF: Mapping[str, str] = {"colour": "color", "pattern": "pattern", "material": "material", "label": "text"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its only right answer; `accepted` are other spellings of the same answer."""

    family: str
    text: str
    query: Query
    verdict: Verdict
    options: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Material:
    """What questions are made of: the scene, the things worth asking about, and how each can be meant and no other."""

    scene: Scene
    targets: Sequence[Thing]
    names: Names
    luck: random.Random


def questions(scene: Scene) -> tuple[Asked, ...]:
    """Up to PER_FAMILY questions of every family; half of them about the smallest things that can be asked about."""
    luck = random.Random(f"questions:{scene.version}:{scene.family}:{scene.seed}")
    targets = [thing for thing in scene.things if thing.box.area >= SMALLEST * scene.area and thing.seen >= WELL_SEEN]
    luck.shuffle(targets)
    small = sorted(targets, key=lambda thing: (thing.box.area, thing.id))
    mixed = list(dict.fromkeys(thing for pair in zip(small, targets, strict=True) for thing in pair))
    material = Material(scene, mixed, names_of(scene, WELL_SEEN), luck)
    found: dict[str, Asked] = {}
    for family, ask in FAMILIES.items():
        for asked in _some(ask(material), CHOICES if family == "choice" else PER_FAMILY):
            found.setdefault(asked.text, asked)
    return tuple(found.values())


def _some(asked: Iterator[Asked], most: int) -> Iterator[Asked]:
    taken: set[str] = set()
    for one in asked:
        if one.text not in taken:
            taken.add(one.text)
            yield one
        if len(taken) == most:
            return


def _about(attribute: str) -> Callable[[Material], Iterator[Asked]]:
    def ask(material: Material) -> Iterator[Asked]:
        for thing in material.targets:
            if getattr(thing, attribute) and not (attribute == "colour" and thing.pattern):
                yield from _checked(FAMILY_OF[attribute], material.scene, _attribute_queries(material, thing, attribute))

    return ask


def _attribute_queries(material: Material, thing: Thing, attribute: str) -> Iterator[Query]:
    """Asked of the thing by its name, or by what it holds, stands on, or lies in."""
    for tuples in attributes_but(attribute, material.names[thing.id]):
        yield Query(tuples, attribute, "x")
    for link, other in _links(material.scene, thing):
        for tuples in material.names.get(other.id, ()):
            yield Query((Entity("x", thing.kind), link, *renamed(tuples, "y")), attribute, "x")


def _links(scene: Scene, thing: Thing) -> Iterator[tuple[Relation, Thing]]:
    if thing.on is not None:
        yield Relation("x", "on", "y"), scene.thing(thing.on)
    if thing.inside is not None:
        yield Relation("x", "in", "y"), scene.thing(thing.inside)
    if thing.kind == "person":
        yield from ((Relation("x", "holding", "y"), item) for item in scene.things if item.held_by == thing.id)


def _about_relations(material: Material) -> Iterator[Asked]:
    alike = Counter(thing.kind for thing in material.scene.things)
    for thing in material.targets:
        if thing.carrier is not None and alike[material.scene.thing(thing.carrier).kind] <= FEW:
            yield from _checked("relation", material.scene, _relation_queries(material.scene, thing, thing.carrier))


def _relation_queries(scene: Scene, thing: Thing, carrier: int) -> Iterator[Query]:
    """What the carrier carries. That it carries something may make it the only one that is meant."""
    name = "in" if thing.inside is not None else "on"
    link = Relation("x", name, "y") if thing.held_by is None else Relation("y", "holding", "x")
    for tuples in phrases(scene.thing(carrier)):
        yield Query((Entity("x", "thing"), link, *renamed(tuples, "y")), "kind", "x")


def _about_sides(material: Material) -> Iterator[Asked]:
    nameable = [thing for thing in material.targets if material.names[thing.id]]
    for thing, other in zip(nameable, material.luck.sample(nameable, len(nameable)), strict=True):
        if thing.kind != other.kind:
            tuples = (*material.names[thing.id][0], *renamed(material.names[other.id][0], "y"))
            yield from _checked("side", material.scene, iter((Query(tuples, "side", "x", "y"),)), options=SIDES)


def _about_counts(material: Material) -> Iterator[Asked]:
    scene = material.scene
    queries = list(_count_queries(scene))
    material.luck.shuffle(queries)
    for query in queries:
        verdict = verdict_of(scene, query)
        if verdict.verdict != "answerable" or int(verdict.answer) not in COUNTS:
            continue
        if all(scene.thing(key).box.area >= SMALLEST * scene.area for key in verdict.evidence):
            yield Asked("count", worded(query), query, verdict)


def _count_queries(scene: Scene) -> Iterator[Query]:
    for kind in dict.fromkeys(thing.kind for thing in scene.things):
        yield Query((Entity("x", kind),), "count", "x")
        for pattern in PATTERNS if KINDS[kind].patterns else ():
            yield Query((Entity("x", kind), Attribute("x", "pattern", pattern)), "count", "x")


def _with_choices(material: Material) -> Iterator[Asked]:
    """Colours to choose from, of which only one is right and none is a neighbour of it."""
    for thing in material.luck.sample(list(material.targets), len(material.targets)):
        if not thing.colour or thing.pattern:
            continue
        wrong = [colour for colour in PALETTE if has(thing, "colour", colour) == Level.NO]
        if len(wrong) >= OPTIONS - 1:
            options = [thing.colour, *material.luck.sample(wrong, OPTIONS - 1)]
            material.luck.shuffle(options)
            yield from _checked("choice", material.scene, _attribute_queries(material, thing, "colour"), options=tuple(options))


def _checked(family: str, scene: Scene, queries: Iterator[Query], options: tuple[str, ...] = ()) -> Iterator[Asked]:
    """The first of the wordings that truth finds answerable."""
    for query in queries:
        verdict = verdict_of(scene, query)
        if verdict.verdict == "answerable":
            spellings = () if options else _spellings(query, verdict)
            yield Asked(family, worded(query), query, verdict, options, spellings)
            return


def _spellings(query: Query, verdict: Verdict) -> tuple[str, ...]:
    if query.asks == "kind":
        return KINDS[verdict.answer].also
    if query.asks == "pattern":
        return tuple(one for one in PATTERNS[verdict.answer] if one != verdict.answer)
    return SPELLINGS.get(verdict.answer, ())


FAMILIES: Mapping[str, Callable[[Material], Iterator[Asked]]] = {
    "choice": _with_choices,
    **{family: _about(attribute) for attribute, family in FAMILY_OF.items()},
    "relation": _about_relations,
    "side": _about_sides,
    "count": _about_counts,
}
