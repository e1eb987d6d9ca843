"""What a file is, judged by its first bytes and never by its name. Pure."""

import re
from typing import Literal, get_args

from annotation.sources.faults import NotRows

Form = Literal["jsonl", "json", "csv", "tsv", "parquet", "arrow", "dataset"]
FORMS: tuple[Form, ...] = get_args(Form)
HEAD = 1 << 16  # bytes that are looked at
PARQUET = b"PAR1"
ROWS_ARE = "bring its rows as JSON lines, JSON, CSV or Parquet"
ARCHIVE = f"is an archive: unpack it, and {ROWS_ARE}"
PACKED = "is compressed: unpack it first"
PROGRAM = f"can run code when it is opened, and is not read: {ROWS_ARE}"
PICTURE = "is a picture, not rows about pictures"
TABLES = f"is of a kind that is not read: {ROWS_ARE}"

SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\xd0\xcf\x11\xe0", "is a workbook or document of Office: save the sheet as CSV (UTF-8)"),
    (b"\x1f\x8b", PACKED),
    (b"BZh", PACKED),
    (b"\xfd7zXZ\x00", PACKED),
    (b"\x28\xb5\x2f\xfd", PACKED),
    (b"7z\xbc\xaf\x27\x1c", ARCHIVE),
    (b"Rar!", ARCHIVE),
    (b"\x93NUMPY", f"(NumPy) {PROGRAM}"),
    (b"\x89HDF\r\n", f"(HDF5) {TABLES}"),
    (b"SQLite format 3\x00", f"(SQLite) {TABLES}"),
    (b"FEA1", f"(Feather) {TABLES}"),
    (b"ORC", f"(ORC) {TABLES}"),
    (b"Obj\x01", f"(Avro) {TABLES}"),
    (b"%PDF", f"is a PDF: {ROWS_ARE}"),
    (b"\x89PNG", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
    (b"GIF8", PICTURE),
    (b"version https://git-lfs", "only points to the real file (Git LFS): fetch it with `git lfs pull`"),
)
ARROW = (b"ARROW1\x00\x00", b"\xff\xff\xff\xff")
WORKBOOK = (b"[Content_Types].xml", b"xl/")
OBJECT_LINE = re.compile(r"[ \t]*\{.*\}[ \t]*")
FIRST_LINES = 20


def refuse_foreign(head: bytes, name: str) -> None:
    """Raises NotRows, with the remedy, for a file that is known to be something else than rows."""
    if why := _foreign(head):
        raise NotRows(f"{name} {why}.")


def _foreign(head: bytes) -> str:
    if head.startswith(b"PK"):
        is_workbook = any(mark in head for mark in WORKBOOK)
        return "is a workbook: save the sheet as CSV (UTF-8)" if is_workbook else ARCHIVE
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return f"(pickle, torch) {PROGRAM}"
    if head[257:262] == b"ustar":
        return ARCHIVE
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return f"is a web page or XML: {ROWS_ARE}"
    return next((why for start, why in SIGNATURES if head.startswith(start)), "")


def table_form(head: bytes) -> Form | None:
    """The form of a binary table; None for anything else."""
    if head.startswith(PARQUET):
        return "parquet"
    return "arrow" if head.startswith(ARROW) else None


def text_form(start: str) -> Form:
    """The form of a text by its beginning: a bracket opens a list; one object on one of the first lines makes lines of JSON;
    all else may be a table."""
    stripped = start.lstrip("\ufeff \t\n")
    if stripped.startswith("["):
        return "json"
    objects = any(OBJECT_LINE.fullmatch(line) for line in start.split("\n", FIRST_LINES)[:FIRST_LINES])
    return "jsonl" if objects or stripped.startswith("{") else "csv"
