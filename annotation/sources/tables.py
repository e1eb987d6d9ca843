"""Rows out of delimited text: commas, semicolons, tabs or bars; cells in quotes may hold delimiters and line breaks. Pure.

Every cell is text; what it means is the layout's to say. A cell in quotes that does not end where it should puts all that
follows in doubt, so it is a fault of the file; a row with too many or too few cells is a problem of that row.
"""

import csv
import io
import re
from collections.abc import Iterator

from annotation.sources.faults import EmptyFile, NotRows, Problem, Truncated, WrongLayout, problem
from annotation.sources.rows import Record
from annotation.sources.texts import MOST_LINE, Text, opened, whole

DELIMITERS = ",\t;|"
SAMPLE_ROWS = 50
SAMPLE = 1 << 16  # characters
NUMBER = re.compile(r"\s*[-+]?[\d.,]+\s*")


def read_table(text: Text, delimiter: str, after: int = 0) -> Iterator[Record | Problem]:
    """The rows below the header; `line` is the line of the file on which a row begins, and rows that begin on the first
    `after` lines are passed over. Raises EmptyFile, NotRows, Truncated, WrongLayout, Unreadable."""
    lines = _Lines(text)
    rows = _rows(lines, delimiter)
    _, header = next(rows, (0, []))
    names = column_names(header)
    seen = sound = after > 0
    for line, cells in rows:
        seen = True
        if line <= after:
            continue
        found = _row(names, cells, line, lines)
        sound = sound or isinstance(found, Record)
        yield found
    if not seen:
        raise EmptyFile("The table has a header, but no row.")
    if not sound:
        raise WrongLayout("No row has as many cells as the header.")


def _rows(lines: "_Lines", delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the line on which it begins."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        lines.flaw = ""
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise _fault(error, line, lines) from error
        if cells is None:
            return
        if cells:
            yield line, cells


def _fault(error: csv.Error, line: int, lines: "_Lines") -> NotRows | Truncated:
    if lines.over:
        return Truncated(f"The file ends inside a cell in quotes, in the row of line {line}: fetch it again.")
    return NotRows(f"The row of line {line} cannot be taken apart ({error}): are its quotation marks doubled and closed?")


def _row(names: list[str], cells: list[str], line: int, lines: "_Lines") -> Record | Problem:
    if len(cells) < len(names) and not lines.ended:
        raise Truncated(f"The file ends in the middle of line {line}: fetch it again.")
    if lines.flaw:
        return problem(line, lines.flaw)
    if len(cells) != len(names):
        return problem(line, f"The row has {len(cells)} cells, the header has {len(names)}.", value=cells[-1])
    return Record(line, dict(zip(names, cells, strict=True)))


class _Lines:
    """The lines of a text with their own ends, none too long; remembers what is wrong with the lines of one row."""

    def __init__(self, text: Text) -> None:
        stream = opened(text.path)
        stream.seek(text.mark)
        self._stream = io.TextIOWrapper(stream, text.encoding, text.errors, newline="")
        self.flaw = ""
        self.ended = True
        self.over = False

    def __iter__(self) -> Iterator[str]:
        number = 0
        with self._stream:
            while line := self._next():
                number += 1
                if len(line) > MOST_LINE:
                    raise NotRows(f"Line {number} is longer than {MOST_LINE >> 10} KiB.")
                if "\x00" in line:
                    self.flaw = "The row holds a NUL character."
                elif not whole(line):
                    self.flaw = "The row holds bytes that do not decode."
                self.ended = line.endswith(("\n", "\r"))
                yield line
        self.over = True

    def _next(self) -> str:
        try:
            return self._stream.readline(MOST_LINE + 1)
        except UnicodeDecodeError as error:
            raise Truncated("The file ends in the middle of a character: fetch it again.") from error


def column_names(header: list[str]) -> list[str]:
    """The names in a header; a column without one is named after its place. Raises EmptyFile, WrongLayout."""
    if not header:
        raise EmptyFile("The table is empty.")
    names = [name.strip() or f"column_{place}" for place, name in enumerate(header, 1)]
    if all(NUMBER.fullmatch(name) for name in names):
        raise WrongLayout("The first row holds numbers: a table needs a first row with the names of its columns.")
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise WrongLayout(f"Two columns have the name {twice[0]!r}: give each its own.")
    if any("\x00" in name or not whole(name) for name in names):
        raise WrongLayout("The name of a column cannot be stored: it holds NUL, or bytes that do not decode.")
    return names


def delimiter_of(text: Text) -> str:
    """What parts the cells: the delimiter that gives most of the first rows as many cells as the header, and at least two.

    Empty where there is none.
    """
    lines = _start(text)
    shapes = {delimiter: _widths(lines, delimiter) for delimiter in DELIMITERS}
    fitting = {
        delimiter: (sum(width == widths[0] for width in widths) / len(widths), widths[0])
        for delimiter, widths in shapes.items()
        if widths and widths[0] > 1
    }
    return max(fitting, key=lambda delimiter: fitting[delimiter], default="")


def _start(text: Text) -> list[str]:
    """The first lines, whole ones where there is more than one."""
    start = ""
    for block in text.blocks():
        start += block
        if len(start) >= SAMPLE:
            return list(io.StringIO(start[:SAMPLE]))[:-1] or [start[:SAMPLE]]
    return list(io.StringIO(start))


def _widths(lines: list[str], delimiter: str) -> list[int]:
    widths: list[int] = []
    try:
        for cells in csv.reader(lines, delimiter=delimiter, strict=True):
            if cells:
                widths.append(len(cells))
            if len(widths) == SAMPLE_ROWS:
                break
    except csv.Error:
        pass  # what was read until here tells enough; the reading itself names the place
    return widths
