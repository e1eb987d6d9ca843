"""Which thing comes next, and how it looks. Pure."""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.demo.scenes.families import Family
from annotation.demo.scenes.geometry import Box
from annotation.demo.scenes.kinds import KINDS
from annotation.demo.scenes.scene import Thing

PATTERNED = 0.35
OF_A_RARE_KIND = (1, 1, 2, 3)
NOWHERE = Box(0, 0, 0, 0)


@dataclass(slots=True)
class Chooser:
    """One scene's luck: the kinds it goes without, labels that come once each, and the looks of every thing."""

    luck: random.Random
    absent: frozenset[str]
    rarely: frozenset[str]
    unused: dict[str, list[str]]

    @classmethod
    def of(cls, family: Family, luck: random.Random) -> "Chooser":
        rare = [name for zone in family.zones for name in zone.rare]
        return cls(luck, frozenset(luck.sample(rare, family.absent)), frozenset(rare), defaultdict(list))

    def thing(self, kind: str) -> Thing:
        """A new thing of this kind, not yet placed."""
        is_a, luck = KINDS[kind], self.luck
        return Thing(
            id=-1,
            kind=kind,
            variant=luck.randrange(is_a.variants),
            box=NOWHERE,
            ground=0,
            colour=luck.choice(is_a.colours) if is_a.colours else "",
            pattern=luck.choice(is_a.patterns) if is_a.patterns and luck.random() < PATTERNED else "",
            material=luck.choice(is_a.materials) if is_a.materials else "",
            label=self._label(kind),
            flipped=not is_a.labels and luck.random() < 0.5,
            looks=luck.getrandbits(32),
        )

    def _label(self, kind: str) -> str:
        known = list(KINDS[kind].labels)
        if not known:
            return ""
        if not self.unused[kind]:
            self.luck.shuffle(known)
            self.unused[kind] = known
        return self.unused[kind].pop()

    def one_of(self, kinds: Sequence[str]) -> str | None:
        """Any of the kinds that this scene does not go without."""
        here = [kind for kind in kinds if kind not in self.absent]
        return self.luck.choice(here) if here else None

    def rare(self, kinds: Sequence[str]) -> Iterator[str]:
        """Each rare kind one to three times."""
        for kind in kinds:
            if kind not in self.absent:
                yield from [kind] * self.luck.choice(OF_A_RARE_KIND)
