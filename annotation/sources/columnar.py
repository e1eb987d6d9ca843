"""Rows out of Parquet and Arrow files, batch by batch; a record's `line` is its row, from 1. Pure.

Values become what JSON would have: nested lists and structs, whole numbers and floats, text; bytes stay bytes; dates,
times and decimals become their text. NaN, infinities, unsigned numbers beyond 63 bits and NUL in text reject the row, as in JSON.
"""

import datetime
import decimal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from annotation.sources.contents import PARQUET
from annotation.sources.faults import EmptyFile, NotRows, Problem, Truncated, WrongLayout, problem
from annotation.sources.rows import Record
from annotation.sources.strictness import MOST_DEPTH, unstorable
from annotation.sources.texts import opened

MOST_ROWS = 1024  # of one batch
MOST_BYTES = 16 << 20  # of one batch, as far as rows are alike
TEMPORAL = (datetime.date, datetime.time)


def read_parquet(path: Path, after: int = 0) -> Iterator[Record | Problem]:
    """The rows after some row. Row groups before it are skipped unread. Raises what `parquet` raises."""
    before = 0
    with parquet(path) as table, _named_faults(path):
        for group in range(table.num_row_groups):
            meta = table.metadata.row_group(group)
            if after < before + meta.num_rows:
                yield from rows_of(_batches(table, group, meta), before, after)
            before += meta.num_rows


def _batches(table: pq.ParquetFile, group: int, meta: pq.RowGroupMetaData) -> Iterator[pa.RecordBatch]:
    size = max(1, min(MOST_ROWS, MOST_BYTES * meta.num_rows // max(meta.total_byte_size, 1)))
    yield from table.iter_batches(batch_size=size, row_groups=[group], use_threads=False)


@contextmanager
def parquet(path: Path) -> Iterator[pq.ParquetFile]:
    """A Parquet file that can be read. Raises Unreadable, Truncated, NotRows, EmptyFile, WrongLayout."""
    with opened(path) as stream:
        stream.seek(0, 2)
        stream.seek(max(stream.tell() - len(PARQUET), 0))
        if stream.read() != PARQUET:
            raise Truncated(f"{path.name} ends in the middle of the table: fetch it again.")
    with _named_faults(path), pq.ParquetFile(path, buffer_size=1 << 20, pre_buffer=False) as table:
        if not table.metadata.num_rows:
            raise EmptyFile(f"{path.name} holds no row.")
        refuse_schema(table.schema_arrow)
        yield table


def read_arrow(path: Path, after: int = 0) -> Iterator[Record | Problem]:
    """The rows of an Arrow file or stream, as `save_to_disk` writes it. Raises Unreadable, NotRows, EmptyFile, WrongLayout."""
    opened(path).close()
    with _named_faults(path), pa.memory_map(str(path)) as source:
        before = 0
        for batch in arrow_batches(source):
            refuse_schema(batch.schema)
            if after < before + batch.num_rows:
                yield from rows_of(_sliced(batch), before, after)
            before += batch.num_rows
        if not before:
            raise EmptyFile(f"{path.name} holds no row.")


def arrow_batches(source: Any) -> Iterator[pa.RecordBatch]:
    """The batches of an Arrow file or of an Arrow stream."""
    if source.read(6) == b"ARROW1":
        table = pa.ipc.open_file(source)
        for number in range(table.num_record_batches):
            yield table.get_batch(number)
    else:
        source.seek(0)
        yield from pa.ipc.open_stream(source)


def rows_in(path: Path, form: str) -> int:
    """How many rows a Parquet or Arrow file has. Raises as the readers do."""
    if form == "parquet":
        with parquet(path) as table:
            return table.metadata.num_rows
    with _named_faults(path), pa.memory_map(str(path)) as source:
        return sum(batch.num_rows for batch in arrow_batches(source))


def columns_in(path: Path, form: str) -> tuple[str, ...]:
    """The names of the columns of a Parquet or Arrow file. Raises as the readers do."""
    if form == "parquet":
        with parquet(path) as table:
            return tuple(table.schema_arrow.names)
    with _named_faults(path), pa.memory_map(str(path)) as source:
        batch = next(arrow_batches(source), None)
        return tuple(batch.schema.names) if batch is not None else ()


def _sliced(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    size = max(1, min(MOST_ROWS, MOST_BYTES * batch.num_rows // max(batch.nbytes, 1)))
    for start in range(0, batch.num_rows, size):
        yield batch.slice(start, size)


@contextmanager
def _named_faults(path: Path) -> Iterator[None]:
    try:
        yield
    except pa.ArrowException as error:
        raise NotRows(f"{path.name} is damaged: {_first_line(error)}.") from error
    except OSError as error:
        raise Truncated(f"{path.name} is damaged or cut: {_first_line(error)}.") from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0][:200].rstrip(".")


def refuse_schema(schema: pa.Schema) -> None:
    """Raises WrongLayout for columns that cannot become fields: two of one name, or nested too deep."""
    names = schema.names
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise WrongLayout(f"Two columns have the name {twice[0]!r}: give each its own.")
    for column in schema:
        if _depth(column.type) >= MOST_DEPTH:
            raise WrongLayout(f"The column {column.name!r} is nested deeper than {MOST_DEPTH} levels.")


def _depth(kind: pa.DataType) -> int:
    inner = [kind.field(place).type for place in range(kind.num_fields)]
    return 1 + max(map(_depth, inner)) if inner else 0


def rows_of(batches: Iterable[pa.RecordBatch], before: int, after: int) -> Iterator[Record | Problem]:
    """The rows of batches of which the first begins after `before` rows; rows up to `after` are passed over."""
    for batch in batches:
        if (skipped := max(0, after - before)) < batch.num_rows:
            yield from _batch(batch.slice(skipped), before + skipped)
        before += batch.num_rows


def _batch(batch: pa.RecordBatch, before: int) -> Iterator[Record | Problem]:
    plain = [_is_plain(column) for column in batch.columns]
    try:
        rows = batch.to_pylist(maps_as_pydicts="strict")
    except (UnicodeDecodeError, KeyError, ValueError):
        yield from _one_by_one(batch, before)
        return
    for line, row in enumerate(rows, before + 1):
        yield Record(line, row) if all(plain) else _judged(row, line)


def _one_by_one(batch: pa.RecordBatch, before: int) -> Iterator[Record | Problem]:
    for place in range(batch.num_rows):
        line = before + place + 1
        try:
            (row,) = batch.slice(place, 1).to_pylist(maps_as_pydicts="strict")
        except (UnicodeDecodeError, KeyError, ValueError) as error:
            yield problem(line, f"The row cannot be read: {_first_line(error)}.")
        else:
            yield _judged(row, line)


def _judged(row: dict[str, Any], line: int) -> Record | Problem:
    fields = {name: _plain(value) for name, value in row.items()}
    return unstorable(fields, line) or Record(line, fields)


def _plain(value: Any) -> Any:
    """A value as JSON would have it, bytes aside."""
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, TEMPORAL):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else str(value)
    return value if value is None or isinstance(value, str | int | float | bytes) else str(value)


def _is_plain(column: pa.Array) -> bool:
    """Whether all values of a column are known to be what JSON would have and to be storable; looked at as a whole."""
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return not pc.any(pc.match_substring(column, "\x00")).as_py()
    if pa.types.is_floating(kind):
        return bool(pc.all(pc.is_finite(column.cast(pa.float64()))).as_py() is not False)
    if pa.types.is_dictionary(kind):
        return _is_plain(column.dictionary)
    if pa.types.is_struct(kind):
        return all(_is_plain(inner) for inner in column.flatten())
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return _is_plain(column.flatten())
    whole = pa.types.is_integer(kind) and not pa.types.is_uint64(kind)
    return whole or pa.types.is_boolean(kind) or pa.types.is_null(kind) or pa.types.is_binary(kind)
