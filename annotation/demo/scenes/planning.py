"""From family, seed and size to a scene. Pure: the same three give the same scene, whatever its size in pixels.

Everything is placed in 1/10,000 of the picture's width and scaled at the end. Overlaps are bounded, so that of every thing
at least half can be seen (of a thing in a container, a third): whether something is there is never a matter of opinion.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from annotation.demo.scenes import VERSION
from annotation.demo.scenes.art import aspect, label_box
from annotation.demo.scenes.choosing import Chooser
from annotation.demo.scenes.families import FAMILIES, Family, Zone
from annotation.demo.scenes.geometry import Box, seen_share
from annotation.demo.scenes.grouping import Group, carried, covering, grouped, standing
from annotation.demo.scenes.scene import Scene, Thing
from annotation.demo.scenes.shelving import shelved

UNITS = 10_000
FAR = 0.2  # how much smaller things are at the horizon
NEVER_SMALLER = 38  # units of height
MARGIN = 20
MOST_HIDDEN, LEAST_SEEN, LEAST_SEEN_INSIDE = 0.35, 0.5, 0.3
BIN = 500
SMALL_SHARE = 1.05e-4
SMALL_ONES = 6


def plan(family: str, seed: int, width: int) -> Scene:
    """The scene of a family and a seed, `width` pixels wide."""
    kind = FAMILIES[family]
    luck = random.Random(f"{VERSION}:{family}:{seed}")
    chooser = Chooser.of(kind, luck)
    groups = shelved(kind, chooser) if kind.horizon == 0 else _on_ground(kind, chooser)
    height = round(width * kind.height)
    things = [_scaled(thing, width / UNITS) for group in groups for thing in group]
    return Scene(family, seed, VERSION, width, height, round(kind.horizon * height), tuple(_looked_at(things)))


def _on_ground(family: Family, chooser: Chooser) -> Iterator[list[Thing]]:
    crowd = Crowd(family)
    for zone in family.zones:
        for number, kind in enumerate(_wanted(zone, chooser)):
            crowd.try_to_add(kind, zone, chooser, small=number < SMALL_ONES and bool(zone.rare))
    first = 0
    for group in crowd.kept():
        yield list(carried(group, first))
        first += len(group.things)


def _wanted(zone: Zone, chooser: Chooser) -> Iterator[str]:
    rare = list(chooser.rare(zone.rare))
    chooser.luck.shuffle(rare)
    yield from rare
    names, weights = list(zone.crowd), list(zone.crowd.values())
    yield from chooser.luck.choices(names, weights, k=zone.many)


@dataclass(slots=True)
class Crowd:
    """Groups on the ground, put where they hide little of each other."""

    family: Family
    groups: list[Group] = field(default_factory=list)
    bins: dict[tuple[int, int], list[tuple[Thing, int]]] = field(default_factory=lambda: defaultdict(list))

    def try_to_add(self, kind: str, zone: Zone, chooser: Chooser, *, small: bool) -> None:
        """A few places are tried; where none is free, the thing stays away."""
        for _ in range(40 if zone.rare and kind in zone.rare else 6):
            thing = chooser.thing(kind)
            ground = self._ground(thing, zone, chooser, small)
            scale = self.scale(ground)
            if thing.is_a.height * scale < NEVER_SMALLER:
                continue
            thing = standing(thing, chooser.luck.uniform(MARGIN, UNITS - MARGIN), ground, scale)
            group = grouped(thing, scale, self.family, chooser)
            if self._fits(group):
                self._add(group)
                return

    def scale(self, ground: float) -> float:
        """How large things are that stand on this line."""
        height = self.family.height * UNITS
        horizon = self.family.horizon * height
        return FAR + (1 - FAR) * (ground - horizon) / (height - horizon)

    def _ground(self, thing: Thing, zone: Zone, chooser: Chooser, small: bool) -> float:
        height = self.family.height * UNITS
        top, bottom = zone.top * height, zone.bottom * height
        if small:
            scale = (SMALL_SHARE * UNITS * height / aspect(thing.kind, thing.variant)) ** 0.5 / thing.is_a.height
            horizon = self.family.horizon * height
            wanted = horizon + (scale - FAR) / (1 - FAR) * (height - horizon)
            if top <= wanted <= bottom:
                return wanted
        return top + (bottom - top) * chooser.luck.random() ** 1.5

    def _fits(self, group: Group) -> bool:
        inside = Box(MARGIN, MARGIN, UNITS - MARGIN, round(self.family.height * UNITS) - MARGIN)
        return all(_inside(thing.box, inside) and self._leaves_room(thing, group.ground) for thing in group.things)

    def _leaves_room(self, thing: Thing, ground: int) -> bool:
        for other, its_ground in self._near(thing.box):
            shared = thing.box.shares(other.box)
            behind = thing.box if ground < its_ground else other.box
            if shared and (abs(ground - its_ground) < 0.03 * behind.height or shared > MOST_HIDDEN * behind.area):
                return False
        return True

    def _near(self, box: Box) -> Iterator[tuple[Thing, int]]:
        seen: set[int] = set()
        for key in _bins(box):
            for entry in self.bins[key]:
                if id(entry[0]) not in seen:
                    seen.add(id(entry[0]))
                    yield entry

    def _add(self, group: Group) -> None:
        self.groups.append(group)
        for thing in group.things:
            for key in _bins(thing.box):
                self.bins[key].append((thing, group.ground))

    def kept(self) -> list[Group]:
        """From back to front, without those of which too little would be seen."""
        kept: list[Group] = []
        covers: list[Box] = []
        for group in sorted(self.groups, key=lambda group: -group.ground):
            if _enough_seen(group, covers):
                kept.append(group)
                covers.extend(covering(thing) for thing in group.things)
        return kept[::-1]


def _inside(box: Box, frame: Box) -> bool:
    return box.x1 >= frame.x1 and box.y1 >= frame.y1 and box.x2 <= frame.x2 and box.y2 <= frame.y2


def _bins(box: Box) -> list[tuple[int, int]]:
    return [
        (column, row) for column in range(box.x1 // BIN, box.x2 // BIN + 1) for row in range(box.y1 // BIN, box.y2 // BIN + 1)
    ]


def _enough_seen(group: Group, covers: list[Box]) -> bool:
    for number, thing in enumerate(group.things):
        later = [covering(one) for one in group.things[number + 1 :]]
        inside = number != group.main and number < group.main
        if seen_share(thing.box, [*later, *covers]) < (LEAST_SEEN_INSIDE if inside else LEAST_SEEN):
            return False
    return True


def _scaled(thing: Thing, scale: float) -> Thing:
    box = Box(*(round(edge * scale) for edge in thing.box))
    solid = box._replace(x2=max(box.x2, box.x1 + 2), y2=max(box.y2, box.y1 + 2))
    return replace(thing, box=solid, ground=round(thing.ground * scale))


def _looked_at(things: Iterable[Thing]) -> Iterator[Thing]:
    """The same with the share of each that is seen."""
    listed = list(things)
    covers = [covering(thing) for thing in listed]
    for number, thing in enumerate(listed):
        later = [box for box in covers[number + 1 :] if box.shares(thing.box)]
        label = label_box(thing)
        yield replace(
            thing,
            seen=round(seen_share(thing.box, later), 3),
            label_seen=round(seen_share(label, later), 3) if label else 1.0,
        )
