"""JSON read so that no two readers can understand two things, and values that every store can keep. Pure.

Refused: duplicate keys, NaN and infinities, numbers beyond 64 bits, NUL, lone surrogates, deep nesting. Decoding is the
standard library's scanner in C; its hooks note flaws instead of raising, so that the end of a flawed row is known.
Values are only walked where the source could hide what hooks do not see: in escapes, or below many brackets.
"""

import json
import math
import re
from typing import Any

from annotation.sources.faults import Problem, problem, shown
from annotation.sources.rows import Record
from annotation.sources.texts import whole

MOST_DEPTH = 16
TOO_DEEP = f"The row is nested deeper than {MOST_DEPTH} levels."
NO_OBJECT = "The row is no object."
ESCAPED = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


class Strict:
    """A decoder for one row after the other."""

    def __init__(self) -> None:
        self._flaws: list[tuple[str, object]] = []
        decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=self._constant, parse_float=self._float, parse_int=self._integer
        )
        self._decode = decoder.raw_decode

    def value(self, text: str, at: int = 0) -> tuple[Any, int]:
        """The value that begins at a place, and where it ends. Raises json.JSONDecodeError, RecursionError."""
        self._flaws.clear()
        return self._decode(text, at)

    def judged(self, value: Any, source: str, line: int) -> Record | Problem:
        """The value that was decoded last, as a record if nothing speaks against it. `source` is its own text."""
        if not whole(source):
            return problem(line, "The row holds bytes that do not decode.", value=source[:80])
        if self._flaws:
            reason, culprit = self._flaws[0]
            return problem(line, reason, value=culprit)
        if not isinstance(value, dict):
            return problem(line, NO_OBJECT, value=value)
        if hides_something(source) and (found := unstorable(value, line)):
            return found
        return Record(line, value)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            self._flaws.append((f"The field {shown(twice)!r} stands twice in one object.", twice))
        return found

    def _constant(self, word: str) -> None:
        self._flaws.append((f"{word} is no JSON number.", word))

    def _float(self, digits: str) -> float:
        number = float(digits)
        if not math.isfinite(number):
            self._flaws.append(("A number is too large.", digits))
        return number

    def _integer(self, digits: str) -> int:
        if len(digits) < 19:
            return int(digits)
        if len(digits) > 20 or not -(1 << 63) <= int(digits) < 1 << 63:
            self._flaws.append(("A number has more than 64 bits.", digits))
            return 0
        return int(digits)


def hides_something(source: str) -> bool:
    """Whether the values of a row have to be walked: only where this is true can they be too deep or unstorable."""
    deep = source.count("[") + source.count("{") > MOST_DEPTH
    return deep or ("\\u" in source and ESCAPED.search(source) is not None)


def unstorable(fields: dict[str, Any], line: int) -> Problem | None:
    """The first field whose name or value cannot be stored, as a problem."""
    for field, value in fields.items():
        if reason := _flaw(field) or _flaw(value):
            return problem(line, reason, field, value)
    return None


def _flaw(value: object) -> str:
    """Why a value of a row cannot be stored; empty if it can. Without recursion: depth is what is judged."""
    left: list[tuple[object, int]] = [(value, 2)]
    while left:
        one, depth = left.pop()
        if isinstance(one, dict | list) and depth > MOST_DEPTH:
            return TOO_DEEP
        if isinstance(one, dict):
            left += [(inner, depth + 1) for pair in one.items() for inner in pair]
        elif isinstance(one, list):
            left += [(inner, depth + 1) for inner in one]
        elif reason := _flaw_of_scalar(one):
            return reason
    return ""


def _flaw_of_scalar(value: object) -> str:
    if isinstance(value, str):
        return flaw_of_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is no number."
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return "A number has more than 64 bits."
    return ""


def flaw_of_text(text: str) -> str:
    """Why a text cannot be stored; empty if it can."""
    if "\x00" in text:
        return "The text holds a NUL character."
    if not whole(text):
        return "The text holds half a character (a lone surrogate)."
    return ""
