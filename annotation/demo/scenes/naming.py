"""How one thing among many can be meant: descriptions that truth accepts for it and for no other. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from annotation.demo.scenes.facts import Level, has
from annotation.demo.scenes.scene import Scene, Thing
from annotation.demo.scenes.truth import ATTRIBUTE_NAMES, Attribute, Entity, Query, Tuple, verdict_of

Names = Mapping[int, Sequence[tuple[Tuple, ...]]]


def names_of(scene: Scene, seen: float) -> Names:
    """Per thing of which at least `seen` is seen: a plain noun first, then with attributes. About the variable `x`."""
    alike = Counter(key for thing in scene.things for key in phrases(thing))
    return {
        thing.id: [key for key in phrases(thing) if alike[key] == 1 and _means(scene, key, thing)]
        for thing in scene.things
        if thing.seen >= seen
    }


def phrases(thing: Thing) -> list[tuple[Tuple, ...]]:
    """What may truly be said of a thing, whether or not it is true of others too."""
    said = [
        Attribute("x", name, value)
        for name in ATTRIBUTE_NAMES
        if (value := getattr(thing, name)) and has(thing, name, value) == Level.YES
    ]
    both = tuple(one for one in said if one.name in ("colour", "pattern"))
    return list(dict.fromkeys((Entity("x", thing.kind), *more) for more in ((), *((one,) for one in said), both)))


def _means(scene: Scene, tuples: tuple[Tuple, ...], thing: Thing) -> bool:
    found = verdict_of(scene, Query(tuples, "kind", "x"))
    return found.verdict == "answerable" and found.evidence == (thing.id,)


def renamed(tuples: Sequence[Tuple], who: str) -> tuple[Tuple, ...]:
    """The same said of another variable."""
    return tuple(replace(one, who=who) for one in tuples)


def attributes_but(name: str, described: Sequence[tuple[Tuple, ...]]) -> Iterator[tuple[Tuple, ...]]:
    """The descriptions that do not give an attribute away."""
    for tuples in described:
        if not any(isinstance(one, Attribute) and one.name == name for one in tuples):
            yield tuples
