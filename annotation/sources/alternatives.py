"""Answers that list alternatives: "9 or nine" is two answers, "more or less" is one. Pure."""

import re

OR = re.compile(r"(?<=\s)(?:or|OR|Or)(?=\s)")
EITHER = re.compile(r"either\s+", re.IGNORECASE)
# Words that hold together around "or", as written in lower case.
TOGETHER = re.compile(
    r"more or less|sooner or later|trick or treat|dead or alive|now or never|whether or not|make or break|"
    r"truth or dare|all or nothing|believe it or not|ready or not|rain or shine|"
    r"\bor (?:more|less|fewer|so|not|later|earlier|sooner|higher|lower|above|below|under|over|older|younger|larger|smaller)\b"
)
OREGON = re.compile(r",\s+OR\s|\sOR\s\d{5}")
PAIRS = {'"': '"', "“": "”", "«": "»", "(": ")", "[": "]"}


def alternatives(text: str) -> tuple[str, ...]:
    """The answers that a text lists with "or", in order and without repeats; the text itself where it lists none.

    Not parted: what stands in quotes or brackets, set phrases ("trick or treat", "5 or more"), and Oregon ("Salem, OR
    97301"). "either red or blue" lists red and blue. Commas part nothing: "Paris, Texas or Paris, France" is two.
    """
    parts = [part.strip() for part in _parts(text)]
    if len(parts) < 2 or not all(parts):
        return (text.strip(),) if text.strip() else ()
    parts[0] = EITHER.sub("", parts[0], count=1) if EITHER.match(parts[0]) else parts[0]
    return tuple(dict.fromkeys(part for part in parts if part))


def _parts(text: str) -> list[str]:
    kept = [match.span() for match in TOGETHER.finditer(text.lower())] if len(text.lower()) == len(text) else []
    kept += [match.span() for match in OREGON.finditer(text)]
    kept += _enclosed(text)
    parts, start = [], 0
    for match in OR.finditer(text):
        if not any(first <= match.start() < last for first, last in kept):
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def _enclosed(text: str) -> list[tuple[int, int]]:
    """Where quotes and brackets run; one that is not closed encloses nothing."""
    found, at = [], 0
    while at < len(text):
        end = text.find(PAIRS[text[at]], at + 1) if text[at] in PAIRS else -1
        if end > at:
            found.append((at, end))
        at = max(at, end) + 1
    return found
