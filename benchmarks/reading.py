"""`PYTHONPATH=. python benchmarks/reading.py READER FILE`: read a file of rows and do nothing else; print what it took.

Started as a file, not as a module of the package, which would set Django up: so its peak memory is the reader's.
"""

import csv
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq

from annotation.sources.records import records
from annotation.sources.rows import Record


def ours(path: Path) -> int:
    return sum(isinstance(found, Record) for found in records(path))


def lines_unchecked(path: Path) -> int:
    with path.open(encoding="utf-8") as stream:
        return sum(isinstance(json.loads(line), dict) for line in stream)


def list_unchecked(path: Path) -> int:
    return len(json.loads(path.read_text(encoding="utf-8")))


def table_unchecked(path: Path) -> int:
    with path.open(encoding="utf-8", newline="") as stream:
        return sum(1 for _ in csv.DictReader(stream))


def parquet_unchecked(path: Path) -> int:
    return sum(len(batch.to_pylist()) for batch in pq.ParquetFile(path).iter_batches())


READERS: dict[str, Callable[[Path], int]] = {
    "ours": ours,
    "jsonl": lines_unchecked,
    "json": list_unchecked,
    "csv": table_unchecked,
    "parquet": parquet_unchecked,
}


def main() -> None:
    reader, path = sys.argv[1:]
    start = time.perf_counter()
    rows = READERS[reader](Path(path))
    seconds = time.perf_counter() - start
    sys.stdout.write(json.dumps({"rows": rows, "seconds": seconds, "peak": peak()}))


def peak() -> int:
    """The most memory of this process in bytes. What getrusage tells begins with the parent's at the fork."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


if __name__ == "__main__":
    main()
