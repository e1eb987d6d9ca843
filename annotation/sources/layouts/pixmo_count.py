"""PixMo-Count: a picture's address, a label, a count, and a point for every counted thing; no question.

The question is made from a versioned wording (`TEMPLATES`), whose id stays with the row. Rows whose count is not the
number of their points are rejected: such an answer contradicts its own evidence. The evaluation splits have no points.
"""

import re
from collections.abc import Iterator
from typing import Any

from annotation import english
from annotation.sources.faults import WrongLayout
from annotation.sources.layouts import checks, naming
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, Unfit, Values
from annotation.sources.rows import Record, Row, Wanted

# An id is never used for another wording: change the wording, raise the number.
TEMPLATES = {
    "how-many-are-there-1": "How many {labels} are there?",
    "how-many-in-picture-1": "How many {labels} are there in the picture?",
    "how-many-can-you-see-1": "How many {labels} can you see?",
    "how-many-are-visible-1": "How many {labels} are visible?",
    "what-is-the-number-1": "What is the number of {labels} in the picture?",
}
DEFAULT = "how-many-are-there-1"

LEADING = re.compile(r"^(?:(?:the\s+)?number of|an?|the|some|all)\s+(?=\S)", re.IGNORECASE)
# The counted noun ends before one of these: "person with an umbrella" counts persons.
AFTER_NOUN = re.compile(
    r"\s+\(|\s+(?:with|without|in|on|at|of|from|by|under|over|above|below|behind|near|next|inside|outside|between|around|along|"
    r"against|beside|to|for|that|which|who|whose|wearing|holding|carrying|sitting|standing|riding|walking|facing|looking)\b",
    re.IGNORECASE,
)
SIMPLE_NUMBER = re.compile(r"[A-Z0-9]+(?:'?s)?")

RULES = (
    Rule("image_url", "http(s) address of the picture; addresses repeat across rows", True, naming.address),
    Rule("image_sha256", "sha256 of the picture's bytes, compared when it arrives", False, naming.sha256, ""),
    Rule("label", "what is counted, one or many; the question is made from its plural", True, checks.word),
    Rule("count", "how many there are; zero is an answer", True, checks.whole(0, 100_000)),
    Rule(
        "points",
        'one point per counted thing, as {"x": [..], "y": [..]} in pixels; as many as `count`, or none (evaluation splits)',
        False,
        checks.point_list,
        (),
    ),
)


def wordings(options: Options) -> tuple[Rule, ...]:
    """The rules, where all wordings that are asked for exist. Raises WrongLayout."""
    if unknown := [one for one in options.templates if one not in TEMPLATES]:
        raise WrongLayout(f"There is no wording {unknown[0]!r}: choose among {', '.join(TEMPLATES)}.", field="templates")
    return RULES


def build(values: Values, record: Record, options: Options) -> Iterator[Found]:
    """One row for each wording that is asked for; one where none is."""
    count, points = values["count"], values["points"]
    if points and len(points) != count:
        raise Unfit(f"The count is {count}, but there are {len(points)} points.", "points", len(points))
    counted = plural_label(values["label"])
    for template in options.templates or (DEFAULT,):
        yield Row(
            line=record.line,
            image=Wanted(values["image_url"], values["image_sha256"]),
            question=TEMPLATES[template].format(labels=counted),
            answers=(str(count),),
            points=points,
            family="count",
            template=template,
            extra=_kept(values["label"], counted),
        )


def plural_label(label: str) -> str:
    """The plural of what a label counts: "person with an umbrella" -> "people with an umbrella".

    Articles in front go, a plural stays, small letters unless the label is a name or an abbreviation ("TVs", "Jeeps").
    """
    bare = LEADING.sub("", " ".join(label.split()).rstrip(".?!"), count=1)
    after = AFTER_NOUN.search(bare, 1)
    noun, rest = (bare[: after.start()], bare[after.start() :]) if after else (bare, "")
    return _small(_plural(noun)) + rest


def _plural(noun: str) -> str:
    last = noun.split(" ")[-1]
    if SIMPLE_NUMBER.fullmatch(last):  # "TV", "TVs", "7": letters that are said one by one
        return noun if last.endswith("s") else noun + "s"
    return noun if last.lower() in PLURALS or english.is_plural(noun) else english.plural(noun)


def _small(noun: str) -> str:
    """Without the capital letter that only a label's beginning has: the first word is no abbreviation, others have none."""
    first, _, rest = noun.partition(" ")
    titled = first[:1].isupper() and first[1:].islower() and english.singular(first.lower()) not in NAMES
    return first.lower() + (" " + rest if rest else "") if titled else noun


PLURALS = english.wordset("cacti fungi dice data media cattle police")
NAMES = english.wordset("jeep lego christmas american british chinese english french german indian italian japanese")

LAYOUT = Layout("pixmo-count", 1, "PixMo-Count", RULES, build, source_key="pixmo-count", chosen=wordings)


def _kept(label: str, counted: str) -> dict[str, Any]:
    return {} if label == counted else {"label": label}
