"""Files of rows: how many records a second one process reads with all strictness, and in how much memory.

Every form is read in a process of its own, so that its peak memory is its own. The rival decodes the same file with the
standard library and checks nothing: JSON lines one by one, a list as a whole, a table with its reader of dictionaries,
Parquet in batches of pyarrow. `ROWS_READ` in the environment sets how many rows are made, 200,000 where it is not set.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.harness import Figure, figure

ROWS = int(os.environ.get("ROWS_READ", "200000"))
BATCH = 50_000
MB = 1_000_000
LINES_A_SECOND, MOST_MB = 100_000, 150


def rows_read() -> list[Figure]:
    """Our readers against decoding without any check."""
    with tempfile.TemporaryDirectory() as folder:
        return [row for form, write in WRITERS.items() for row in _form(form, write, Path(folder) / f"rows.{form}")]


def _form(form: str, write: Callable[[Path], None], path: Path) -> list[Figure]:
    write(path)
    size = path.stat().st_size / MB
    seconds, peak = _apart("ours", path)
    rival, rival_peak = _apart(form, path)
    path.unlink()
    name = f"rows read, {form}, {ROWS:,} rows, {size:,.0f} MB"
    speed = f"unchecked: {ROWS / rival:,.0f}/s"
    return [
        figure(name, ROWS / seconds, "records/s", target=f"at least {LINES_A_SECOND:,}/s", rival=speed, ratio=rival / seconds),
        figure(
            f"{name}, peak memory", peak / MB, "MB",
            target=f"below {MOST_MB} MB", rival=f"unchecked: {rival_peak / MB:,.0f} MB", ratio=peak / rival_peak,
        ),
    ]  # fmt: skip


def _apart(reader: str, path: Path) -> tuple[float, int]:
    """Seconds and peak bytes of reading a file in a process of its own, which imports little else."""
    command = [sys.executable, str(Path(__file__).with_name("reading.py")), reader, str(path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    said = json.loads(subprocess.run(command, check=True, capture_output=True, env=environment).stdout)
    assert said["rows"] == ROWS
    return said["seconds"], said["peak"]


def made(number: int) -> dict[str, Any]:
    """A small row such as sources have."""
    return {
        "image": f"photos/{number:09}.jpg",
        "question": f"How many bicycles lean on the kiosk with number {number}?",
        "answer": number % 16,
        "id": f"row-{number}",
        "data_source": "made-up",
        "box": [10.5, 20, 300.25, 400],
    }


def _write_lines(path: Path) -> None:
    _write(path, (json.dumps(made(number)) + "\n" for number in range(ROWS)))


def _write_list(path: Path) -> None:
    _write(path, ("[,"[number > 0] + json.dumps(made(number)) for number in range(ROWS)), end="]")


def _write(path: Path, parts: Iterable[str], end: str = "") -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(parts)
        stream.write(end)


def _write_table(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(made(0)))
        writer.writeheader()
        writer.writerows(made(number) for number in range(ROWS))


def _write_parquet(path: Path) -> None:
    schema = pa.RecordBatch.from_pylist([made(0)]).schema
    with pq.ParquetWriter(path, schema) as writer:
        for first in range(0, ROWS, BATCH):
            rows = [made(number) for number in range(first, min(first + BATCH, ROWS))]
            writer.write_batch(pa.RecordBatch.from_pylist(rows, schema=schema))


WRITERS: dict[str, Callable[[Path], None]] = {
    "jsonl": _write_lines,
    "json": _write_list,
    "csv": _write_table,
    "parquet": _write_parquet,
}
MEASURES = {"rows": rows_read}
