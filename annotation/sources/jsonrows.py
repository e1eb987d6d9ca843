"""Objects out of JSON lines or one JSON list, one by one, with the line each began on. Pure.

Both are read in constant memory. A row of a list is found by decoding, so a list that is broken in one place cannot be
read on: that is a fault of the file, where a broken line is a problem of that line.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from annotation.sources.faults import EmptyFile, NotJson, Problem, Truncated, problem
from annotation.sources.rows import Record
from annotation.sources.strictness import NO_OBJECT, TOO_DEEP, Strict
from annotation.sources.texts import MOST_LINE, Text, line_blocks

BLANKS = " \t"
MARK = "\ufeff"
TOO_LONG = f"The row is longer than {MOST_LINE >> 10} KiB."
PATIENCE = 1000  # broken lines without a sound one, after which a file is given up
# What may be left of a number, a word, or an escape where a file was cut.
STUB = re.compile(r"|-|\.|[eE][+-]?|tr?u?|fa?l?s?|nu?l?|Na?|-?In?f?i?n?i?t?")
ESCAPE_STUB = re.compile(r"\\?u?[\da-fA-F]{0,4}")


def read_lines(text: Text, after: int = 0) -> Iterator[Record | Problem]:
    """One object per line; the first `after` lines are skipped unread. Raises NotJson, Truncated, Unreadable."""
    strict, hope = Strict(), _Hope(sure=after > 0)
    for first, lines, ended in line_blocks(text.blocks(), after):
        for number, line in enumerate(lines, first):
            if not (row := line.strip(BLANKS)):
                continue
            try:
                found = _line(strict, row, number)
            except _Broken as broken:
                if not ended and (hope.sure or broken.cut):
                    raise Truncated(f"The file ends in the middle of line {number}: fetch it again.") from broken
                hope.fade(broken.problem)
                yield broken.problem
            else:
                hope.sure = hope.sure or isinstance(found, Record) or found.reason != NO_OBJECT
                yield found
    hope.end()


class _Hope:
    """Whether a file has lines of JSON objects at all; if not, its first line tells why. Raises NotJson."""

    def __init__(self, *, sure: bool) -> None:
        self.sure = sure
        self._broken = 0
        self._first = ""

    def fade(self, found: Problem) -> None:
        self._first = self._first or f" Line {found.line}: {found.reason}"
        self._broken += 1
        if self._broken >= PATIENCE:
            self.end()

    def end(self) -> None:
        if not self.sure:
            raise NotJson(f"No line is a JSON object: write one object per line, or one JSON list of objects.{self._first}")


class _Broken(Exception):
    """A line that is no JSON; `cut` tells that it is the beginning of some."""

    def __init__(self, found: Problem, *, cut: bool = False) -> None:
        super().__init__(found.reason)
        self.problem = found
        self.cut = cut


def _line(strict: Strict, row: str, line: int) -> Record | Problem:
    """One line. Raises _Broken."""
    if len(row) > MOST_LINE:
        raise _Broken(problem(line, TOO_LONG))
    row = row.removeprefix(MARK)  # files put end to end keep their marks
    try:
        value, end = strict.value(row)
        if end < len(row):
            raise json.JSONDecodeError("Extra data", row, end)
    except RecursionError:
        return problem(line, TOO_DEEP)
    except json.JSONDecodeError as error:
        raise _Broken(problem(line, f"The line is no JSON: {error}.", value=row[:80]), cut=_is_cut(row, error)) from error
    return strict.judged(value, row, line)


def read_list(text: Text, after: int = 0) -> Iterator[Record | Problem]:
    """The objects of one JSON list; those that begin on the first `after` lines are passed over.

    Raises NotJson, Truncated, EmptyFile, Unreadable.
    """
    window, strict = _Window(text), Strict()
    window.expect("[")
    if window.peek() == "]":
        raise EmptyFile("The list is empty.")
    while True:
        window.peek()
        line = window.line
        found, end = _element(window, strict, line)
        if line > after:
            yield found
        window.to(end)
        if window.peek() == "]":
            break
        window.expect(",")
    window.expect("]")
    if window.peek():
        raise NotJson(f"Something follows the end of the list (line {window.line}).")


class _Window:
    """The part of a text that is looked at, and a position in it that knows its line."""

    def __init__(self, text: Text) -> None:
        self._blocks = text.blocks()
        self.text = ""
        self.at = 0
        self.line = 1

    def more(self) -> bool:
        """Whether there was more text; it is here now, and what lies behind the position is gone."""
        for block in self._blocks:
            if block:
                self.text, self.at = self.text[self.at :] + block, 0
                return True
        return False

    def to(self, at: int) -> None:
        self.line += self.text.count("\n", self.at, at)
        self.at = at

    def peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        while True:
            at, text = self.at, self.text
            while at < len(text) and text[at] in " \t\n":
                at += 1
            self.to(at)
            if at < len(text) or not self.more():
                return self.text[self.at : self.at + 1]

    def expect(self, character: str) -> None:
        found = self.peek()
        if not found:
            raise Truncated(f"The list is not closed: the file ends at line {self.line}. Fetch it again.")
        if found != character:
            raise NotJson(f"Line {self.line}: {character!r} was expected, {found!r} stands there.")
        self.at += 1


def _element(window: _Window, strict: Strict, line: int) -> tuple[Record | Problem, int]:
    """The element at the window's position, and where it ends. Raises Truncated, NotJson."""
    while True:
        try:
            value, end = strict.value(window.text, window.at)
        except RecursionError as error:
            raise NotJson(f"The row of line {line} is nested deeper than it may be.") from error
        except json.JSONDecodeError as error:
            if not _may_grow(window, line) or not window.more():
                raise _fault(window, error, line) from error
            continue
        if end < len(window.text) or not window.more():
            return _within_bounds(strict, value, window.text[window.at : end], line), end


def _may_grow(window: _Window, line: int) -> bool:
    if len(window.text) - window.at > 2 * MOST_LINE:
        raise NotJson(f"Line {line}: {TOO_LONG}")
    return True


def _within_bounds(strict: Strict, value: Any, source: str, line: int) -> Record | Problem:
    return problem(line, TOO_LONG) if len(source) > MOST_LINE else strict.judged(value, source, line)


def _fault(window: _Window, error: json.JSONDecodeError, line: int) -> Truncated | NotJson:
    if _is_cut(window.text, error):
        return Truncated(f"The file ends in the middle of the row of line {line}: fetch it again.")
    broken = window.line + window.text.count("\n", window.at, error.pos)
    return NotJson(f"Line {broken} is no JSON: {error.msg}.")


def _is_cut(text: str, error: json.JSONDecodeError) -> bool:
    """Whether decoding failed because the text ends too early."""
    stub = ESCAPE_STUB if error.msg.startswith("Invalid \\") else STUB
    return error.msg.startswith("Unterminated") or stub.fullmatch(text[error.pos :].strip()) is not None
