"""The closed vocabulary of the scenes: kinds of things with the attributes that each may have. Pure.

What was never drawn is certainly absent only if its word is in here. Every other word, be it of the scenery (houses, sky,
water) or of nothing at all, is undecided to `truth`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

PALETTE: Mapping[str, tuple[str, str, str]] = {
    "red": ("#cf2f2a", "#8e1d1a", "#ee8d86"),
    "blue": ("#2767d2", "#194487", "#88b1ef"),
    "green": ("#35963f", "#20632a", "#8fcf95"),
    "yellow": ("#f4cf26", "#b8950e", "#fbe891"),
    "orange": ("#f08118", "#ab550a", "#f8bb7c"),
    "purple": ("#7a3fb0", "#4f2577", "#b793da"),
    "pink": ("#f48fb8", "#c25a86", "#fbc8dc"),
    "white": ("#f8f6f0", "#cfccc2", "#ffffff"),
    "black": ("#2d2d31", "#151517", "#5b5b61"),
    "brown": ("#8a5a30", "#5d3a1c", "#b98a5c"),
    "gray": ("#8d939b", "#5e646c", "#bfc4ca"),
}
# Neighbours that two people may name differently: nothing is asked or denied across such a pair.
NEAR: frozenset[frozenset[str]] = frozenset(
    frozenset(pair.split("-"))
    for pair in ["red-orange", "orange-brown", "purple-pink", "white-gray", "gray-black", "brown-black"]
)
PATTERNS: Mapping[str, tuple[str, ...]] = {
    "striped": ("stripes", "striped"),
    "spotted": ("dots", "spotted", "polka dots", "dotted"),
    "checkered": ("checks", "checkered", "checked"),
}
MATERIALS = ("wood", "metal")

HAND = (0.07, 0.63)  # of the left hand in a person's box

BRIGHT = ("red", "blue", "green", "yellow", "orange", "purple", "pink", "white", "black")
FUR = ("black", "white", "gray", "brown", "orange")
BOLD = ("red", "blue", "green", "purple", "orange", "black")
ALL_PATTERNS = tuple(PATTERNS)
GOODS = ("BREAD", "FISH", "CHEESE", "FRUIT", "HONEY", "TEA", "SOUP", "BOOKS", "FLOWERS", "NUTS", "SPICES", "EGGS", "TOYS", "WOOL")
BOARDS = ("OPEN", "SALE", "CAFE", "MENU", "HATS", "ROOMS", "TOURS", "MUSIC", "TODAY", "COFFEE", "ICE", "ART", "TAXI", "NEWS")
SHIPS = ("AURORA", "NEPTUNE", "STELLA", "PELICAN", "ORION", "MARINA", "VICTORY", "DOLPHIN", "TITAN", "CORAL", "ATLAS", "JUNO")
LINES = ("NORDIC", "PACIFIC", "DELTA", "OCEAN", "POLAR", "VEGA", "MAPLE", "TIGER", "LOTUS", "ZENITH", "COMET", "RIVER")
TITLES = ("MAPS", "STARS", "BIRDS", "KINGS", "TALES", "POEMS", "MATHS", "ROME", "OCEAN", "BUGS", "LAW", "ART", "ATLAS", "COOK")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of thing. `height` is its height in the foreground in 1/10,000 of the picture's width; `top` is where
    things stand on it and `mouth` where things in it disappear, as shares of its height from above; `grip` is where a
    hand holds it, as shares of its width and height."""

    name: str
    height: float
    colours: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    materials: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    wider: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    variants: int = 1
    top: float | None = None
    mouth: float | None = None
    grip: tuple[float, float] | None = None
    plural: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        return (self.name, *self.also)

    @property
    def many(self) -> str:
        return self.plural or f"{self.name}s"


_ALL = (
    Kind("person", 640, BRIGHT, wider=("human",), variants=5, plural="people"),
    Kind("dog", 270, FUR, wider=("animal",), variants=2),
    Kind("cat", 215, FUR, wider=("animal",), variants=2),
    Kind("pigeon", 120, wider=("animal", "bird"), variants=2),
    Kind("gull", 140, wider=("animal", "bird"), also=("seagull",), variants=2),
    Kind("duck", 150, ("yellow", "white", "brown"), wider=("animal", "bird"), also=("rubber duck",)),
    Kind("crab", 130, wider=("animal",)),
    Kind("snail", 100, ("red", "blue", "purple", "yellow"), wider=("animal",)),
    Kind("ladybird", 70, wider=("animal", "insect"), also=("ladybug",)),
    Kind("fish", 130, ("blue", "orange", "green", "pink"), wider=("animal",), grip=(0.08, 0.5), plural="fish"),
    Kind("bicycle", 400, BRIGHT, wider=("vehicle",), also=("bike",)),
    Kind("scooter", 390, BRIGHT, wider=("vehicle",), also=("kick scooter",)),
    Kind("cart", 430, ("green", "blue", "red", "yellow"), wider=("vehicle",), also=("handcart",), mouth=0.16),
    Kind("wheelbarrow", 360, ("green", "red", "blue", "orange"), mouth=0.16),
    Kind("pram", 420, ("blue", "pink", "green", "black"), also=("stroller", "baby carriage")),
    Kind("lamppost", 1350, also=("street lamp", "street light")),
    Kind("bench", 330, materials=MATERIALS, wider=("furniture",), top=0.52, plural="benches"),
    Kind("barrel", 380, materials=MATERIALS, variants=2, top=0.06),
    Kind("crate", 300, materials=MATERIALS, also=("box",), variants=2, top=0.07),
    Kind("basket", 250, mouth=0.42),
    Kind("bucket", 230, materials=MATERIALS, also=("pail",), mouth=0.3),
    Kind("parasol", 950, BOLD, ALL_PATTERNS, also=("sunshade",)),
    Kind("stall", 1000, BOLD, ("striped",), labels=GOODS, also=("booth", "market stand")),
    Kind("fountain", 1000),
    Kind("signboard", 430, ("red", "green", "blue", "black"), labels=BOARDS, also=("sign", "board")),
    Kind("bin", 400, ("green", "blue", "gray", "red"), also=("trash can", "garbage can")),
    Kind("suitcase", 300, BRIGHT, ALL_PATTERNS, wider=("luggage",), grip=(0.5, 0.05), top=0.16),
    Kind("drum", 250, BRIGHT, top=0.14),
    Kind("ladder", 900),
    Kind("tree", 1450, wider=("plant",), variants=2),
    Kind("guitar", 430, ("red", "brown", "blue", "orange")),
    Kind("pumpkin", 180),
    Kind("sailboat", 1500, ("red", "blue", "white", "orange", "green"), ("striped",), wider=("boat",), variants=2),
    Kind("rowboat", 420, BRIGHT, wider=("boat",), also=("rowing boat",)),
    Kind("ship", 1500, ("blue", "green", "black", "red"), labels=SHIPS, wider=("boat",)),
    Kind("buoy", 420, ("red", "green", "orange")),
    Kind("lighthouse", 2400, ("red", "blue", "black", "green")),
    Kind("bollard", 260),
    Kind("anchor", 400),
    Kind("lifebelt", 270, ("red", "orange", "blue"), also=("lifebuoy", "life preserver")),
    Kind("container", 620, ("red", "blue", "green", "orange", "yellow"), labels=LINES),
    Kind("rope", 180),
    Kind("chest", 330, also=("treasure chest",), top=0.04),
    Kind("lantern", 240, ("red", "green", "black", "blue"), variants=2, grip=(0.5, 0.04)),
    Kind("mug", 270, BRIGHT, ALL_PATTERNS, also=("cup",), variants=2),
    Kind("book", 420, BOLD, labels=TITLES, variants=2),
    Kind("teapot", 300, BRIGHT, ALL_PATTERNS),
    Kind("vase", 420, BRIGHT, ALL_PATTERNS, variants=2),
    Kind("cactus", 400, ("orange", "white", "blue", "pink"), wider=("plant",), plural="cacti"),
    Kind("clock", 380, BRIGHT, also=("alarm clock",), variants=2),
    Kind("toy car", 240, BRIGHT, wider=("toy",)),
    Kind("toy truck", 250, BRIGHT, wider=("toy",)),
    Kind("teddy bear", 470, ("red", "blue", "green", "yellow"), wider=("toy",), also=("teddy",)),
    Kind("globe", 470),
    Kind("lamp", 480, BRIGHT, ALL_PATTERNS, variants=2),
    Kind("candle", 330, ("red", "white", "green", "purple"), also=("lit candle",)),
    Kind("bottle", 450, ("green", "blue", "black", "red")),
    Kind("camera", 290, ("red", "white", "blue", "brown")),
    Kind("radio", 360, BRIGHT, top=0.26),
    Kind("ball", 230, BRIGHT, wider=("toy",)),
    Kind("robot", 480, ("gray", "red", "blue", "green"), wider=("toy",)),
    Kind("key", 110),
    Kind("trophy", 420, plural="trophies", also=("cup award",)),
    Kind("boot", 340, ("red", "black", "brown", "yellow"), wider=("shoe",)),
    Kind("hat", 230, BRIGHT, variants=2),
    Kind("toy train", 330, ("red", "blue", "green", "black"), wider=("toy",), also=("toy locomotive",)),
    Kind("apple", 190, ("red", "green", "yellow"), wider=("fruit",)),
    Kind("pear", 220, wider=("fruit",)),
    Kind("die", 130, ("red", "white", "blue", "green"), plural="dice"),
    Kind("picture frame", 430, ("black", "white", "red", "brown"), also=("picture", "painting")),
    Kind("balloon", 560, BRIGHT, grip=(0.5, 0.96)),
    Kind("umbrella", 520, BRIGHT, ALL_PATTERNS, grip=(0.5, 0.9)),
    Kind("flag", 520, BRIGHT, ALL_PATTERNS, grip=(0.07, 0.86)),
    Kind("ice cream", 200, ("pink", "white", "brown", "green"), grip=(0.5, 0.85), plural="ice creams"),
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}


@cache
def kinds_named(word: str) -> tuple[str, ...] | None:
    """The kinds that a word means; None for a word that nobody defined."""
    if word == "thing":
        return tuple(KINDS)
    found = tuple(kind.name for kind in KINDS.values() if word in kind.words or word in kind.wider)
    return found or None
