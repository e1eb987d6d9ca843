"""Records of a file of JSON lines or of one JSON list. Pure."""

from collections.abc import Iterator
from pathlib import Path

from annotation.sources import jsonrows
from annotation.sources.faults import Problem
from annotation.sources.rows import Record


def records(path: Path, *, form: str | None = None, encoding: str | None = None, after: int = 0) -> Iterator[Record | Problem]:
    """The records of a file in order, those after a line. Raises FileFault."""
    for found in jsonrows.read(path):
        if isinstance(found, Problem):
            if found.line > after:
                yield found
        elif found[0] > after:
            yield Record(*found)
