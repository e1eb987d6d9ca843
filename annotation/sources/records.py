"""Records of any file or folder that a person brings, chosen by what it is and not by its name. Pure: paths in."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from annotation.sources import columnar, contents, datasets, jsonrows, tables
from annotation.sources.contents import FORMS, Form
from annotation.sources.faults import EmptyFile, FileFault, NotJson, NotRows, Problem, WrongLayout
from annotation.sources.rows import Record
from annotation.sources.texts import Text, opened, raw_blocks, text_of

LOOKED_AT = 200  # records that tell the columns of a file without a header
Found = Record | Problem


@dataclass(frozen=True, slots=True)
class Description:
    """What a file was found to be, for the preview.

    `columns` are those of the header or schema, else of the first records. `rows_hint` is exact where `rows_exact`, else
    estimated from the first records. `encoding` is empty for binary tables; `encoding_guessed` asks a person to look at
    the characters. `splits` are those of a folder.
    """

    form: Form
    encoding: str
    columns: tuple[str, ...]
    rows_hint: int
    rows_exact: bool = False
    encoding_guessed: bool = False
    delimiter: str = ""
    splits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Known:
    """A file whose form is settled; `text` where it is text, `delimiter` where it is a table of text."""

    path: Path
    form: Form
    text: Text | None = None
    delimiter: str = ""


def records(
    path: Path, *, form: str | None = None, encoding: str | None = None, after: int = 0, split: str | None = None
) -> Iterator[Found]:
    """The records of a file or folder in order, lazily and in constant memory; rows that are no records as problems.

    `form` and `encoding` are found where they are not given. What begins on the first `after` lines (text) or is among
    the first `after` rows (tables, folders) is passed over. Several rows may begin on one line of a JSON list: whoever
    goes on inside such a line has to begin that line again. `split` chooses among the files of a folder.
    Raises FileFault, with the first record asked for.
    """
    if path.is_dir():
        yield from _of_folder(path, encoding, after, split)
    else:
        yield from _of_file(_known(path, form, encoding), after)


def described(path: Path, *, form: str | None = None, encoding: str | None = None) -> Description:
    """What a file or folder is. Reads its beginning; of text that is not marked, all, to find its encoding.

    Raises FileFault.
    """
    if not path.is_dir():
        return _description(_known(path, form, encoding))
    shards = datasets.shards_of(path)
    found = [_description(_known(shard.path, None, encoding)) for shard in shards]
    return replace(
        found[0],
        form="dataset",
        columns=tuple(dict.fromkeys(name for one in found for name in one.columns)),
        rows_hint=sum(one.rows_hint for one in found),
        rows_exact=all(one.rows_exact for one in found),
        encoding_guessed=any(one.encoding_guessed for one in found),
        splits=tuple(dict.fromkeys(shard.split for shard in shards if shard.split)),
    )


def _known(path: Path, form: str | None, encoding: str | None) -> _Known:
    """The file with its form. Raises FileFault."""
    if form is not None and form not in FORMS:
        raise WrongLayout(f"There is no form {form!r}: choose one of {', '.join(FORMS)}.", field="form")
    with opened(path) as stream:
        head = stream.read(contents.HEAD)
    if not head:
        raise EmptyFile(f"{path.name} is empty.")
    contents.refuse_foreign(head, path.name)
    binary = contents.table_form(head)
    if form in ("parquet", "arrow", "dataset") and form != binary:
        raise NotRows(f"{path.name} is not of the form {form}.")
    if binary:
        return _Known(path, binary)
    return _as_text(text_of(path, encoding), form)


def _as_text(text: Text, form: str | None) -> _Known:
    start = next((block for block in text.blocks() if block.strip("\ufeff \t\n")), "")
    if not start:
        raise EmptyFile(f"{text.path.name} is empty.")
    settled: Form = next((one for one in FORMS if one == form), contents.text_form(start))
    if settled not in ("csv", "tsv"):
        return _Known(text.path, settled, text)
    delimiter = "\t" if form == "tsv" else tables.delimiter_of(text)
    if not delimiter and form is None:
        raise NotJson(f"{text.path.name} is neither JSON lines, nor a JSON list, nor a table with a header.")
    return _Known(text.path, "tsv" if delimiter == "\t" else "csv", text, delimiter or ",")


def _of_file(known: _Known, after: int) -> Iterator[Found]:
    if known.text is None:
        read = columnar.read_parquet if known.form == "parquet" else columnar.read_arrow
        return read(known.path, after)
    if known.form == "json":
        return jsonrows.read_list(known.text, after)
    if known.form == "jsonl":
        return jsonrows.read_lines(known.text, after)
    return tables.read_table(known.text, known.delimiter, after)


def _of_folder(folder: Path, encoding: str | None, after: int, split: str | None) -> Iterator[Found]:
    """The records of all shards, counted through."""
    before = 0
    for shard in datasets.shards_of(folder, split):
        known = _known(shard.path, None, encoding)
        length = _length(known)
        if after < before + length:
            yield from _of_shard(known, shard.name, before, after)
        before += length


def _of_shard(known: _Known, name: str, before: int, after: int) -> Iterator[Found]:
    try:
        for found in _of_file(known, max(0, after - before)):
            yield _moved(found, before, name)
    except FileFault as fault:
        raise type(fault)(f"{name}: {fault.message}", field=fault.field) from fault


def _moved(found: Found, before: int, name: str) -> Found:
    """What was found in a shard, at its place in the whole."""
    if isinstance(found, Problem):
        return replace(found, line=before + found.line, reason=f"{found.reason} ({name}, {found.line})")
    return Record(before + found.line, found.fields) if before else found


def _length(known: _Known) -> int:
    """How many lines (text) or rows (tables) a file has."""
    if known.text is not None:
        return sum(block.count("\n") for block in known.text.blocks()) + 1
    return columnar.rows_in(known.path, known.form)


def _description(known: _Known) -> Description:
    if known.text is None:
        columns = columnar.columns_in(known.path, known.form)
        return Description(known.form, "", columns, columnar.rows_in(known.path, known.form), rows_exact=True)
    first = list(islice(_of_file(known, 0), LOOKED_AT))
    columns = tuple(dict.fromkeys(name for one in first if isinstance(one, Record) for name in one.fields))
    text = known.text
    rows, exact = _rows_hint(known, text, first)
    return Description(known.form, text.encoding, columns, rows, exact, text.guessed, known.delimiter)


def _rows_hint(known: _Known, text: Text, first: list[Found]) -> tuple[int, bool]:
    """How many rows a text has, if the rest is like its beginning; and whether the beginning is all."""
    if len(first) < LOOKED_AT:
        return len(first), True
    size = known.path.stat().st_size
    if lines := (first[-1].line - first[0].line) / (len(first) - 1):
        sample = next(raw_blocks(known.path))
        return round(size / len(sample) * max(sample.count(b"\n"), sample.count(b"\r"), 1) / lines), False
    written = "".join(json.dumps(one.fields, ensure_ascii=False) for one in first if isinstance(one, Record))
    return round(size * len(first) / max(len(written.encode(text.encoding, "replace")), 1)), False
