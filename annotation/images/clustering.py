"""Which pictures belong together? Likenesses and rulings in, clusters out. Pure.

The rule, which does not depend on the order in which pictures arrived:

1. Of several rulings on one pair the newest stands. Pairs that stand as *different* are never in one cluster, whatever
   links them.
2. Pairs that stand as *same* are joined first, the newest first.
3. Then likenesses are joined, the strongest first (`detail`, then the older pair), unless that would bring a pair of (1)
   together. So a third picture that resembles both sides of a split goes to the side that it resembles more.

A cluster is named by its oldest picture, the one with the smallest id.
"""

from collections.abc import Iterable, Mapping

Pair = tuple[int, int]


def pair_of(one: int, other: int) -> Pair:
    """A pair, the older picture first."""
    return (one, other) if one < other else (other, one)


def clusters_of(pictures: Iterable[int], likenesses: Mapping[Pair, float], rulings: Mapping[Pair, bool]) -> dict[int, int]:
    """The cluster of each picture.

    `likenesses` gives the strength of each pair of copies, `rulings` what stands for a pair, oldest ruling first. Both may
    name pictures that are not asked for; these are left out.
    """
    parts = _Parts(pictures)
    parts.keep_apart(pair for pair, same in rulings.items() if not same)
    by_hand = [pair for pair in reversed(list(rulings)) if rulings[pair]]
    by_strength = sorted(likenesses, key=lambda pair: (-likenesses[pair], pair))
    for pair in [*by_hand, *by_strength]:
        parts.join(*pair)
    return {picture: min(members) for members in parts.all() for picture in members}


class _Parts:
    """Disjoint sets of pictures, each with the pictures that it must not take in."""

    def __init__(self, pictures: Iterable[int]) -> None:
        self.members = {picture: {picture} for picture in pictures}
        self.apart: dict[int, set[int]] = {picture: set() for picture in self.members}
        self.name = {picture: picture for picture in self.members}

    def keep_apart(self, pairs: Iterable[Pair]) -> None:
        for one, other in pairs:
            if one in self.name and other in self.name:
                self.apart[one].add(other)
                self.apart[other].add(one)

    def join(self, one: int, other: int) -> None:
        """Make the parts of both pictures one, unless two of their pictures must stay apart."""
        if one not in self.name or other not in self.name:
            return
        small, large = sorted((self.name[one], self.name[other]), key=lambda name: len(self.members[name]))
        if small == large or not self.apart[large].isdisjoint(self.members[small]):
            return
        for picture in self.members[small]:
            self.name[picture] = large
        self.members[large] |= self.members.pop(small)
        self.apart[large] |= self.apart.pop(small)

    def all(self) -> Iterable[set[int]]:
        return self.members.values()
