"""Rows of the sources that come as Parquet, with the types their tables have: 32-bit numbers, nested columns, bytes."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotation.sources.layouts import LAYOUTS, Options
from annotation.sources.layouts.shape import Found
from annotation.sources.rows import Record, Row
from tests.rows_read import EXAMPLES, parted, read

POINTS = pa.struct([("x", pa.list_(pa.float32())), ("y", pa.list_(pa.float32()))])
PIXMO = pa.schema(
    [("image_url", pa.string()), ("image_sha256", pa.string()), ("count", pa.int32()), ("points", POINTS), ("label", pa.string())]
)
COF = pa.schema(
    [
        ("data_source", pa.string()),
        ("agent_name", pa.string()),
        ("ability", pa.string()),
        ("prompt", pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))),
        ("images", pa.list_(pa.struct([("image", pa.string())]))),
        ("reward_model", pa.struct([("ground_truth", pa.string()), ("style", pa.string())])),
        ("groundtruth_complete", pa.string()),
        ("extra_info", pa.struct([("index", pa.int64()), ("split", pa.string())])),
    ]
)
REALX = pa.schema(
    [
        ("query", pa.string()),
        ("answer", pa.string()),
        ("perception", pa.int64()),
        ("search", pa.int64()),
        ("reason", pa.int64()),
        ("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
    ]
)


def examples(name: str) -> list[dict[str, Any]]:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    return json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]


def through_parquet(tmp_path: Path, rows: list[dict[str, Any]], schema: pa.Schema, layout: str) -> list[Found]:
    """What a layout makes of the rows after they were written to a Parquet file and read again."""
    path = tmp_path / "train-00000-of-00001.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    records = [Record(number, fields) for number, fields in enumerate(pq.read_table(path).to_pylist(), 1)]
    return [found for record in records for found in LAYOUTS[layout].row(record, Options())]


def facts(found: list[Found]) -> list[tuple[Any, ...]]:
    rows, problems, left_out = parted(found)
    told = [(row.question, row.answers, row.options, row.key, row.image.name, len(row.points), row.extra) for row in rows]
    return [*told, *((one.field, one.reason) for one in problems), *((one.reason,) for one in left_out)]


@pytest.mark.parametrize(("layout", "name", "schema"), [("pixmo-count", "pixmo_count.jsonl", PIXMO), ("cof", "cof.jsonl", COF)])
def test_a_table_gives_the_rows_that_the_same_lines_of_json_give(
    tmp_path: Path, layout: str, name: str, schema: pa.Schema
) -> None:
    assert facts(through_parquet(tmp_path, examples(name), schema, layout)) == facts(read(name, layout))


def test_points_of_32_bits_lie_where_they_lay(tmp_path: Path) -> None:
    first = through_parquet(tmp_path, examples("pixmo_count.jsonl"), PIXMO, "pixmo-count")[0]
    assert isinstance(first, Row)
    assert first.points == tuple(pytest.approx(point) for point in ((102.5, 88.0), (410.0, 131.4), (690.2, 97.7)))


def test_realx_pictures_come_with_their_bytes(tmp_path: Path) -> None:
    rows = [
        {**row, "image": {"bytes": f"picture {at}".encode(), "path": "image.png"}}
        for at, row in enumerate(examples("realx.json"))
    ]
    found, problems, left_out = parted(through_parquet(tmp_path, rows, REALX, "realx"))
    assert [row.image.content for row in found] == [b"picture 0", b"picture 2", b"picture 3"]
    assert len({row.image.name for row in found}) == 3
    assert all(row.image.name.endswith(".png") for row in found)
    assert (len(problems), len(left_out)) == (1, 1)
