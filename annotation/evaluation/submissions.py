"""Read a model's predictions: JSONL, one object a line. Values in, values out.

    {"row_id": "…", "prediction": "a red kite", "refused": false, "confidence": 0.8}

`refused` (whether the model declares that it does not answer) and `confidence` (0 to 1) may be left out or null. A row
without a line is a missing prediction, and missing is wrong; that is the scorer's business. Here everything that is
wrong with the file itself is found, each problem with its line, so that one upload tells all.
"""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.errors import Invalid

FIELDS = frozenset({"row_id", "prediction", "refused", "confidence"})
LINES_AT_MOST = 1_000_000
TEXT_AT_MOST = 20_000
PROBLEMS_TOLD = 100


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model said about one row. A blank text is an answer that was not given."""

    row_id: str
    text: str
    refused: bool | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong in one line (from 1); line 0 means the whole file."""

    line: int
    reason: str


class PredictionsInvalid(Invalid):
    """The file cannot be scored; `problems` says why, line by line."""

    code = "predictions-invalid"

    def __init__(self, problems: list[Problem]) -> None:
        first = problems[0]
        place = f"Line {first.line}: " if first.line else ""
        more = f" There are {len(problems) - 1} further problems." if len(problems) > 1 else ""
        super().__init__(f"{place}{first.reason}{more}", field="predictions")
        self.problems = problems


class _BadLine(ValueError):
    """One line's problem, on its way to the list."""


def read_predictions(content: bytes, row_ids: Collection[str]) -> dict[str, Prediction]:
    """The predictions by row id. Raises PredictionsInvalid with every problem (the first PROBLEMS_TOLD): unreadable
    lines, wrong or unknown fields, rows the release does not have, rows that stand twice, or no prediction at all."""
    known, found, problems = frozenset(row_ids), dict[str, tuple[int, Prediction]](), list[Problem]()
    for number, line in _lines(content):
        try:
            prediction = _read(line)
            if prediction.row_id not in known:
                raise _BadLine(f"The release has no row {prediction.row_id!r}.")
            if prediction.row_id in found:
                raise _BadLine(f"Row {prediction.row_id!r} stands in line {found[prediction.row_id][0]} already.")
            found[prediction.row_id] = (number, prediction)
        except _BadLine as fault:
            problems.append(Problem(number, str(fault)))
            if len(problems) == PROBLEMS_TOLD:
                break
    if not found and not problems:
        problems.append(Problem(0, "The file holds no prediction."))
    if problems:
        raise PredictionsInvalid(problems)
    return {row_id: prediction for row_id, (_, prediction) in found.items()}


def _lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Lines that are not blank, with their numbers. A byte order mark at the start is dropped."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if len(lines) > LINES_AT_MOST:
        raise PredictionsInvalid([Problem(0, f"The file has more than {LINES_AT_MOST} lines.")])
    return ((number, line) for number, line in enumerate(lines, start=1) if line.strip())


def _read(line: bytes) -> Prediction:
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as fault:
        raise _BadLine("This is not JSON in UTF-8.") from fault
    if not isinstance(value, dict):
        raise _BadLine("Here an object is needed.")
    strange = sorted(set(value) - FIELDS)
    if strange:
        raise _BadLine(f"The field {strange[0]!r} is unknown; there are {', '.join(sorted(FIELDS))}.")
    return Prediction(
        row_id=_text(value, "row_id"),
        text=_text(value, "prediction"),
        refused=_refused(value.get("refused")),
        confidence=_confidence(value.get("confidence")),
    )


def _text(value: dict[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str):
        raise _BadLine(f"{name} must be text.")
    if len(text) > TEXT_AT_MOST:
        raise _BadLine(f"{name} is longer than {TEXT_AT_MOST} characters.")
    return text


def _refused(value: object) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise _BadLine("refused must be true, false or null.")
    return value


def _confidence(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _BadLine("confidence must be a number from 0 to 1, or null.")
    return float(value)
