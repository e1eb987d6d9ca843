"""A planned scene: things with their attributes, places and supports. Pure."""

from dataclasses import dataclass

from annotation.demo.scenes.geometry import Box
from annotation.demo.scenes.kinds import KINDS, Kind


@dataclass(frozen=True, slots=True)
class Thing:
    """One drawn thing. Boxes are in pixels; `on`, `inside` and `held_by` are ids of other things; `ground` is the line on
    which it, or what carries it, stands. `seen` and `label_seen` are the least shares of its box, and of its label, that
    later things leave free."""

    id: int
    kind: str
    variant: int
    box: Box
    ground: int
    colour: str = ""
    pattern: str = ""
    material: str = ""
    label: str = ""
    flipped: bool = False
    looks: int = 0
    on: int | None = None
    inside: int | None = None
    held_by: int | None = None
    seen: float = 1.0
    label_seen: float = 1.0

    @property
    def is_a(self) -> Kind:
        return KINDS[self.kind]

    @property
    def carrier(self) -> int | None:
        return next((one for one in (self.on, self.inside, self.held_by) if one is not None), None)


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn, in the order in which it is painted."""

    family: str
    seed: int
    version: int
    width: int
    height: int
    horizon: int
    things: tuple[Thing, ...]

    @property
    def area(self) -> int:
        return self.width * self.height

    def thing(self, key: int) -> Thing:
        """By its id, which is its place in the order of painting."""
        return self.things[key]
