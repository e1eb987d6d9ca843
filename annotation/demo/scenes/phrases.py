"""Tuples in words: noun phrases for things that are meant, and the wording of questions. Pure."""

from collections.abc import Sequence

from annotation.demo.scenes.kinds import KINDS
from annotation.demo.scenes.truth import Attribute, Entity, Query, Relation, Tuple

LABELLED = {"ship": "named", "book": "titled", "signboard": "that says", "container": "marked", "stall": "with the sign"}
MADE_OF = {"wood": "wooden", "metal": "metal"}
SPELLING = {"colour": "color"}
BEFORE_THE_NOUN = ("colour", "pattern", "material")


def noun(tuples: Sequence[Tuple], who: str, article: str = "the") -> str:
    """The noun phrase of a variable with all that is said of it: "the red striped umbrella on the barrel"."""
    word = next(one.word for one in tuples if isinstance(one, Entity) and one.who == who)
    said = {one.name: one.value for one in tuples if isinstance(one, Attribute) and one.who == who}
    adjectives = [MADE_OF.get(said[name], said[name]) for name in BEFORE_THE_NOUN if name in said]
    dressed = f" dressed in {adjectives.pop(0)}" if word == "person" and "colour" in said else ""
    labelled = f' {LABELLED[word]} "{said["label"]}"' if "label" in said else ""
    plain = " ".join([article, *adjectives, word]) + dressed + labelled
    return plain + "".join(_related(tuples, one) for one in tuples if isinstance(one, Relation) and one.who == who)


def _related(tuples: Sequence[Tuple], relation: Relation) -> str:
    return f" {relation.name} {noun(tuples, relation.whom)}"


def plural(tuples: Sequence[Tuple], who: str) -> str:
    """The same for all that fit."""
    phrase = noun(tuples, who, "").strip()
    word = next(one.word for one in tuples if isinstance(one, Entity) and one.who == who)
    return phrase.replace(word, KINDS[word].many if word in KINDS else f"{word}s", 1)


def worded(query: Query) -> str:
    """The question in English."""
    meant = noun(query.tuples, query.about) if query.asks != "kind" else ""
    if query.asks == "side":
        return f"Is {meant} on the left or right side of {noun(query.tuples, query.against)}?"
    if query.asks == "count":
        return f"How many {plural(query.tuples, query.about)} are there?"
    if query.asks == "kind":
        return _which(query)
    return {
        "colour": f"What is the color of {meant}?",
        "pattern": f"What pattern does {meant} have?",
        "material": f"What material is {meant} made of?",
        "label": f"What is written on {meant}?",
    }[query.asks]


def _which(query: Query) -> str:
    """What is on, in, held by or beside the thing that is meant."""
    told = next(one for one in query.tuples if isinstance(one, Relation) and query.about in (one.who, one.whom))
    if told.name == "holding":
        return f"What is {noun(query.tuples, told.who)} holding?"
    verb = "standing" if told.name == "on" else "lying" if told.name == "in" else "right"
    return f"What is {verb} {told.name} {noun(query.tuples, told.whom)}?"
