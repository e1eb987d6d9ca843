"""Folders in the layout of Hugging Face datasets: shards in order, splits from names, one count through all files."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotation.sources.datasets import shards_of
from annotation.sources.faults import EmptyFile, FileFault, NotJson, NotRows, Problem, Truncated, WrongLayout
from annotation.sources.records import described, records
from annotation.sources.rows import Record
from tests.files_read import GOOD, fields, lines, places


def put(folder: Path, name: str, content: bytes | list[dict[str, Any]]) -> None:
    """A file below a folder: bytes, or rows as Parquet."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        pq.write_table(pa.Table.from_pylist(content), path)


def numbered(first: int, last: int) -> list[dict[str, Any]]:
    return [{"question": f"Is it {number}?", "number": number} for number in range(first, last + 1)]


def hub(folder: Path) -> Path:
    """A dataset of three splits, the first of which has two shards, as the Hub lays it out."""
    put(folder, "README.md", b"# A dataset")
    put(folder, ".gitattributes", b"*.parquet filter=lfs")
    put(folder, "dataset_infos.json", b"{}")
    put(folder, "images/a.jpg", b"\xff\xd8\xff")
    put(folder, "data/test-00000-of-00001.parquet", numbered(8, 9))
    put(folder, "data/train-00001-of-00002.parquet", numbered(4, 6))
    put(folder, "data/train-00000-of-00002.parquet", numbered(1, 3))
    put(folder, "data/validation-00000-of-00001.parquet", numbered(7, 7))
    return folder


def test_shards_are_read_in_order_and_counted_through(tmp_path: Path) -> None:
    found = list(records(hub(tmp_path)))
    assert fields(found) == numbered(1, 9)
    assert places(found) == list(range(1, 10))


@pytest.mark.parametrize("after", [0, 2, 3, 5, 6, 8, 9, 20])
def test_reading_goes_on_inside_any_shard(tmp_path: Path, after: int) -> None:
    assert list(records(hub(tmp_path), after=after)) == [
        Record(number, row) for number, row in enumerate(numbered(1, 9), 1) if number > after
    ]


def test_one_split_can_be_chosen(tmp_path: Path) -> None:
    assert fields(list(records(hub(tmp_path), split="validation"))) == numbered(7, 7)
    with pytest.raises(WrongLayout, match=r"no split 'dev': it has test, train, validation"):
        list(records(tmp_path, split="dev"))


def test_a_folder_is_described_as_a_whole(tmp_path: Path) -> None:
    about = described(hub(tmp_path))
    assert (about.form, about.columns, about.rows_hint, about.rows_exact) == ("dataset", ("question", "number"), 9, True)
    assert about.splits == ("train", "validation", "test")


def test_pictures_come_with_their_bytes_and_path(tmp_path: Path) -> None:
    row = {"image": {"bytes": b"\x89PNG\x00", "path": "a.png"}, "question": "What?"}
    put(tmp_path, "train.parquet", [row])
    assert fields(list(records(tmp_path))) == [row]


@pytest.mark.parametrize("ending", ["jsonl", "ndjson", "json", "csv", "tsv"])
def test_text_files_are_shards_too(tmp_path: Path, ending: str) -> None:
    first, second = [{"question": "Is it 1?", "number": "1"}], [{"question": "Is it 2?", "number": "2"}]
    put(tmp_path, f"train/part-2.{ending}", text_of(first, ending))
    put(tmp_path, f"train/part-10.{ending}", text_of(second, ending))
    found = list(records(tmp_path))
    assert fields(found) == first + second
    assert places(found) == sorted(set(places(found)))
    assert fields(list(records(tmp_path, after=places(found)[0]))) == second


def text_of(rows: list[dict[str, str]], ending: str) -> bytes:
    """Rows as a text file of that ending has them."""
    if ending == "json":
        return json.dumps(rows).encode()
    if ending in ("csv", "tsv"):
        delimiter = "\t" if ending == "tsv" else ","
        return "\n".join(delimiter.join(cells) for cells in (rows[0], *(row.values() for row in rows))).encode()
    return lines(*rows)


def test_a_problem_names_the_file_and_its_line_there(tmp_path: Path) -> None:
    put(tmp_path, "train-1.jsonl", lines(GOOD, GOOD))
    put(tmp_path, "train-2.jsonl", lines(GOOD, '{"a": NaN}'))
    found = list(records(tmp_path))[-1]
    assert isinstance(found, Problem)
    assert found.line > 3
    assert found.reason == "NaN is no JSON number. (train-2.jsonl, 2)"


def test_a_fault_names_the_file(tmp_path: Path) -> None:
    put(tmp_path, "train-1.jsonl", lines(GOOD))
    put(tmp_path, "train-2.jsonl", b'{"a"')
    with pytest.raises(Truncated, match=r"train-2.jsonl: .* middle of line 1"):
        list(records(tmp_path))
    put(tmp_path, "train-2.jsonl", b"prose")
    with pytest.raises(NotJson, match=r"train-2.jsonl"):
        list(records(tmp_path))


def test_what_save_to_disk_writes_is_read(tmp_path: Path) -> None:
    put(tmp_path, "dataset_dict.json", b'{"splits": ["train"]}')
    put(tmp_path, "train/state.json", b"{}")
    put(tmp_path, "train/dataset_info.json", b"{}")
    table = pa.Table.from_pylist(numbered(1, 5))
    for name in ("data-00000-of-00001.arrow", "cache-3f.arrow"):
        with pa.ipc.new_stream(tmp_path / "train" / name, table.schema) as writer:
            writer.write_table(table)
    assert fields(list(records(tmp_path))) == numbered(1, 5)
    assert described(tmp_path).splits == ("train",)


def test_a_missing_shard_is_named(tmp_path: Path) -> None:
    (hub(tmp_path) / "data/train-00000-of-00002.parquet").unlink()
    with pytest.raises(Truncated, match="Of the 2 files data/train-… number 0 is missing"):
        list(records(tmp_path))


@pytest.mark.parametrize(
    ("names", "fault", "reason"),
    [
        (["README.md", "a.jpg"], EmptyFile, "holds no Parquet"),
        (["a.csv", "b.jsonl"], NotRows, r"several kinds \(.csv, .jsonl\)"),
        (["main/train.jsonl", "other/train.jsonl"], WrongLayout, "several datasets: name one of main, other"),
    ],
)
def test_a_folder_that_is_not_one_dataset_is_refused(
    tmp_path: Path, names: list[str], fault: type[FileFault], reason: str
) -> None:
    for name in names:
        put(tmp_path, name, lines(GOOD))
    with pytest.raises(FileFault, match=reason) as refusal:
        list(records(tmp_path))
    assert type(refusal.value) is fault


def test_links_out_of_the_folder_are_not_followed_but_those_of_a_download_cache_are(tmp_path: Path) -> None:
    put(tmp_path, "secret.jsonl", lines({"secret": 1}))
    put(tmp_path, "cache/blobs/3f2a", lines(GOOD))
    (tmp_path / "snapshot").mkdir()
    (tmp_path / "snapshot/train.jsonl").symlink_to(tmp_path / "secret.jsonl")
    with pytest.raises(EmptyFile):
        list(records(tmp_path / "snapshot"))
    (tmp_path / "snapshot/test.jsonl").symlink_to(tmp_path / "cache/blobs/3f2a")
    assert fields(list(records(tmp_path / "snapshot"))) == [GOOD]


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("data/train-00000-of-00001.parquet", "train"),
        ("dev.jsonl", "validation"),
        ("val2014/rows.json", "validation"),
        ("test/0000.parquet", "test"),
        ("train/test_questions.jsonl", "test"),
        ("latest/pretrained.csv", ""),
    ],
)
def test_the_split_is_told_by_names(tmp_path: Path, name: str, split: str) -> None:
    put(tmp_path, name, b"")
    assert [shard.split for shard in shards_of(tmp_path)] == [split]
