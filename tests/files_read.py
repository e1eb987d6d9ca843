"""What tests of readers share: a file with some bytes, and what is read from it."""

import json
from pathlib import Path
from typing import Any

from annotation.sources.faults import Problem
from annotation.sources.records import records
from annotation.sources.rows import Record

GOOD = {"image": "a.jpg", "question": "What is red?", "answer": "the kettle"}


def lines(*rows: dict[str, Any] | str) -> bytes:
    """JSON lines of rows; text stands as it is."""
    return b"".join((row if isinstance(row, str) else json.dumps(row)).encode() + b"\n" for row in rows)


def read(folder: Path, content: bytes, **how: Any) -> list[Record | Problem]:
    """What a file of these bytes holds; its name tells nothing."""
    path = folder / "rows"
    path.write_bytes(content)
    return list(records(path, **how))


def fields(found: list[Record | Problem]) -> list[dict[str, Any]]:
    """The fields of records, all of which must be sound."""
    assert [one for one in found if isinstance(one, Problem)] == []
    return [one.fields for one in found if isinstance(one, Record)]


def places(found: list[Record | Problem]) -> list[int]:
    return [one.line for one in found]
