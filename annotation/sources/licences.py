"""The table that tells whose pictures a folder holds: tab-separated, with a header line. Pure.

Columns `file`, `author` and `licence` are needed; `sha256` is compared with the bytes where it is given; others are
left alone.
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from annotation.sources.faults import EmptyFile, FileFault, Unreadable, WrongLayout

NEEDED = ("file", "author", "licence")
SHA256 = re.compile(r"[0-9a-f]{64}")
MOST_BYTES = 64 << 20


class BadLicence(FileFault):
    """A line of the table is incomplete. The table is refused: a picture without its licence must not slip in."""

    code = "licence-table-bad"


@dataclass(frozen=True, slots=True)
class Licence:
    """Who made a picture and what one may do with it (SPDX identifier); `sha256` of the file, or empty."""

    author: str
    licence: str
    sha256: str = ""


def read_table(path: Path) -> dict[str, Licence]:
    """File name -> licence. Raises Unreadable, EmptyFile, WrongLayout, BadLicence."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise WrongLayout(f"{path.name} is too large for a licence table.")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise WrongLayout(f"{path.name} is not UTF-8.") from error
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    if rows.fieldnames is None:
        raise EmptyFile(f"{path.name} is empty.")
    if absent := [name for name in NEEDED if name not in rows.fieldnames]:
        raise WrongLayout(f"{path.name} has no column {', '.join(absent)}: its first line names the columns, parted by tabs.")
    table: dict[str, Licence] = {}
    for row in rows:
        name, licence = _licence(row, rows.line_num)
        if name in table:
            raise BadLicence(f"Line {rows.line_num}: {name} stands twice in the table.")
        table[name] = licence
    return table


def _licence(row: dict[str | None, str | None], line: int) -> tuple[str, Licence]:
    values = {name: (row.get(name) or "").strip() for name in (*NEEDED, "sha256")}
    if absent := [name for name in NEEDED if not values[name]]:
        raise BadLicence(f"Line {line}: {', '.join(absent)} missing.")
    if values["sha256"] and not SHA256.fullmatch(values["sha256"]):
        raise BadLicence(f"Line {line}: {values['sha256']!r} is no sha256 (64 lower-case hex digits).")
    return values["file"], Licence(values["author"], values["licence"], values["sha256"])
