"""The closed vocabulary of the offline grammar: hand-kept tables in `words/`, read once.

The tables are small on purpose. A word that is missing costs a candidate; a wrong word costs a label. Add a line to a
table and every rule knows it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from annotation import english

WORDS = Path(__file__).parent / "words"

# Dimensions whose values exclude each other and do not depend on what stands beside: only these may be replaced.
REPLACEABLE = ("colour", "material", "pattern")

# What a picture is seen through rather than shows: "the left side of the image", "closer to the camera".
FRAME = english.wordset("image picture photo photograph scene view camera screen weather")

# Heads that name a part of the thing after "of", and heads that only say how much of it is meant.
PARTS = english.wordset(
    "side sides inside outside rim edge body top bottom back front surface center middle color colour shade material end "
    "tip handle bristles flesh label lid neck"
)
AMOUNTS = english.wordset("part parts piece pieces half row group pair bunch set line number pile stack")


@dataclass(frozen=True)
class Noun:
    """A visible thing. `also`: other names and broader words. `common` things are never taken for absent."""

    name: str
    category: str
    also: frozenset[str] = frozenset()
    common: bool = False
    mass: bool = False


@dataclass(frozen=True)
class Value:
    """An adjective of one dimension; `near` values may be what another person calls the same sight."""

    name: str
    dimension: str
    near: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Relation:
    """A preposition; `false` phrases make a statement with it false where the scene stays the same."""

    name: str
    kind: str
    false: tuple[str, ...] = ()


@cache
def nouns() -> dict[str, Noun]:
    """All known things by their singular name, lower case."""
    return {
        row["noun"].lower(): Noun(
            row["noun"], row["category"], frozenset(_list(row["also"])), "common" in row["flags"], "mass" in row["flags"]
        )
        for row in _table("objects")
    }


@cache
def values() -> dict[str, Value]:
    """All known adjectives."""
    return {row["value"]: Value(row["value"], row["dimension"], frozenset(_list(row["near"]))) for row in _table("attributes")}


@cache
def relations() -> dict[str, Relation]:
    """All known prepositions."""
    return {row["phrase"]: Relation(row["phrase"], row["kind"], tuple(_list(row["false"]))) for row in _table("relations")}


@cache
def actions() -> dict[str, str]:
    """Every form of every known verb, with its base: "lies", "lying" and "lie" lead to "lie"."""
    forms = {}
    for row in _table("actions"):
        for form in (row["base"], third_person(row["base"]), row["ing"], row["participle"]):
            forms[form] = row["base"]
    forms.pop("", None)
    return forms


def is_participle(word: str) -> bool:
    """Whether a word is an -ing form or a participle of a known verb, not its base or third person."""
    base = actions().get(word)
    return base is not None and word not in (base, third_person(base))


@cache
def _going_on() -> dict[str, str]:
    return {row["base"]: row["ing"] for row in _table("actions")}


def as_going_on(form: str) -> str:
    """A verb form that can follow "is": participles stay ("attached"), others become the -ing form ("cross")."""
    return form if is_participle(form) else _going_on().get(actions().get(form, form), form)


@cache
def predicates() -> dict[str, tuple[str, ...]]:
    """For a category, what its members hardly ever do in a photo."""
    table = _table("predicates")
    return {key: tuple(r["predicate"] for r in table if r["category"] == key) for key in {r["category"] for r in table}}


def third_person(base: str) -> str:
    """ "cross" -> "crosses", "carry" -> "carries", "fly" -> "flies"."""
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s")


def noun(phrase: str) -> Noun | None:
    """The known thing that a noun phrase names, by its longest known ending: "blue coffee grinders" -> coffee grinder."""
    words = english.singular(phrase.lower()).split()
    known = nouns()
    return next((known[key] for at in range(len(words)) if (key := " ".join(words[at:])) in known), None)


def names(phrase: str) -> frozenset[str]:
    """Every name a thing may go by: itself, its head word, and what the table says it is also called."""
    own = english.singular(phrase.lower())
    known = noun(phrase)
    return frozenset({own, own.split()[-1] if own else own}) | (known.also | {known.name.lower()} if known else frozenset())


def kindred(first: str, second: str) -> bool:
    """Whether one of two things may be called by the other's name (synonym, broader or narrower word)."""
    one, other = english.singular(first.lower()), english.singular(second.lower())
    return one in names(second) or other in names(first)


def near_values(first: str, second: str) -> bool:
    """Whether two adjectives may describe the same sight ("gray" and "silver")."""
    table = values()
    one, other = table.get(first.lower()), table.get(second.lower())
    if one is None or other is None:
        return first.lower() == second.lower()
    return one.name == other.name or one.name in other.near or other.name in one.near


def points_somewhere(word: str) -> bool:
    """Whether a word says where or which of several by place or rank ("left", "above", "largest"), or only joins such
    words ("to the … of")."""
    value, relation = values().get(word), relations().get(word)
    picks = value is not None and value.dimension in ("position", "order", "size")
    return picks or (relation is not None and relation.kind == "direction") or word in ("to", "the", "of", "in", "directly")


def _table(name: str) -> list[dict[str, str]]:
    lines = [line.split("\t") for line in _lines(name)]
    header, rows = lines[0], lines[1:]
    return [dict(zip(header, row + [""] * (len(header) - len(row)), strict=True)) for row in rows]


def _lines(name: str) -> Iterator[str]:
    for line in (WORDS / f"{name}.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def _list(cell: str) -> list[str]:
    return cell.split(",") if cell else []
