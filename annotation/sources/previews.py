"""What a reading would bring, before anything is written. Pure: a path in, counts, rows and problems out."""

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from annotation.sources.faults import Problem
from annotation.sources.layouts import LAYOUTS, Options, reading
from annotation.sources.records import Description, described
from annotation.sources.rows import LeftOut, Row

MOST_PROBLEMS = 200


@dataclass(slots=True)
class Preview:
    """Counts of what was looked at, the first rows as they would be read, and the first problems.

    `accepted` is what the file alone can tell: boxes are judged when the pictures are here.
    """

    layout: str
    description: Description | None = None
    read: int = 0
    accepted: int = 0
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
            "rejected": self.rejected,
            "left_out": self.left_out.total(),
            "left_out_reasons": dict(self.left_out),
            "ignored_fields": dict(self.ignored),
            "problems": [{"line": p.line, "field": p.field, "value": p.value, "reason": p.reason} for p in self.problems],
            "rows": [row_json(row) for row in self.rows],
        }


def preview(path: Path, layout: str, options: Options, *, rows: int, most: int | None = None) -> Preview:
    """Read a file, or its first `most` findings, and keep the first `rows` rows. Raises FileFault."""
    found = Preview(layout)
    if LAYOUTS[layout].opening is None:
        found.description = described(path, form=options.form, encoding=options.encoding)
        options = replace(options, encoding=found.description.encoding or None)
    file = reading(path, layout, options)
    for one in islice(file, most):
        found.read += 1
        if isinstance(one, Row):
            found.accepted += 1
            if len(found.rows) < rows:
                found.rows.append(one)
        elif isinstance(one, LeftOut):
            found.left_out[one.reason] += 1
        else:
            found.rejected += 1
            if len(found.problems) < MOST_PROBLEMS:
                found.problems.append(one)
    found.ignored = file.ignored
    return found


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
