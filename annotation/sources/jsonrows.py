"""Objects out of a JSON list or JSON lines, one by one, with the line each began on. Pure.

Strict where two readers could understand two things: duplicate keys, NaN and infinities, numbers beyond 64 bits, NUL
and lone surrogates, a byte order mark and deep nesting reject the row. Raw values are kept as they stand.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from annotation.sources.faults import EmptyFile, NotJson, Problem, Truncated, Unreadable, problem, shown

MOST_ROW = 1 << 20  # bytes of one line
MOST_LIST = 256 << 20  # bytes of a file that is one JSON list; JSON lines may be any size
MOST_DEPTH = 16
BLANKS = b" \t\r\n"
BOM = b"\xef\xbb\xbf"

Found = tuple[int, dict[str, Any]]


def read(path: Path) -> Iterator[Found | Problem]:
    """The objects of a file in order. Raises Unreadable, EmptyFile, NotJson, Truncated."""
    try:
        stream = path.open("rb")
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}.") from error
    with stream:
        first = _first_byte(stream)
        if not first:
            raise EmptyFile(f"{path.name} is empty.")
        yield from _list(stream) if first == b"[" else _lines(stream)


def _first_byte(stream: BinaryIO) -> bytes:
    start = stream.read(1024)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NotJson("The file is UTF-16: save it as UTF-8 without a byte order mark.")
    start = start.removeprefix(BOM)  # only to see whether a list follows; the row that carries it is rejected
    while start and not start.strip(BLANKS):
        start = stream.read(1024)
    stream.seek(0)
    return start.strip(BLANKS)[:1]


def _lines(stream: BinaryIO) -> Iterator[Found | Problem]:
    decoder, number, sound, first = _Strict(), 0, False, ""
    while raw := stream.readline(MOST_ROW + 1):
        number += 1
        if not raw.strip(BLANKS):
            continue
        try:
            found = decoder.row(_text(stream, raw, number), number)
        except _Broken as broken:
            if sound and len(raw) <= MOST_ROW and not raw.endswith(b"\n"):
                raise Truncated(f"The file ends in the middle of line {number}: fetch it again.") from broken
            first = first or f" Line {number}: {broken.problem.reason}"
            yield broken.problem
        else:
            sound = True
            yield found
    if not sound:
        raise NotJson(f"No line is a JSON object: write one object per line, or one JSON list of objects.{first}")


def _text(stream: BinaryIO, raw: bytes, number: int) -> str:
    """One line as text. Raises _Broken; a line that is too long is read to its end."""
    if len(raw) > MOST_ROW:
        while raw and not raw.endswith(b"\n"):
            raw = stream.readline(MOST_ROW)
        raise _Broken(problem(number, f"The row is longer than {MOST_ROW >> 10} KiB."))
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise _Broken(problem(number, f"The line is not UTF-8 (byte {error.start + 1}).")) from error


def _list(stream: BinaryIO) -> Iterator[Found | Problem]:
    raw = stream.read(MOST_LIST + 1)
    if len(raw) > MOST_LIST:
        raise NotJson(f"A JSON list may have {MOST_LIST >> 20} MiB: write one object per line instead.")
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise NotJson(f"The file is not UTF-8 (line {line}).") from error
    place = _Place(text)
    if text.startswith("\ufeff"):
        place.to(1)
        yield problem(1, "The file starts with a byte order mark: save it as UTF-8 without one.")
    place.expect("[")
    if place.peek() == "]":
        raise EmptyFile("The list is empty.")
    yield from _elements(place)


def _elements(place: "_Place") -> Iterator[Found | Problem]:
    decoder = _Strict()
    while True:
        place.peek()
        line = place.line
        found, end = decoder.element(place, line)
        yield found
        place.to(end)
        if place.peek() == "]":
            break
        place.expect(",")
    place.expect("]")
    if place.peek():
        raise NotJson(f"Something follows the end of the list (line {place.line}).")


class _Broken(Exception):
    """A line that is no JSON."""

    def __init__(self, found: Problem) -> None:
        super().__init__(found.reason)
        self.problem = found


class _Place:
    """A position in a text that knows its line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1

    def to(self, at: int) -> None:
        self.line += self.text.count("\n", self.at, at)
        self.at = at

    def peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        at = self.at
        while at < len(self.text) and self.text[at] in " \t\r\n":
            at += 1
        self.to(at)
        return self.text[at : at + 1]

    def expect(self, character: str) -> None:
        found = self.peek()
        if not found:
            raise Truncated(f"The list is not closed: the file ends at line {self.line}. Fetch it again.")
        if found != character:
            raise NotJson(f"Line {self.line}: {character!r} was expected, {found!r} stands there.")
        self.to(self.at + 1)


class _Strict:
    """JSON decoding that notes what standard decoding lets pass. Notes, so that the reader finds the row's end."""

    def __init__(self) -> None:
        self._flaws: list[tuple[str, object]] = []
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=self._constant, parse_float=self._float, parse_int=self._integer
        )

    def row(self, text: str, line: int) -> Found | Problem:
        """One line. Raises _Broken."""
        self._flaws.clear()
        if text.startswith("\ufeff"):
            return problem(line, "The line starts with a byte order mark: save the file as UTF-8 without one.")
        try:
            value = self._decoder.decode(text.strip())
        except RecursionError:
            return problem(line, f"The row is nested deeper than {MOST_DEPTH} levels.")
        except ValueError as error:
            raise _Broken(problem(line, f"The line is no JSON: {error}.", value=text[:80])) from error
        return self._judged(value, line)

    def element(self, place: _Place, line: int) -> tuple[Found | Problem, int]:
        """The list's element at a place, and where it ends. Raises Truncated, NotJson."""
        self._flaws.clear()
        try:
            value, end = self._decoder.raw_decode(place.text, place.at)
        except RecursionError as error:
            raise NotJson(f"The row of line {line} is nested deeper than {MOST_DEPTH} levels.") from error
        except json.JSONDecodeError as error:
            if error.pos >= len(place.text.rstrip()) or error.msg.startswith("Unterminated"):
                raise Truncated(f"The file ends in the middle of the row of line {line}: fetch it again.") from error
            raise NotJson(f"Line {error.lineno} is no JSON: {error.msg}.") from error
        return self._judged(value, line), end

    def _judged(self, value: object, line: int) -> Found | Problem:
        if self._flaws:
            reason, culprit = self._flaws[0]
            return problem(line, reason, value=culprit)
        if not isinstance(value, dict):
            return problem(line, "The row is no object.", value=value)
        for field, inner in value.items():
            if reason := _unstorable(field) or _unstorable(inner):
                return problem(line, reason, field, inner)
        return line, value

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            self._flaws.append((f"The field {shown(twice)!r} stands twice in one object.", twice))
        return found

    def _constant(self, word: str) -> None:
        self._flaws.append((f"{word} is no JSON number.", word))

    def _float(self, digits: str) -> float:
        number = float(digits)
        if not math.isfinite(number):
            self._flaws.append(("A number is too large.", digits))
        return number

    def _integer(self, digits: str) -> int:
        if len(digits) > 19 or abs(int(digits)) >= 1 << 63:
            self._flaws.append(("A number has more than 64 bits.", digits))
            return 0
        return int(digits)


def _unstorable(value: object) -> str:
    """Why a value cannot be stored (nesting, NUL, lone surrogates); empty if it can. Without recursion."""
    left: list[tuple[object, int]] = [(value, 2)]
    while left:
        one, depth = left.pop()
        if depth > MOST_DEPTH:
            return f"The row is nested deeper than {MOST_DEPTH} levels."
        if isinstance(one, dict):
            left += [(inner, depth + 1) for pair in one.items() for inner in pair]
        elif isinstance(one, list):
            left += [(inner, depth + 1) for inner in one]
        elif isinstance(one, str) and (reason := _unstorable_text(one)):
            return reason
    return ""


def _unstorable_text(text: str) -> str:
    if "\x00" in text:
        return "The text holds a NUL character."
    if any("\ud800" <= character <= "\udfff" for character in text):
        return "The text holds half a character (a lone surrogate)."
    return ""
