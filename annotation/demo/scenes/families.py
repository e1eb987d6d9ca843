"""What belongs into which kind of scene, and how often. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Zone:
    """A strip of the picture, as shares of its height, in which things stand. `crowd` gives the frequent kinds weights,
    `rare` names kinds of which a scene has none to three, `many` says how many things are tried."""

    name: str
    top: float
    bottom: float
    crowd: Mapping[str, float]
    rare: tuple[str, ...]
    many: int


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of scene. `height` is the picture's height as a share of its width; `absent` is how many of the rare kinds
    a scene goes without."""

    name: str
    height: float
    horizon: float
    zones: tuple[Zone, ...]
    held: tuple[str, ...] = ()
    stands: tuple[str, ...] = ()
    fits: tuple[str, ...] = ()
    absent: int = 4

    @property
    def kinds(self) -> tuple[str, ...]:
        zoned = [name for zone in self.zones for name in (*zone.crowd, *zone.rare)]
        return tuple(dict.fromkeys((*zoned, *self.held, *self.stands, *self.fits)))


MARKET = Family(
    "market",
    0.75,
    0.3,
    (
        Zone(
            "ground",
            0.315,
            0.99,
            {
                "person": 9,
                "pigeon": 2,
                "crate": 1.5,
                "barrel": 1.2,
                "stall": 1.2,
                "basket": 1.2,
                "parasol": 0.7,
                "bicycle": 0.8,
                "dog": 0.7,
                "suitcase": 0.5,
                "signboard": 0.5,
                "tree": 0.3,
            },
            (
                *("cat", "bench", "bucket", "scooter", "cart", "wheelbarrow", "pram", "lamppost", "fountain", "bin", "drum"),
                *("ladder", "guitar", "pumpkin", "snail", "lantern", "chest", "toy train", "anchor", "rope"),
            ),
            1500,
        ),
    ),
    held=("balloon", "umbrella", "flag", "ice cream", "suitcase"),
    stands=("cat", "pumpkin", "pigeon", "teapot", "lantern", "drum", "radio", "hat", "clock", "globe"),
    fits=("cat", "teddy bear", "pumpkin", "ball", "duck", "guitar"),
)
HARBOUR = Family(
    "harbour",
    0.75,
    0.2,
    (
        Zone(
            "water",
            0.225,
            0.5,
            {"sailboat": 3, "rowboat": 3, "buoy": 2.5, "ship": 1.3, "duck": 1},
            (),
            260,
        ),
        Zone(
            "ground",
            0.575,
            0.99,
            {
                "person": 6,
                "gull": 2.4,
                "crate": 1.5,
                "barrel": 1.4,
                "bollard": 1,
                "rope": 0.8,
                "container": 0.9,
                "basket": 0.8,
                "lifebelt": 0.6,
                "anchor": 0.5,
                "suitcase": 0.6,
                "bicycle": 0.5,
                "lantern": 0.5,
            },
            (
                *("dog", "cat", "chest", "crab", "wheelbarrow", "signboard", "ladder", "lighthouse", "bench", "snail", "cart"),
                *("drum", "fish", "lamppost", "boot", "scooter", "bucket"),
            ),
            1000,
        ),
    ),
    held=("flag", "lantern", "fish", "umbrella", "balloon"),
    stands=("gull", "cat", "lantern", "crab", "radio", "hat", "bottle", "boot"),
    fits=("cat", "fish", "duck", "ball", "guitar"),
)
SHELVES = Family(
    "shelves",
    0.75,
    0.0,
    (
        Zone(
            "shelf",
            0.0,
            1.0,
            {
                "book": 7,
                "mug": 3,
                "vase": 2.5,
                "bottle": 2,
                "toy car": 2,
                "ball": 1.5,
                "apple": 1.5,
                "candle": 1.5,
                "die": 1.2,
                "hat": 0.8,
                "lamp": 0.9,
            },
            (
                *("teapot", "cactus", "clock", "toy truck", "teddy bear", "globe", "camera", "radio", "robot", "key"),
                *("trophy", "boot", "toy train", "pear", "picture frame", "ladybird", "snail", "cat", "lantern", "drum"),
                *("suitcase", "basket", "duck", "guitar", "bucket", "crate", "chest", "barrel"),
            ),
            700,
        ),
    ),
    stands=("apple", "die", "pear", "duck", "toy car", "key"),
    fits=("ball", "teddy bear", "apple", "cat"),
    absent=6,
)
FAMILIES: Mapping[str, Family] = {family.name: family for family in (MARKET, HARBOUR, SHELVES)}
