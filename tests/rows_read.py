"""What layouts make of the made-up files in tests/data/sources, and of single records."""

from pathlib import Path
from typing import Any

from annotation.sources.faults import Problem
from annotation.sources.layouts import LAYOUTS, Options, reading
from annotation.sources.layouts.shape import Found
from annotation.sources.rows import LeftOut, Record, Row

EXAMPLES = Path(__file__).parent / "data" / "sources"


def read(name: str, layout: str, options: Options | None = None) -> list[Found]:
    """Everything that comes out of an example file."""
    return list(reading(EXAMPLES / name, layout, options))


def parted(found: list[Found]) -> tuple[list[Row], list[Problem], list[LeftOut]]:
    """Rows, problems, and rows left out."""
    rows = [one for one in found if isinstance(one, Row)]
    problems = [one for one in found if isinstance(one, Problem)]
    return rows, problems, [one for one in found if isinstance(one, LeftOut)]


def one_row(layout: str, fields: dict[str, Any], options: Options | None = None) -> Row:
    """The one row of a record."""
    (found,) = LAYOUTS[layout].row(Record(7, fields), options or Options())
    assert isinstance(found, Row), found
    assert found.line == 7
    return found


def one_problem(layout: str, fields: dict[str, Any], options: Options | None = None) -> Problem:
    """The one problem of a record; its reason is a sentence."""
    (found,) = LAYOUTS[layout].row(Record(7, fields), options or Options())
    assert isinstance(found, Problem), found
    assert found.line == 7
    assert found.reason.endswith(".")
    return found
