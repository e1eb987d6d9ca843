"""Parquet and Arrow files give the values that JSON would give, and reject what JSON would reject."""

import datetime
import decimal
import tracemalloc
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.sources.faults import EmptyFile, FileFault, Problem, Truncated, WrongLayout
from annotation.sources.records import described, records
from annotation.sources.rows import Record
from tests.files_read import fields, places

ROWS = [{"image": f"{number}.jpg", "count": number} for number in range(1, 26)]


def parquet(folder: Path, table: pa.Table | list[dict[str, Any]], **how: Any) -> Path:
    path = folder / "rows"
    pq.write_table(table if isinstance(table, pa.Table) else pa.Table.from_pylist(table), path, **how)
    return path


def column(kind: pa.DataType, *values: Any) -> pa.Table:
    return pa.table({"question": pa.array(["What?"] * len(values)), "value": pa.array(values, kind)})


def test_rows_of_all_row_groups_come_in_order(tmp_path: Path) -> None:
    path = parquet(tmp_path, ROWS, row_group_size=7)
    found = list(records(path))
    assert fields(found) == ROWS
    assert places(found) == list(range(1, 26))
    about = described(path)
    assert (about.form, about.columns, about.rows_hint, about.rows_exact) == ("parquet", ("image", "count"), 25, True)


@pytest.mark.parametrize("after", [0, 1, 6, 7, 8, 21, 24, 25, 90])
def test_reading_goes_on_after_a_row(tmp_path: Path, after: int) -> None:
    found = list(records(parquet(tmp_path, ROWS, row_group_size=7), after=after))
    assert found == [Record(number, row) for number, row in enumerate(ROWS, 1) if number > after]


def test_row_groups_before_the_place_are_not_read(tmp_path: Path) -> None:
    path = parquet(tmp_path, ROWS, row_group_size=5, compression="none", use_dictionary=False)
    content = path.read_bytes()
    start = pq.ParquetFile(path).metadata.row_group(0).column(0).data_page_offset
    path.write_bytes(content[:start] + b"\xff" * 20 + content[start + 20 :])
    with pytest.raises(FileFault):
        list(records(path))
    assert places(list(records(path, after=5))) == list(range(6, 26))


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        (pa.int32(), 7, 7),
        (pa.uint64(), 2**63 - 1, 2**63 - 1),
        (pa.float32(), 0.5, 0.5),
        (pa.bool_(), False, False),
        (pa.binary(), b"\x00\xff", b"\x00\xff"),
        (pa.large_string(), "é", "é"),
        (pa.string_view(), "é", "é"),
        (pa.dictionary(pa.int8(), pa.string()), "red", "red"),
        (pa.list_(pa.struct([("x", pa.float32())])), [{"x": 1.5}], [{"x": 1.5}]),
        (pa.struct([("bytes", pa.binary()), ("path", pa.string())]), {"bytes": b"1", "path": "a"}, {"bytes": b"1", "path": "a"}),
        (pa.list_(pa.int64(), 4), [1, 2, 3, 4], [1, 2, 3, 4]),
        (pa.map_(pa.string(), pa.int64()), [("a", 1)], {"a": 1}),
        (pa.date32(), datetime.date(2026, 12, 1), "2026-12-01"),
        (pa.timestamp("us", "UTC"), datetime.datetime(2026, 12, 1, tzinfo=datetime.UTC), "2026-12-01T00:00:00+00:00"),
        (pa.time64("us"), datetime.time(9, 30), "09:30:00"),
        (pa.duration("s"), datetime.timedelta(days=1), "1 day, 0:00:00"),
        (pa.decimal128(5, 2), decimal.Decimal("3.00"), 3),
        (pa.decimal128(5, 2), decimal.Decimal("3.25"), "3.25"),
        (pa.null(), None, None),
    ],
)
def test_values_become_what_json_would_have(tmp_path: Path, kind: pa.DataType, value: Any, read: Any) -> None:
    found = fields(list(records(parquet(tmp_path, column(kind, value, None)))))
    assert [row["value"] for row in found] == [read, None]
    assert type(found[0]["value"]) is type(read)


@pytest.mark.parametrize(
    ("kind", "value", "reason"),
    [
        (pa.float64(), float("nan"), "nan is no number"),
        (pa.float16(), float("inf"), "inf is no number"),
        (pa.list_(pa.float32()), [1.0, float("-inf")], "-inf is no number"),
        (pa.struct([("x", pa.list_(pa.float32()))]), {"x": [float("nan")]}, "nan is no number"),
        (pa.uint64(), 2**63, "more than 64 bits"),
        (pa.string(), "a\x00b", "NUL"),
        (pa.dictionary(pa.int8(), pa.string()), "a\x00b", "NUL"),
        (pa.list_(pa.struct([("x", pa.string())])), [{"x": "\x00"}], "NUL"),
        (pa.map_(pa.string(), pa.int64()), [("a", 1), ("a", 2)], "duplicate key"),
        (pa.decimal128(38, 0), decimal.Decimal(2**64), "more than 64 bits"),
    ],
)
def test_what_json_would_not_have_rejects_its_row(tmp_path: Path, kind: pa.DataType, value: Any, reason: str) -> None:
    found = list(records(parquet(tmp_path, column(kind, None, value, None))))
    assert [type(one) for one in found] == [Record, Problem, Record]
    assert isinstance(found[1], Problem)
    assert found[1].line == 2
    assert reason in found[1].reason


def test_text_that_is_not_utf_8_rejects_its_row(tmp_path: Path) -> None:
    texts = pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0\3\0\0\0"), pa.py_buffer(b"a\xff\xfe")])
    first, second = records(parquet(tmp_path, pa.table({"value": texts})))
    assert first == Record(1, {"value": "a"})
    assert isinstance(second, Problem)
    assert second.line == 2


def nested(depth: int) -> pa.DataType:
    return pa.list_(nested(depth - 1)) if depth else pa.int64()


def test_what_cannot_become_fields_is_a_fault_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(WrongLayout, match="nested deeper than 16"):
        list(records(parquet(tmp_path, column(nested(16), None))))
    assert fields(list(records(parquet(tmp_path, column(nested(15), None)))))
    twice = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(WrongLayout, match="Two columns have the name 'a'"):
        list(records(parquet(tmp_path, twice)))
    with pytest.raises(EmptyFile):
        list(records(parquet(tmp_path, pa.table({"a": pa.array([], pa.int64())}))))


def test_a_cut_or_damaged_table_is_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path, ROWS)
    content = path.read_bytes()
    for cut in (5, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:cut])
        with pytest.raises(Truncated, match="fetch it again"):
            list(records(path))
    path.write_bytes(content[:-20] + b"\xff" * 12 + content[-8:])
    with pytest.raises(FileFault, match="damaged"):
        list(records(path))


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_table_with_any_byte_changed_is_refused_or_read(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = parquet(tmp_path_factory.getbasetemp(), ROWS, row_group_size=9)
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(4, len(content) - 5))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    try:
        assert list(records(path))
    except FileFault as fault:
        assert fault.message.endswith((".", "again."))  # noqa: PT017 (either outcome is right)


@pytest.mark.parametrize("kind", ["stream", "file"])
def test_arrow_files_are_read(tmp_path: Path, kind: str) -> None:
    path, table = tmp_path / "rows", pa.Table.from_pylist(ROWS)
    with (pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file)(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=10)
    assert list(records(path, after=12)) == [Record(number, row) for number, row in enumerate(ROWS, 1) if number > 12]
    about = described(path)
    assert (about.form, about.columns, about.rows_hint) == ("arrow", ("image", "count"), 25)
    path.write_bytes(path.read_bytes()[:-60] if kind == "file" else path.read_bytes()[:-100])
    with pytest.raises(FileFault):
        list(records(path))


def test_memory_does_not_grow_with_the_pictures_in_a_table(tmp_path: Path) -> None:
    pictures = pa.array([bytes([number]) * (1 << 20) for number in range(128)])
    path = parquet(tmp_path, pa.table({"image": pictures}), compression="none", use_dictionary=False, write_batch_size=2)
    before = pa.total_allocated_bytes()
    most = 0
    tracemalloc.start()
    try:
        for _ in records(path):
            most = max(most, pa.total_allocated_bytes() - before)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 48 << 20
    assert most < 64 << 20
