"""A closed grammar of visual questions: a table of patterns, tried in order, whose slots are parsed as phrases.

A question that fits no pattern, or whose slots do not parse whole, gives None: never a guess. The patterns cover the
demo questions, V*Bench, counting templates (PixMo, TallyQA) and their kin; add a line to `PATTERNS` for another family.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from annotation.questions import vocabulary
from annotation.questions.edits import Span
from annotation.questions.phrases import Attachment, NounPhrase, Word, attachment, noun_phrase


class Asks(StrEnum):
    """What kind of answer a question wants."""

    COUNT = "count"
    COLOUR = "colour"
    MATERIAL = "material"
    ATTRIBUTE = "attribute"
    CHOICE = "choice"
    TEXT = "text"
    PLACE = "place"
    PERSON = "person"
    THING = "thing"
    YES_NO = "yes-no"


class Family(StrEnum):
    """What a question is about, for strata and gates."""

    COUNT = "count"
    ATTRIBUTE = "attribute"
    POSITION = "position"
    CHOICE = "choice"
    RELATION = "relation"
    TEXT = "text"
    IDENTITY = "identity"


@dataclass(frozen=True)
class ParsedQuestion:
    """A question with its slots. `things` are noun phrases by slot name, `words` the other slots."""

    text: str
    family: Family
    asks: Asks
    things: Mapping[str, NounPhrase]
    where: Attachment | None
    words: Mapping[str, Word]


THINGS = ("thing", "counted", "owner", "landmark", "kind", "one", "two")
WHERE = "where"

# {slots} are filled by `_regex`. A slot named in THINGS must parse as a noun phrase, {where} as an attachment; {acting}
# and {written_where} are a {where} that begins with a verb.
PATTERNS: tuple[tuple[Family, str], ...] = (
    (Family.POSITION, "{be} {thing} on the left or (?:the )?right (?:hand )?(?:side|half|part) of {landmark}"),
    (Family.POSITION, "{be} {thing} (?:to the |on the )?left or (?:to the |on the )?right of {landmark}"),
    (Family.POSITION, "{be} {thing} (?:above or below|below or above|in front of or behind|inside or outside) {landmark}"),
    (Family.CHOICE, "{be} the {asked} of {thing} {first} or {second}"),
    (Family.CHOICE, "{be} {thing} {first} or {second}"),
    (Family.CHOICE, "(?:does|do) {thing} have (?P<first>[^,?]+) or (?P<second>[^,?]+)"),
    (Family.CHOICE, "which {kind} {be} {where}, {one} or {two}"),
    (Family.COUNT, "how many {counted} (?:are|is) there"),
    (Family.COUNT, "how many {counted} (?:are|is) there {where}"),
    (Family.COUNT, "how many {counted} (?:are (?:visible|shown)|can be seen|can you see|do you see)"),
    (Family.COUNT, "how many {counted} (?:are (?:visible|shown)|can be seen|can you see|do you see) {where}"),
    (Family.COUNT, "how many {counted} according to {landmark} (?:may|can|does|do) {owner} (?P<verb>[a-z]+)"),
    (Family.COUNT, "how many {counted} (?:does|do) {owner} have"),
    (Family.COUNT, "how many {counted} (?:has|have) {owner}"),
    (Family.COUNT, "how many {counted} {be} {where}"),
    (Family.COUNT, "how many {counted} {where}"),
    (Family.COUNT, "count the {counted}"),
    (Family.ATTRIBUTE, "what {be} the {asked} of {thing}"),
    (Family.ATTRIBUTE, "what {asked} {be} {thing} made of"),
    (Family.ATTRIBUTE, "what {asked} {be} {thing}"),
    (Family.ATTRIBUTE, "what {be} {thing} like {where}"),
    (Family.TEXT, "(?:what|which) {written} {be} {where}"),
    (Family.TEXT, "what {be} {written_where}"),
    (Family.TEXT, "what does {thing} say"),
    (Family.RELATION, "(?:what|which) (?:kind of |type of |sort of )?{kind} {be} {where}"),
    (Family.RELATION, "(?:what|who) {be} {where}"),
    (Family.RELATION, "(?:what|which) {kind} {be} {owner} {acting}"),
    (Family.RELATION, "what {be} {owner} {doing}"),
    (Family.RELATION, "what {be} {owner} {acting}"),
    (Family.RELATION, "what {where}"),
    (Family.IDENTITY, "(?:what|who|where) {be} {thing}"),
)

ASKED = "colou?r|material|pattern|shape|size|pose|breed|species|brand|texture|style|type|gender|age|name|title"
WRITTEN = "(?:[a-z]+ )??(?:number|text|word|words|letter|letters|name|brand name|time|price|digit|digits)"
COLOURS = "{value}(?: and {value})?"
CHOICES = "(?:facing |looking |pointing )?(?:up|down|left|right|open|closed|on|off|full|empty|{colours})"

# The first words decide what is asked; the first line that fits wins.
OPENINGS: tuple[tuple[Asks, str], ...] = (
    (Asks.COUNT, r"how many\b|count the\b|what is the (?:total )?number of\b"),
    (Asks.CHOICE, r"(?:is|are|was|were|does|do|which)\b.* or "),
    (Asks.COLOUR, r"what (?:(?:is|are) the )?colou?r\b"),
    (Asks.MATERIAL, r"what (?:(?:is|are) the )?material\b"),
    (Asks.TEXT, rf"(?:what|which) {WRITTEN} (?:is|are)\b|what (?:is|are) (?:written|printed)\b|what does .* say\b"),
    (Asks.ATTRIBUTE, rf"what (?:(?:is|are) the )?(?:{ASKED}|weather)\b"),
    (Asks.YES_NO, r"(?:is|are|was|were|does|do|did|can|has|have)\b"),
    (Asks.PLACE, r"where\b"),
    (Asks.PERSON, r"who\b|whose\b"),
    (Asks.THING, r"what\b|which\b"),
)


def asks(text: str) -> Asks | None:
    """What kind of answer a question wants, by its first words; None for what is no English question."""
    return next((kind for kind, pattern in _openings() if pattern.match(text.strip())), None)


@lru_cache(maxsize=4096)
def parse(text: str) -> ParsedQuestion | None:
    """The first pattern that fits the whole question and whose slots all parse."""
    wanted = asks(text)
    if wanted is None:
        return None
    readings = (_reading(text, family, wanted, pattern) for family, pattern in _patterns())
    return next((reading for reading in readings if reading is not None), None)


def _reading(text: str, family: Family, wanted: Asks, pattern: re.Pattern[str]) -> ParsedQuestion | None:
    match = pattern.fullmatch(text)
    if match is None:
        return None
    spans = {name: Span(*match.span(name)) for name in match.groupdict() if match[name] is not None}
    things = {name: noun_phrase(text, spans[name]) for name in THINGS if name in spans}
    where = attachment(text, spans[WHERE]) if WHERE in spans else None
    if (WHERE in spans and where is None) or any(phrase is None for phrase in things.values()):
        return None
    words = {name: Word(span.of(text), span) for name, span in spans.items() if name not in (*THINGS, WHERE)}
    return ParsedQuestion(text, family, wanted, {name: p for name, p in things.items() if p is not None}, where, words)


def phrases_of(parsed: ParsedQuestion) -> list[NounPhrase]:
    """Every noun phrase of a question, inner ones too; not the kind that is asked for ("what fruit")."""
    tops = [phrase for slot, phrase in parsed.things.items() if slot != "kind"]
    tops += [parsed.where.landmark] if parsed.where and parsed.where.landmark else []
    return [phrase for top in tops for phrase in top.within()]


def named_things(parsed: ParsedQuestion) -> list[NounPhrase]:
    """The phrases that name a thing: no frame ("the image"), no mere part ("the rim of"), no "one"."""
    return [phrase for phrase in phrases_of(parsed) if phrase.names_thing]


@cache
def _openings() -> tuple[tuple[Asks, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in OPENINGS)


@cache
def _patterns() -> tuple[tuple[Family, re.Pattern[str]], ...]:
    return tuple((family, re.compile(rf"\s*{_regex(pattern)}\s*[?.]?\s*", re.IGNORECASE)) for family, pattern in PATTERNS)


def _regex(pattern: str) -> str:
    """A pattern with its slots filled in. {where} begins with a verb or a preposition, {where:a|b} with one of these."""
    colours = [value.name for value in vocabulary.values().values() if value.dimension == "colour"]
    choice = CHOICES.replace("{colours}", COLOURS.replace("{value}", f"(?:{_alternatives(colours)})"))
    closed = {
        "be": "(?P<be>is|are|was|were)",
        "asked": f"(?P<asked>{ASKED})",
        "written": f"(?P<written>{WRITTEN})",
        "first": f"(?P<first>{choice})",
        "second": f"(?P<second>{choice})",
        "doing": f"(?P<doing>(?:{_alternatives(vocabulary.actions())})(?: (?:{_alternatives(vocabulary.relations())}))?)",
        "where": f"(?P<where>(?:{_alternatives([*vocabulary.actions(), *vocabulary.relations()])}) .+?)",
        "acting": f"(?P<where>(?:{_alternatives(vocabulary.actions())}) .+?)",
        "written_where": "(?P<where>(?:written|printed) .+?)",
    }
    return re.sub(r"\{(\w+)\}", lambda slot: closed.get(slot[1], rf"(?P<{slot[1]}>[^,?]+?)"), pattern)


def _alternatives(phrases: Iterable[str]) -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))
