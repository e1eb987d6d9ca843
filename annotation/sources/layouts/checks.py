"""Checks of single values: what came out of a file goes in, what a Row holds comes out, or Unfit says why not. Pure."""

import math
import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from annotation.sources.layouts.shape import Check, Unfit
from annotation.sources.rows import Box, Point

MOST_TEXT = 4000
MOST_KEPT = 20_000
MOST_WORD = 120
MOST_OPTIONS = 26
MOST_POINTS = 1000

UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def text(longest: int) -> Check:
    """Text that is not empty, without control characters other than line breaks and tabs; outer blanks are dropped."""

    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise Unfit("This must be text.")
        stripped = value.strip()
        if not stripped:
            raise Unfit("This must not be empty.")
        if len(stripped) > longest:
            raise Unfit(f"This has {len(stripped)} characters; {longest} are allowed.")
        if CONTROL.search(stripped):
            raise Unfit("This holds a control character or half a character.")
        return stripped

    return check


long_text = text(MOST_TEXT)
word = text(MOST_WORD)
tag = text(40)


def one_answer(value: Any) -> tuple[str, ...]:
    """An answer: text or a number. Zero is an answer."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Unfit("An answer is text or a number.")
    return (long_text(value if isinstance(value, str) else number_text(value)),)


def number_text(value: int | float) -> str:
    """A number as people write it: tables make 4.0 of the whole number 4."""
    if not math.isfinite(value):
        raise Unfit("An answer is text or a number.")
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else str(value)


def many_answers(value: Any) -> tuple[str, ...]:
    """A list of answers, any of them right."""
    if not isinstance(value, list) or not value:
        raise Unfit("Answers are a list with at least one entry.")
    return tuple(one_answer(entry)[0] for entry in value)


def answers(value: Any) -> tuple[str, ...]:
    """One answer, or a list of them."""
    return many_answers(value) if isinstance(value, list) else one_answer(value)


def option_list(value: Any) -> tuple[str, ...]:
    """The options of a choice, in order; at most one per letter."""
    options = tuple(long_text(entry) for entry in raw_options(value))
    if len(set(options)) < len(options):
        raise Unfit("Two options are the same.")
    return options


def raw_options(value: Any) -> Sequence[Any]:
    """A list that is no longer than there are letters; its entries are not looked at."""
    if not isinstance(value, list) or len(value) > MOST_OPTIONS:
        raise Unfit(f"Options are a list of at most {MOST_OPTIONS} texts.")
    return value


def corner_box(value: Any) -> Box:
    """[x1, y1, x2, y2] with x1 < x2 and y1 < y2, none negative."""
    x1, y1, x2, y2 = _four(value, "A box is four numbers: [x1, y1, x2, y2].")
    if not (0 <= x1 < x2 and 0 <= y1 < y2):
        raise Unfit("A box runs from its upper left to its lower right corner: x1 < x2 and y1 < y2.")
    return x1, y1, x2, y2


def size_box(value: Any) -> Box:
    """[x, y, width, height] -> [x1, y1, x2, y2]; width and height above zero, nothing negative."""
    x, y, width, height = _four(value, "A box is four numbers: [x, y, width, height].")
    if x < 0 or y < 0 or width <= 0 or height <= 0:
        raise Unfit("A box has a corner inside the picture, and a width and a height above zero.")
    return x, y, x + width, y + height


def box_list(one: Check) -> Check:
    """A list of boxes, each by the check of one."""

    def check(value: Any) -> tuple[Box, ...]:
        if not isinstance(value, list) or len(value) > MOST_POINTS:
            raise Unfit(f"Boxes are a list of at most {MOST_POINTS}.")
        return tuple(one(entry) for entry in value)

    return check


def point_list(value: Any) -> tuple[Point, ...]:
    """{"x": [..], "y": [..]}, a list of {"x", "y"}, or a list of [x, y]: pixels, none negative."""
    pairs = _pairs(value)
    if len(pairs) > MOST_POINTS:
        raise Unfit(f"There are {len(pairs)} points; {MOST_POINTS} are allowed.")
    if not all(len(pair) == 2 and all(_number(n) and n >= 0 for n in pair) for pair in pairs):
        raise Unfit("A point is two numbers, x and y, in pixels from the upper left corner.")
    return tuple((float(x), float(y)) for x, y in pairs)


def _pairs(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        xs, ys = value.get("x"), value.get("y")
        if not isinstance(xs, list) or not isinstance(ys, list) or len(xs) != len(ys):
            raise Unfit("Points are two lists of one length, x and y.")
        return list(zip(xs, ys, strict=True))
    if not isinstance(value, list):
        raise Unfit("Points are two lists, x and y, or one list of pairs.")
    return [(p.get("x"), p.get("y")) if isinstance(p, Mapping) else p if isinstance(p, list) else () for p in value]


def _four(value: Any, otherwise: str) -> tuple[float, float, float, float]:
    if not isinstance(value, list) or len(value) != 4 or not all(_number(n) for n in value):
        raise Unfit(otherwise)
    a, b, c, d = (float(n) for n in value)
    return a, b, c, d


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def row_id(value: Any) -> str:
    """The row's own id in its source: text or a whole number."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return word(str(value) if whole else value)  # type: ignore[no-any-return]


def boolean(value: Any) -> bool:
    """true or false, not 0, 1 or "false"."""
    if not isinstance(value, bool):
        raise Unfit("This must be true or false.")
    return value


def flag(value: Any) -> bool:
    """0 or 1, true or false."""
    if isinstance(value, bool) or (_number(value) and value in (0, 1)):
        return bool(value)
    raise Unfit("This must be 0 or 1.")


def whole(least: int, most: int) -> Check:
    """A whole number within limits."""

    def check(value: Any) -> int:
        if not _number(value) or value != int(value) or not least <= value <= most:
            raise Unfit(f"This must be a whole number from {least} to {most}.")
        return int(value)

    return check


def kept(value: Any) -> Any:
    """A value that is only kept: what JSON can hold, and dates and decimals as text."""
    if isinstance(value, date | Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return {kept(str(name)): kept(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [kept(inner) for inner in value]
    if isinstance(value, str) and UNSTORABLE.search(value):
        raise Unfit("This holds a NUL or half a character.")
    if value is None or isinstance(value, str | bool) or _number(value):
        return value
    raise Unfit("This cannot be kept: it is neither text nor a number.")


def kept_text(value: Any) -> str:
    """Text of any kind that is only kept: it may be long, and hold what LaTeX leaves behind where "\\b" became a control
    character."""
    if not isinstance(value, str):
        raise Unfit("This must be text.")
    if len(value) > MOST_KEPT:
        raise Unfit(f"This has {len(value)} characters; {MOST_KEPT} are allowed.")
    return str(kept(value)).strip()


def mapping(value: Any) -> Mapping[str, Any]:
    """An object with fields of its own."""
    if not isinstance(value, Mapping):
        raise Unfit("This must be an object with fields.")
    return value


def only_one(value: Any, what: str) -> Any:
    """The one entry of a list; what is no list stands for itself."""
    if not isinstance(value, list):
        return value
    if len(value) != 1:
        raise Unfit(f"A question is about one {what}; here are {len(value)}.")
    return value[0]
