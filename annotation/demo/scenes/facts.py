"""Single facts about a scene in three values: it holds, it does not, or two careful people might disagree. Pure.

The middle value is the scene's ambiguous zone. It covers neighbouring colours, the second colour of a pattern, things that
look alike or have the word as a part, places near a margin, and words that nobody defined. Nothing is asked in it.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from functools import cache

from annotation.demo.scenes.geometry import Box, gap, overlap_in_height
from annotation.demo.scenes.kinds import HAND, MATERIALS, NEAR, PALETTE, PATTERNS, kinds_named
from annotation.demo.scenes.scene import Scene, Thing


class Level(IntEnum):
    """The least of several levels is the level of all of them together."""

    NO = 0
    UNSURE = 1
    YES = 2


ANYTHING = "thing"
READABLE = 0.999
SIDE_MARGIN = 0.01  # of the picture's width, between two boxes
BESIDE, APART = 0.35, 1.5  # of the wider of two boxes
BESIDE_AT_MOST = 0.006  # of the picture's width
HAND_REACH = 0.12  # of a person's height
NEARLY = 0.12  # of the height of what something seems to stand on
SAME_GROUND = 0.3  # of the lower height
# A word of the left may be said of a kind of the right, wholly or of a part of it.
ALSO_SEEN_IN: Mapping[str, tuple[str, ...]] = {
    "hat": ("person",),
    "boot": ("person",),
    "shoe": ("person",),
    "apple": ("stall",),
    "pear": ("stall",),
    "fruit": ("stall", "pumpkin"),
    "pumpkin": ("stall",),
    "plant": ("vase", "pumpkin"),
    "lamp": ("lamppost", "lantern", "candle", "lighthouse", "buoy"),
    "lantern": ("lamppost", "lamp"),
    "candle": ("lantern",),
    "pigeon": ("gull",),
    "gull": ("pigeon",),
    "crate": ("chest", "container"),
    "chest": ("crate",),
    "parasol": ("umbrella",),
    "umbrella": ("parasol",),
    "cart": ("wheelbarrow",),
    "wheelbarrow": ("cart",),
    "ship": ("sailboat",),
    "vehicle": ("wheelbarrow", "pram", "sailboat", "rowboat", "ship", "toy car", "toy truck", "toy train"),
    "toy": ("duck", "drum", "die", "balloon"),
    "animal": ("teddy bear",),
    "insect": ("snail", "crab"),
    "signboard": ("stall",),
    "furniture": ("stall", "lamp", "picture frame", "chest"),
    "luggage": ("chest", "basket"),
    "human": ("robot", "teddy bear"),
    "vase": ("bottle",),
}
# Colours that parts of a kind have beside the one that gives it its name.
SIDE_COLOURS: Mapping[str, tuple[str, ...]] = {
    "person": ("gray", "brown", "black"),
    "lighthouse": ("white", "yellow", "brown"),
    "lifebelt": ("white",),
    "sailboat": ("brown", "white"),
    "ship": ("white", "red", "black"),
    "stall": ("brown", "white"),
    "buoy": ("white", "yellow", "black"),
    "drum": ("white", "yellow"),
    "signboard": ("white",),
    "container": ("white",),
    "book": ("white", "yellow"),
    "suitcase": ("brown",),
    "camera": ("black",),
    "clock": ("white",),
    "toy train": ("red", "black", "yellow"),
    "teddy bear": ("brown",),
    "cactus": ("green",),
    "vase": ("green", "white", "yellow", "pink"),
    "lamp": ("yellow", "brown"),
    "lantern": ("yellow", "orange"),
    "picture frame": ("blue", "green"),
    "ice cream": ("brown", "orange"),
    "candle": ("yellow", "orange"),
    "robot": ("white", "yellow", "red"),
    "boot": ("black",),
    "hat": ("black",),
    "snail": ("brown", "yellow", "white"),
    "bench": ("black",),
    "mug": ("brown", "black"),
    "duck": ("orange",),
    "dog": ("red", "blue"),
    "bicycle": ("black", "gray"),
    "scooter": ("black",),
    "pram": ("white",),
    "cart": ("brown",),
    "wheelbarrow": ("black",),
    "toy car": ("black", "blue"),
    "toy truck": ("black", "blue"),
    "flag": ("brown",),
    "rowboat": ("brown",),
    "bottle": ("white", "brown"),
    "radio": ("black", "white"),
    "die": ("black",),
    "guitar": ("black", "brown"),
}
SECOND_COLOURS: Mapping[str, str] = {"white": "blue", "yellow": "black"}


def is_a(thing: Thing, word: str) -> Level:
    """Whether a thing may be called by this word."""
    return _called(thing.kind, word)


@cache
def _called(kind: str, word: str) -> Level:
    if word == ANYTHING:
        return Level.YES
    named = kinds_named(word)
    if named is None:
        return Level.UNSURE
    if kind in named:
        return Level.YES
    alike = {other for one in (*named, word) for other in ALSO_SEEN_IN.get(one, ())}
    return Level.UNSURE if kind in alike else Level.NO


def has(thing: Thing, attribute: str, value: str) -> Level:
    """Whether a thing has this value of `colour`, `pattern`, `material` or `label`."""
    return ATTRIBUTES[attribute](thing, value) if attribute in ATTRIBUTES else Level.UNSURE


def _colour(thing: Thing, value: str) -> Level:
    if not thing.colour or value not in PALETTE:
        return Level.UNSURE
    if value == thing.colour:
        return Level.YES
    second = SECOND_COLOURS.get(thing.colour, "white") if thing.pattern else thing.colour
    beside = {thing.colour, second, *SIDE_COLOURS.get(thing.kind, ())}
    return Level.UNSURE if any(_alike(value, one) for one in beside) else Level.NO


def _alike(one: str, other: str) -> bool:
    return one == other or frozenset((one, other)) in NEAR


def _pattern(thing: Thing, value: str) -> Level:
    if not thing.is_a.patterns or value not in (*PATTERNS, "plain"):
        return Level.UNSURE
    return Level.YES if value == (thing.pattern or "plain") else Level.NO


def _material(thing: Thing, value: str) -> Level:
    if not thing.material or value not in MATERIALS:
        return Level.UNSURE
    return Level.YES if value == thing.material else Level.NO


def _label(thing: Thing, value: str) -> Level:
    if not thing.label:
        return Level.NO
    if thing.label_seen < READABLE:
        return Level.UNSURE
    return Level.YES if value.upper() == thing.label else Level.NO


ATTRIBUTES: Mapping[str, Callable[[Thing, str], Level]] = {
    "colour": _colour,
    "pattern": _pattern,
    "material": _material,
    "label": _label,
}


def related(scene: Scene, one: Thing, relation: str, other: Thing) -> Level:
    """Whether one thing stands in this relation to the other; itself never."""
    if one.id == other.id:
        return Level.NO
    return RELATIONS[relation](scene, one, other) if relation in RELATIONS else Level.UNSURE


def _on(scene: Scene, one: Thing, other: Thing) -> Level:
    """Unsure where the foot of one is near the upper side of the other, or hidden by the other not far below it."""
    if one.on == other.id:
        return Level.YES
    if not _over(one, other):
        return Level.NO
    box = other.box
    top = box.y1 + (other.is_a.top or 0.0) * box.height
    hidden = one.id < other.id
    lowest = top + (0.6 if hidden else NEARLY) * box.height
    return Level.UNSURE if box.y1 - NEARLY * box.height <= one.box.y2 <= lowest else Level.NO


def _in(scene: Scene, one: Thing, other: Thing) -> Level:
    """Unsure where the lower part of one disappears behind the other, or where the other has no mouth and one overlaps it."""
    if one.inside == other.id:
        return Level.YES
    if not _over(one, other):
        return Level.NO
    if other.is_a.mouth is None:
        return Level.UNSURE
    mouth = other.box.y1 + other.is_a.mouth * other.box.height
    return Level.UNSURE if one.id < other.id and mouth <= one.box.y2 <= other.box.y2 else Level.NO


def _over(one: Thing, other: Thing) -> bool:
    """Whether one is in front of, behind, or just above the other."""
    highest = other.box.y1 - NEARLY * other.box.height
    return other.box.x1 <= one.box.middle[0] <= other.box.x2 and one.box.y1 <= other.box.y2 and highest <= one.box.y2


def _holding(scene: Scene, one: Thing, other: Thing) -> Level:
    """Unsure where something that a hand could hold is at the hand of somebody else."""
    if other.held_by == one.id:
        return Level.YES
    if one.kind != "person" or other.is_a.grip is None:
        return Level.NO
    return Level.UNSURE if any(other.box.shares(hand) for hand in _hands(one.box)) else Level.NO


def _hands(box: Box) -> Iterator[Box]:
    reach = round(HAND_REACH * box.height)
    y = box.y1 + round(HAND[1] * box.height)
    for share in (HAND[0], 1 - HAND[0]):
        x = box.x1 + round(share * box.width)
        yield Box(x - reach, y - reach, x + reach, y + reach)


def _left_of(scene: Scene, one: Thing, other: Thing) -> Level:
    return _before(other.box.x1 - one.box.x2, one.box.x1 - other.box.x2, scene)


def _right_of(scene: Scene, one: Thing, other: Thing) -> Level:
    return _left_of(scene, other, one)


def _above(scene: Scene, one: Thing, other: Thing) -> Level:
    return _before(other.box.y1 - one.box.y2, one.box.y1 - other.box.y2, scene)


def _below(scene: Scene, one: Thing, other: Thing) -> Level:
    return _above(scene, other, one)


def _before(free: int, free_the_other_way: int, scene: Scene) -> Level:
    margin = SIDE_MARGIN * scene.width
    if free >= margin:
        return Level.YES
    return Level.NO if free_the_other_way >= margin else Level.UNSURE


def _beside(scene: Scene, one: Thing, other: Thing) -> Level:
    apart, reach = gap(one.box, other.box), max(one.box.width, other.box.width)
    low, high = sorted((one.box.height, other.box.height))
    between = max(one.box.y1, other.box.y1) - min(one.box.y2, other.box.y2)
    if apart >= max(APART * reach, 2 * BESIDE_AT_MOST * scene.width) or between >= high:
        return Level.NO
    if one.carrier is not None or other.carrier is not None or one.box.shares(other.box):
        return Level.UNSURE
    close = apart <= min(BESIDE * reach, BESIDE_AT_MOST * scene.width)
    level = abs(one.ground - other.ground) <= SAME_GROUND * low and overlap_in_height(one.box, other.box) >= 0.6
    return Level.YES if close and level else Level.UNSURE


RELATIONS: Mapping[str, Callable[[Scene, Thing, Thing], Level]] = {
    "on": _on,
    "in": _in,
    "holding": _holding,
    "left of": _left_of,
    "right of": _right_of,
    "above": _above,
    "below": _below,
    "next to": _beside,
}
