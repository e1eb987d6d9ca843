"""Rows of questions out of files, in the layouts that are known. Pure: paths in, rows or problems out.

`generic`: `image question answer` (or `answers`), and where they are known `id options box family data_source`.
`hardbench`: HARDBench's own rows, `question answer image data_source is_unanswerable` and, for the unanswerable,
`reason`. Either may be a JSON list or JSON lines. Fields that a layout does not know are counted, not read.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotation.sources import jsonrows
from annotation.sources.faults import Problem, WrongLayout, problem

MOST_TEXT = 4000
MOST_WORD = 120
MOST_OPTIONS = 26

Box = tuple[float, float, float, float]
Check = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One question of a source.

    `image` is a path below the image folder; `box` is [x1, y1, x2, y2] in pixels of the upright original; an
    unanswerable row has no reference answer, and `reason` says which presupposition fails.
    """

    line: int
    image: str = ""
    question: str = ""
    answers: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    key: str = ""
    box: Box | None = None
    family: str = ""
    data_source: str = ""
    unanswerable: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """Where a field of the file goes in a Row, and how its value is checked (the check raises Unfit)."""

    into: str
    check: Check
    required: bool = False


class Unfit(Exception):
    """A value that a field cannot have; the text says why."""


class Reading:
    """One reading of one file: iterate over it for rows and problems, in order. Raises FileFault.

    `ignored` counts the fields that the layout does not know, once everything is read.
    """

    def __init__(self, path: Path, layout: str) -> None:
        if layout not in LAYOUTS:
            raise WrongLayout(f"There is no layout {layout!r}: choose one of {', '.join(LAYOUTS)}.", field="layout")
        self._path = path
        self._layout = layout
        self.ignored: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Row | Problem]:
        fields, fitting, missing = LAYOUTS[self._layout], False, Counter[str]()
        for found in jsonrows.read(self._path):
            if isinstance(found, Problem):
                yield found
                continue
            line, values = found
            absent = [name for name, field in fields.items() if field.required and name not in values]
            missing.update(absent)
            fitting = fitting or not absent
            self._refuse_other_layout(values)
            self.ignored.update(values.keys() - fields.keys())
            yield _missing(line, absent) if absent else _row(line, values, fields)
        if not fitting and missing:
            raise WrongLayout(f"No row has all that the layout {self._layout} needs. Missing: {', '.join(missing)}.")

    def _refuse_other_layout(self, values: dict[str, Any]) -> None:
        # Read as generic rows, HARDBench's edited questions would become originals with the answer "unanswerable".
        if self._layout == "generic" and "is_unanswerable" in values:
            raise WrongLayout("The rows have is_unanswerable: import them with the layout hardbench.", field="layout")


def _missing(line: int, absent: list[str]) -> Problem:
    return problem(line, f"The row has no {' and no '.join(absent)}.", absent[0])


def _row(line: int, values: dict[str, Any], fields: dict[str, Field]) -> Row | Problem:
    read: dict[str, Any] = {}
    for name, field in fields.items():
        if name in values:
            try:
                read[field.into] = field.check(values[name])
            except Unfit as unfit:
                return problem(line, str(unfit), name, values[name])
    row = Row(line, **read)
    if row.unanswerable:
        # Rotus' own evaluation falls back to the answer where a row has no reason.
        return replace(row, answers=(), reason=row.reason or " ".join(row.answers))
    return row if row.answers else problem(line, "The row has no answer.", "answer")


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


def maybe(check: Check, otherwise: Any) -> Check:
    """The check, where null and empty text mean that nothing is known."""
    return lambda value: otherwise if value is None or value == "" else check(value)


def one_answer(value: Any) -> tuple[str, ...]:
    """An answer: text or a number. Zero is an answer."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Unfit("An answer is text or a number.")
    return (text(MOST_TEXT)(str(value)),)


def many_answers(value: Any) -> tuple[str, ...]:
    """A list of answers, any of them right."""
    if not isinstance(value, list) or not value:
        raise Unfit("Answers are a list with at least one entry.")
    return tuple(one_answer(entry)[0] for entry in value)


def option_list(value: Any) -> tuple[str, ...]:
    """The options of a choice, in order; at most one per letter."""
    if not isinstance(value, list) or len(value) > MOST_OPTIONS:
        raise Unfit(f"Options are a list of at most {MOST_OPTIONS} texts.")
    options = tuple(text(MOST_TEXT)(entry) for entry in value)
    if len(set(options)) < len(options):
        raise Unfit("Two options are the same.")
    return options


def image_path(value: Any) -> str:
    """A path below the image folder, in the source's own spelling without a leading "./"."""
    path = text(400)(value).removeprefix("./")
    parts = path.split("/")
    if path.startswith(("/", "~")) or "\\" in path or DRIVE.match(path) or any(part in {"", ".", ".."} for part in parts):
        raise Unfit("An image is a relative path below the image folder, such as photos/a.jpg.")
    return path


def corner_box(value: Any) -> Box:
    """[x1, y1, x2, y2] with x1 < x2 and y1 < y2, none negative."""
    numbers = value if isinstance(value, list) and len(value) == 4 else []
    if not numbers or any(isinstance(n, bool) or not isinstance(n, int | float) or not math.isfinite(n) for n in numbers):
        raise Unfit("A box is four numbers: [x1, y1, x2, y2].")
    x1, y1, x2, y2 = (float(n) for n in numbers)
    if not (0 <= x1 < x2 and 0 <= y1 < y2):
        raise Unfit("A box runs from its upper left to its lower right corner: x1 < x2 and y1 < y2.")
    return x1, y1, x2, y2


def row_id(value: Any) -> str:
    """The row's own id in its source: text or a whole number."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return text(MOST_WORD)(str(value) if whole else value)


def boolean(value: Any) -> bool:
    """true or false, not 0, 1 or "false"."""
    if not isinstance(value, bool):
        raise Unfit("This must be true or false.")
    return value


CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
DRIVE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")

SHARED = {
    "image": Field("image", image_path, required=True),
    "question": Field("question", text(MOST_TEXT), required=True),
    "id": Field("key", maybe(row_id, "")),
    "options": Field("options", maybe(option_list, ())),
    "box": Field("box", maybe(corner_box, None)),
    "family": Field("family", maybe(text(40), "")),
}
LAYOUTS: dict[str, dict[str, Field]] = {
    "generic": {
        **SHARED,
        "answer": Field("answers", one_answer),
        "answers": Field("answers", many_answers),
        "data_source": Field("data_source", maybe(text(40), "")),
    },
    "hardbench": {
        **SHARED,
        "answer": Field("answers", one_answer, required=True),
        "data_source": Field("data_source", text(40), required=True),
        "is_unanswerable": Field("unanswerable", boolean, required=True),
        "reason": Field("reason", maybe(text(MOST_TEXT), "")),
    },
}
