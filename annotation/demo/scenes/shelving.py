"""Things in a wall of shelves, side by side. Pure; everything in 1/10,000 of the picture's width."""

from collections.abc import Iterator

from annotation.demo.scenes.art import aspect
from annotation.demo.scenes.choosing import Chooser
from annotation.demo.scenes.families import Family
from annotation.demo.scenes.grouping import Group, carried, grouped, standing
from annotation.demo.scenes.scene import Thing

UNITS = 10_000
BOARDS, COLUMNS = 11, 4
SIZE = (0.88, 1.2)
GAPS = (12, 70)
BETWEEN_BOOKS = 3
POST, THICKNESS = 70, 46
SMALL_SHARE = 1.05e-4
SMALL_ONES = 6


def board(family: Family, number: int) -> int:
    """The upper edge of a board, counted from above."""
    return round((number + 1) * family.height * UNITS / BOARDS) - THICKNESS


def shelved(family: Family, chooser: Chooser) -> Iterator[list[Thing]]:
    """Each compartment filled from left to right."""
    first = 0
    for group in _filled(family, chooser, _queue(family, chooser)):
        yield list(carried(group, first))
        first += len(group.things)


def _queue(family: Family, chooser: Chooser) -> list[tuple[str, float]]:
    """Kinds with their scales, in a mixed order; books come in runs."""
    zone, luck = family.zones[0], chooser.luck
    rare = list(chooser.rare(zone.rare))
    luck.shuffle(rare)
    small = [(kind, 0.0) for kind in rare[:SMALL_ONES]]
    crowd = luck.choices(list(zone.crowd), list(zone.crowd.values()), k=zone.many - len(rare))
    queue = [*small, *((kind, luck.uniform(*SIZE)) for kind in (*rare[SMALL_ONES:], *crowd))]
    # The wall takes about 450 things: the rare ones must be among those that still find a place.
    head = [*queue[: len(rare)], *queue[len(rare) : len(rare) + 380]]
    luck.shuffle(head)
    return head


def _filled(family: Family, chooser: Chooser, queue: list[tuple[str, float]]) -> Iterator[Group]:
    pitch = UNITS / COLUMNS
    for number in range(BOARDS * COLUMNS):
        row, column = divmod(number, COLUMNS)
        left, right = column * pitch + POST, (column + 1) * pitch - POST / 4
        yield from _compartment(family, chooser, queue, (left, right, board(family, row)))


def _compartment(
    family: Family, chooser: Chooser, queue: list[tuple[str, float]], room: tuple[float, float, int]
) -> Iterator[Group]:
    x, right, ground = room
    luck = chooser.luck
    while queue:
        kind, scale = queue[-1]
        thing = chooser.thing(kind)
        scale = scale or _small_scale(family, thing)
        thing = standing(thing, 0, ground, scale)
        if x + thing.box.width > right:
            return
        queue.pop()
        yield grouped(standing(thing, x + thing.box.width / 2, ground, scale), scale, family, chooser)
        x += thing.box.width + (BETWEEN_BOOKS if kind == "book" else luck.uniform(*GAPS))


def _small_scale(family: Family, thing: Thing) -> float:
    """So that the thing takes the smallest share of the picture that is still asked about."""
    wanted = SMALL_SHARE * UNITS * UNITS * family.height
    return (wanted / aspect(thing.kind, thing.variant)) ** 0.5 / thing.is_a.height
