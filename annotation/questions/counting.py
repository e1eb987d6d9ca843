"""Zero counts: when does an edited question stop being a question, and when is its answer simply 0?

"How many **red** cars …", "people **under** the awning", "how many **cats**": the changed words restrict what is counted;
with none, 0 is a legitimate answer. "How many wheels has **the tractor**", "kites above **the lighthouse**": the changed
words name a definite thing that the question takes for granted; without it there is no answer.
"""

import re
from enum import StrEnum

from annotation.questions.edits import Edit, Span
from annotation.questions.grammar import named_things, parse

DEFINITE_THING = re.compile(r"\b(?:the|his|her|its|their)\s+(?:[\w'’-]+\s*){1,4}$", re.IGNORECASE)


class ZeroCount(StrEnum):
    """What a campaign does with edits that leave a count of zero: refuse them, take 0 for the answer, or accept both."""

    REJECT = "reject"
    ANSWERABLE = "answerable"
    BOTH = "both"


def names_definite_thing(edit: Edit) -> bool:
    """Whether the changed words say what a definite thing is ("the lighthouse", "the blue kiosk") that the question
    takes for granted, rather than restricting what is counted or asked for."""
    changed = Span(edit.change.span.start, edit.change.span.start + len(edit.change.new.rstrip()))
    parsed = parse(edit.edited)
    if parsed is None:
        return DEFINITE_THING.search(edit.edited[: changed.end]) is not None and _reaches_back(edit.edited, changed)
    things = (Span(p.span.start, p.head.span.end) for p in named_things(parsed) if p.definite)
    return any(thing.overlaps(changed) for thing in things)


def _reaches_back(text: str, changed: Span) -> bool:
    """Whether the definite phrase that ends with the change is touched by it, or the article stands right before."""
    match = DEFINITE_THING.search(text[: changed.end])
    before = text[: changed.start].rstrip().lower()
    return match is not None and (match.start() >= changed.start or re.search(r"\b(the|his|her|its|their)$", before) is not None)
