"""A thing with what it carries: on it, in it, or in its hand. Pure; everything in 1/10,000 of the picture's width."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from annotation.demo.scenes.art import aspect
from annotation.demo.scenes.choosing import Chooser
from annotation.demo.scenes.families import Family
from annotation.demo.scenes.geometry import Box
from annotation.demo.scenes.kinds import HAND
from annotation.demo.scenes.scene import Thing

CARRIES, CONTAINS, HOLDS = 0.1, 0.2, 0.1
RARE_ONES = 0.85  # of those of which a scene has one to three, so that what they carry can be asked
TRIES = 4
HIDDEN = 0.35  # share of a thing's height that disappears in what it is in
BEHIND = {"umbrella"}


@dataclass(frozen=True, slots=True)
class Group:
    """In the order of painting. `main` is the place of the one that stands on the ground."""

    things: tuple[Thing, ...]
    main: int

    @property
    def ground(self) -> int:
        return self.things[self.main].ground


def standing(thing: Thing, middle: float, ground: float, scale: float) -> Thing:
    """The thing upright on a line."""
    height = thing.is_a.height * scale
    width = height * aspect(thing.kind, thing.variant)
    box = Box(round(middle - width / 2), round(ground - height), round(middle + width / 2), round(ground))
    return replace(thing, box=box, ground=round(ground))


def grouped(thing: Thing, scale: float, family: Family, chooser: Chooser) -> Group:
    """A standing thing, and perhaps something with it."""
    luck, rare = chooser.luck, thing.kind in chooser.rarely
    if thing.kind == "person" and family.held and luck.random() < HOLDS:
        return _holding(thing, scale, family, chooser)
    if thing.is_a.mouth is not None and luck.random() < (RARE_ONES if rare else CONTAINS):
        return _containing(thing, scale, family, chooser)
    if thing.is_a.top is not None and luck.random() < (RARE_ONES if rare else CARRIES):
        return _carrying(thing, scale, family, chooser)
    return Group((thing,), 0)


def _holding(person: Thing, scale: float, family: Family, chooser: Chooser) -> Group:
    kind = chooser.one_of(family.held)
    if kind is None:
        return Group((person,), 0)
    item = chooser.thing(kind)
    right = chooser.luck.random() < 0.5
    item = replace(item, flipped=not right and not item.is_a.labels)
    x = person.box.x1 + (1 - HAND[0] if right else HAND[0]) * person.box.width
    y = person.box.y1 + HAND[1] * person.box.height
    grip_x, grip_y = item.is_a.grip or (0.5, 0.5)
    height = item.is_a.height * scale
    width = height * aspect(item.kind, item.variant)
    left = x - width * (1 - grip_x if item.flipped else grip_x)
    held = _boxed(item, left, y - height * grip_y, width, height, person.ground)
    return Group((held, person), 1) if kind in BEHIND else Group((person, held), 0)


def _boxed(thing: Thing, left: float, top: float, width: float, height: float, ground: int) -> Thing:
    box = Box(round(left), round(top), round(left + width), round(top + height))
    return replace(thing, box=box, ground=ground)


def _containing(container: Thing, scale: float, family: Family, chooser: Chooser) -> Group:
    item = _small_enough(container, family.fits, 0.62, scale * 0.85, chooser)
    if item is None or container.is_a.mouth is None:
        return Group((container,), 0)
    mouth = container.box.y1 + container.is_a.mouth * container.box.height
    middle, _ = container.box.middle
    return Group((_shifted(item, middle, mouth + HIDDEN * item.box.height, container.ground), container), 1)


def _carrying(carrier: Thing, scale: float, family: Family, chooser: Chooser) -> Group:
    item = _small_enough(carrier, family.stands, 0.9, scale * 0.9, chooser)
    if item is None or carrier.is_a.top is None:
        return Group((carrier,), 0)
    room = (carrier.box.width - item.box.width) / 2
    middle = carrier.box.middle[0] + room * (chooser.luck.random() * 1.2 - 0.6)
    bottom = carrier.box.y1 + carrier.is_a.top * carrier.box.height
    return Group((carrier, _shifted(item, middle, bottom, carrier.ground)), 0)


def _small_enough(carrier: Thing, kinds: tuple[str, ...], share: float, scale: float, chooser: Chooser) -> Thing | None:
    """Something of another kind that takes at most a share of the carrier's width."""
    others = [kind for kind in kinds if kind != carrier.kind]
    for _ in range(TRIES):
        kind = chooser.one_of(others)
        item = standing(chooser.thing(kind), 0, 0, scale) if kind else None
        if item is not None and item.box.width <= share * carrier.box.width:
            return item
    return None


def _shifted(thing: Thing, middle: float, bottom: float, ground: int) -> Thing:
    width, height = thing.box.width, thing.box.height
    return _boxed(thing, middle - width / 2, bottom - height, width, height, ground)


def covering(thing: Thing) -> Box:
    """The part of a thing's box that hides what lies behind it: of a container, all below its mouth."""
    box = thing.box
    return box if thing.is_a.mouth is None else box._replace(y1=round(box.y1 + thing.is_a.mouth * box.height))


def carried(group: Group, first: int) -> Iterator[Thing]:
    """The group's things with ids from `first` on, each knowing what carries it."""
    for offset, thing in enumerate(group.things):
        numbered = replace(thing, id=first + offset)
        yield numbered if offset == group.main else _linked(numbered, group.things[group.main], first + group.main)


def _linked(thing: Thing, carrier: Thing, key: int) -> Thing:
    if carrier.kind == "person":
        return replace(thing, held_by=key)
    return replace(thing, on=key) if carrier.is_a.mouth is None else replace(thing, inside=key)
