"""Boxes and what they share. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

GRID = 24


class Box(NamedTuple):
    """[x1, y1, x2, y2) from the upper left corner of the picture."""

    x1: int
    y1: int
    x2: int
    y2: int

    @property
    def width(self) -> int:
        return self.x2 - self.x1

    @property
    def height(self) -> int:
        return self.y2 - self.y1

    @property
    def area(self) -> int:
        return self.width * self.height

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x1 + self.x2) / 2, (self.y1 + self.y2) / 2

    def shares(self, other: "Box") -> int:
        """The area that both cover."""
        width = min(self.x2, other.x2) - max(self.x1, other.x1)
        height = min(self.y2, other.y2) - max(self.y1, other.y1)
        return width * height if width > 0 and height > 0 else 0

    def within(self, width: int, height: int) -> bool:
        return 0 <= self.x1 < self.x2 <= width and 0 <= self.y1 < self.y2 <= height


def gap(one: Box, other: Box) -> int:
    """Between two boxes from side to side; 0 where they touch or overlap."""
    return max(0, one.x1 - other.x2, other.x1 - one.x2)


def overlap_in_height(one: Box, other: Box) -> float:
    """Which share of the lower of the two heights both have in common."""
    common = min(one.y2, other.y2) - max(one.y1, other.y1)
    return max(0.0, common / min(one.height, other.height))


def seen_share(box: Box, covers: Iterable[Box]) -> float:
    """The share of a box that no cover can hide: a lower bound, as a cell of the grid counts as hidden when touched."""
    hidden: set[tuple[int, int]] = set()
    for cover in covers:
        if box.shares(cover):
            columns = _cells(cover.x1 - box.x1, cover.x2 - box.x1, box.width)
            hidden.update((column, row) for column in columns for row in _cells(cover.y1 - box.y1, cover.y2 - box.y1, box.height))
    return 1 - len(hidden) / GRID**2


def _cells(start: int, stop: int, length: int) -> range:
    return range(max(0, start * GRID // length), min(GRID, -(-stop * GRID // length)))
