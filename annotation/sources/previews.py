"""What a reading would bring, before anything is written. Pure: a path in, counts, rows and problems out."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

from annotation.sources.faults import Problem
from annotation.sources.layouts import LAYOUTS, Options, reading
from annotation.sources.layouts.shape import Found
from annotation.sources.records import Description, described
from annotation.sources.rows import LeftOut, Row

MOST_PROBLEMS = 200
JUDGED_AT_ONCE = 2000  # rows
KNOWN = True
Verdict = Problem | bool | None
Judge = Callable[[Sequence[Row]], list[Verdict]]


@dataclass(slots=True)
class Preview:
    """Counts of what was looked at, the first rows as they would be read, and the first problems.

    `known` rows are here already, as far as whoever judges the rows can tell; `accepted` would come in, or wait for their
    pictures. Boxes are judged where the pictures are here.
    """

    layout: str
    description: Description | None = None
    read: int = 0
    accepted: int = 0
    known: int = 0
    rejected: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    ignored: Counter[str] = field(default_factory=Counter)
    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """For scripts; `problems` has the first of them, `rejected` counts all."""
        return {
            "layout": self.layout,
            "encoding": self.description.encoding if self.description else "",
            "form": self.description.form if self.description else "",
            "read": self.read,
            "accepted": self.accepted,
            "known": self.known,
            "rejected": self.rejected,
            "left_out": self.left_out.total(),
            "left_out_reasons": dict(self.left_out),
            "ignored_fields": dict(self.ignored),
            "problems": [{"line": p.line, "field": p.field, "value": p.value, "reason": p.reason} for p in self.problems],
            "rows": [row_json(row) for row in self.rows],
        }

    def take(self, rows: Sequence[Row], verdicts: Sequence[Verdict], most: int) -> None:
        """Count rows by what would become of them; keep the first `most` that would not be rejected."""
        for row, verdict in zip(rows, verdicts, strict=True):
            if isinstance(verdict, Problem):
                self.reject(verdict)
                continue
            self.known += verdict is KNOWN
            self.accepted += verdict is not KNOWN
            if len(self.rows) < most:
                self.rows.append(row)

    def reject(self, problem: Problem) -> None:
        self.rejected += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)


def preview(
    path: Path, layout: str, options: Options, *, rows: int, most: int | None = None, judge: Judge | None = None
) -> Preview:
    """Read a file, or its first `most` findings, and keep the first `rows` rows. `judge` says of rows, some at a time,
    what is known about them elsewhere. Raises FileFault."""
    found = Preview(layout)
    if LAYOUTS[layout].opening is None:
        found.description = described(path, form=options.form, encoding=options.encoding)
        options = replace(options, encoding=found.description.encoding or None)
    file = reading(path, layout, options)
    for some in batched(islice(file, most)):
        sound = [one for one in some if isinstance(one, Row)]
        found.read += len(some)
        found.left_out.update(one.reason for one in some if isinstance(one, LeftOut))
        for one in some:
            if isinstance(one, Problem):
                found.reject(one)
        found.take(sound, judge(sound) if judge and sound else [None] * len(sound), rows)
    found.problems.sort(key=attrgetter("line"))
    found.ignored = file.ignored
    return found


def batched(items: Iterator[Found]) -> Iterator[list[Found]]:
    """Some at a time."""
    while some := list(islice(items, JUDGED_AT_ONCE)):
        yield some


def row_json(row: Row) -> dict[str, Any]:
    """A row as it was understood; without the bytes of a picture that the file carries."""
    promised = {"image_sha256": row.image.sha256, "image_size": row.image.size}
    return {
        "line": row.line,
        "id": row.key,
        "image": row.image.name,
        **{name: value for name, value in promised.items() if value},
        "question": row.question,
        "answers": list(row.answers),
        "options": list(row.options),
        "setting": row.setting,
        "boxes": [list(box) for box in row.boxes],
        "points": [list(point) for point in row.points],
        "family": row.family,
        "data_source": row.data_source,
        "template": row.template,
        "unanswerable": row.unanswerable,
        "reason": row.reason,
        "extra": row.extra,
    }
