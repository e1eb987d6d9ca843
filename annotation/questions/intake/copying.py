"""Rows as the lines that Postgres copies into a table (COPY, text format). Pure.

Lines are put together by hand because an import spends most of its time here: see docs/decisions.
"""

import json
import re
from collections.abc import Iterable, Sequence

from annotation.sources.faults import Problem, problem
from annotation.sources.rows import Row

ESCAPED = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
# Inside an array's quotes a backslash and a quote are escaped once for the array and then for the line.
IN_ARRAY = str.maketrans({"\\": "\\\\\\\\", '"': '\\\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
NUL_IN_JSON = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
LONGEST_KEY, LONGEST_FAMILY = 120, 40
ROW_COLUMNS = (
    *("batch_id", "acquisition_id", "question_key", "line", "text_hash", "source_row", "text", "options"),
    *("prompt_setting", "family", "answers", "box", "reach", "unanswerable", "reason", "extra"),
)
PROBLEM_COLUMNS = ("batch_id", "line", "field", "value", "reason")


class Unstorable(ValueError):
    """A row with a value that no column takes; the text says why."""

    def __init__(self, reason: str, field: str = "", value: object = "") -> None:
        super().__init__(reason)
        self.field = field
        self.value = value


def row_line(row: Row, text_hash: str) -> str:
    """The columns of a row after those of its batch, picture and key. Raises Unstorable."""
    if len(row.key) > LONGEST_KEY:
        raise Unstorable(f"This has more than {LONGEST_KEY} characters.", "id", row.key)
    if len(row.family) > LONGEST_FAMILY:
        raise Unstorable(f"This has more than {LONGEST_FAMILY} characters.", "family", row.family)
    far = reach(row)
    box = numbers(row.boxes[0]) if len(row.boxes) == 1 else "\\N"
    line = "\t".join(
        (
            str(row.line),
            text_hash,
            row.key.translate(ESCAPED),
            row.question.translate(ESCAPED),
            texts(row.options),
            row.setting,
            row.family.translate(ESCAPED),
            texts(row.answers),
            box,
            "\\N" if far is None else numbers(far),
            "t" if row.unanswerable else "f",
            row.reason.translate(ESCAPED),
            _extra(row),
        )
    )
    if not line.isascii():
        _check_text(line)
    return _without_nul(line)


def problem_line(batch: int, found: Problem) -> str:
    """A problem as a line of its table."""
    texts_ = (one.translate(ESCAPED) for one in (found.field, found.value, found.reason))
    return "\t".join((str(batch), str(found.line), *texts_))


def texts(values: Iterable[str]) -> str:
    """An array of texts."""
    return "{" + ",".join([f'"{value.translate(IN_ARRAY)}"' for value in values]) + "}"


def numbers(values: Sequence[float]) -> str:
    """An array of numbers."""
    return "{" + ",".join(map(repr, values)) + "}"


def reach(row: Row) -> Sequence[float] | None:
    """The largest x1, y1, x2, y2; a point may lie on the far edge, where no box may begin. None without any."""
    if not row.points and len(row.boxes) < 2:
        return row.boxes[0] if row.boxes else None
    starts, ends = list(row.boxes), [*((box[2], box[3]) for box in row.boxes), *row.points]
    begin = (max(box[0] for box in starts), max(box[1] for box in starts)) if starts else (0.0, 0.0)
    return (*begin, max(x for x, _ in ends), max(y for _, y in ends))


def nameless(line: int, name: str) -> Problem:
    """A picture whose name no column takes."""
    return problem(line, "The name of the picture is too long to be kept.", "image", name)


def _extra(row: Row) -> str:
    """What has no column: raw values that the layout kept, the tag that the source gives its rows, several boxes, points."""
    several = len(row.boxes) > 1
    if not (row.extra or row.data_source or row.template or several or row.points):
        return "{}"
    more = {
        "data_source": row.data_source,
        "template": row.template,
        "boxes": row.boxes if several else (),
        "points": row.points,
    }
    kept = {**row.extra, **{name: value for name, value in more.items() if value}}
    try:
        text = json.dumps(kept, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise Unstorable("A value that would be kept is no JSON.") from error
    if "\\u0000" in text and NUL_IN_JSON.search(text):
        raise Unstorable("The text holds a NUL character.")
    return text.translate(ESCAPED)


def _check_text(line: str) -> None:
    try:
        line.encode()
    except UnicodeEncodeError as error:
        raise Unstorable("The text holds half a character (a lone surrogate).") from error


def _without_nul(line: str) -> str:
    if "\x00" in line:
        raise Unstorable("The text holds a NUL character.")
    return line
