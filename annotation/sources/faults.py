"""What can be wrong with a file of rows: faults of the file abort the reading, problems of a row reject that row. Pure."""

from dataclasses import dataclass

from annotation.errors import Invalid

MOST_SHOWN = 200


class FileFault(Invalid):
    """The file as a whole cannot be imported; nothing of it is."""

    code = "file-fault"


class Unreadable(FileFault):
    """The file is not there or may not be read."""

    code = "file-unreadable"


class EmptyFile(FileFault):
    """The file holds no row."""

    code = "file-empty"


class NotRows(FileFault):
    """The file is of a kind that holds no rows, or whose rows are not read."""

    code = "file-not-rows"


class NotJson(NotRows):
    """The file is neither a JSON list nor JSON lines."""

    code = "file-not-json"


class BadEncoding(FileFault):
    """The file's text encoding is unknown, cannot be told, or is not the one that was declared."""

    code = "file-encoding"


class Truncated(FileFault):
    """The file ends in the middle of a row, or a part of it is missing."""

    code = "file-truncated"


class WrongLayout(FileFault):
    """The file's rows have other fields than the layout."""

    code = "file-wrong-layout"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why one row was rejected: its line (from 1), the field and its value where one is to blame, and the reason."""

    line: int
    field: str
    value: str
    reason: str


def problem(line: int, reason: str, field: str = "", value: object = "") -> Problem:
    """A Problem whose value is cut and free of what no database stores."""
    return Problem(line, shown(field)[:80], shown(value), reason)


def shown(value: object) -> str:
    """A value as text that can be stored and printed: no NUL, no lone surrogates, at most MOST_SHOWN characters."""
    text = str(value)[: 2 * MOST_SHOWN].encode("utf-8", "backslashreplace").decode().replace("\x00", "\\x00")
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"
