"""A file is read by what it is, whatever its name; what holds no rows is refused with what to do instead."""

import gzip
import io
import json
import pickle
import tarfile
import zipfile
from pathlib import Path

import pytest

from annotation.sources.faults import BadEncoding, EmptyFile, FileFault, NotJson, NotRows, Unreadable, WrongLayout
from annotation.sources.records import LOOKED_AT, described, records
from tests.files_read import GOOD, fields, lines, read


def zipped(name: str) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as writer:
        writer.writestr(name, lines(GOOD))
    return archive.getvalue()


def tarred() -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as writer:
        writer.addfile(tarfile.TarInfo("rows.jsonl"))
    return archive.getvalue()


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (lines(GOOD), "jsonl"),
        (b"\n\n  " + lines(GOOD), "jsonl"),
        (lines("no json", GOOD), "jsonl"),
        (json.dumps([GOOD]).encode(), "json"),
        (b"\xef\xbb\xbf \r\n[" + json.dumps(GOOD).encode() + b"]", "json"),
        (b"image,question\na,b\n", "csv"),
        (b'"image","question"\n"a","b"\n', "csv"),
        (b'image,more\na,"{""x"": 1}"\nb,"text\n{""x"": 1}"\n', "csv"),
        (b"image\tquestion\na\tb\n", "tsv"),
    ],
)
def test_what_a_file_is_does_not_hang_on_its_name(tmp_path: Path, content: bytes, form: str) -> None:
    assert read(tmp_path, content)
    for name in ("rows.parquet", "rows.csv", "rows"):
        (tmp_path / name).write_bytes(content)
        assert described(tmp_path / name).form == form


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        (pickle.dumps([GOOD]), "can run code"),
        (pickle.dumps([GOOD], protocol=2), "can run code"),
        (b"\x93NUMPY\x01\x00v\x00{'descr': '|O'}", "can run code"),
        (zipped("archive/data.pkl"), "is an archive: unpack it"),
        (zipped("xl/workbook.xml"), "is a workbook: save the sheet as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "save the sheet as CSV"),
        (tarred(), "is an archive"),
        (gzip.compress(lines(GOOD), mtime=0), "is compressed: unpack it"),
        (b"\x28\xb5\x2f\xfd\x00", "is compressed"),
        (b"<!DOCTYPE html><html></html>", "web page or XML"),
        (b'\xef\xbb\xbf\n<?xml version="1.0"?>', "web page or XML"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        (b"SQLite format 3\x00", "SQLite"),
        (b"\x89PNG\r\n\x1a\n", "is a picture"),
        (b"%PDF-1.7", "is a PDF"),
        (b"\x00\x01\x02\x03" * 100, "binary"),
    ],
)
@pytest.mark.parametrize("form", [None, "jsonl", "csv", "parquet"])
def test_what_holds_no_rows_is_refused_with_the_remedy(tmp_path: Path, content: bytes, remedy: str, form: str | None) -> None:
    if form == "parquet" and remedy == "binary":
        remedy = "not of the form parquet"
    with pytest.raises(NotRows, match=remedy):
        read(tmp_path, content, form=form)


@pytest.mark.parametrize(
    ("content", "how", "fault"),
    [
        (b"", {}, EmptyFile),
        (b"\xef\xbb\xbf\n \t\r\n", {}, EmptyFile),
        (b"Just a text.\nIn two lines.\n", {}, NotJson),
        (lines(GOOD), {"form": "xlsx"}, WrongLayout),
        (lines(GOOD), {"form": "parquet"}, NotRows),
        (lines(GOOD), {"form": "dataset"}, NotRows),
        (lines(GOOD), {"form": "json"}, NotJson),
        (lines(GOOD), {"encoding": "klingon"}, BadEncoding),
    ],
)
def test_what_cannot_be_read_is_a_fault(tmp_path: Path, content: bytes, how: dict[str, str], fault: type[FileFault]) -> None:
    with pytest.raises(FileFault) as refusal:
        read(tmp_path, content, **how)
    assert type(refusal.value) is fault


def test_a_place_without_a_file_is_named(tmp_path: Path) -> None:
    for read_it in (described, lambda path: list(records(path))):
        with pytest.raises(Unreadable, match="nowhere"):
            read_it(tmp_path / "nowhere")


@pytest.mark.parametrize("form", ["jsonl", "json", "pretty", "csv"])
def test_the_number_of_rows_is_estimated_from_the_first(tmp_path: Path, form: str) -> None:
    rows = [{"image": f"{number:05}.jpg", "question": f"Is it {number:05}?"} for number in range(20_000)]
    table = "\n".join(",".join(row.values()) for row in [{"a": "image", "b": "question"}, *rows])
    content = {"json": json.dumps(rows), "pretty": json.dumps(rows, indent=2), "csv": table}
    (tmp_path / "rows").write_bytes(content[form].encode() if form in content else lines(*rows))
    about = described(tmp_path / "rows")
    assert about.columns == ("image", "question")
    assert not about.rows_exact
    assert about.rows_hint == pytest.approx(20_000, rel=0.1)


def test_the_number_of_rows_of_a_short_file_is_exact(tmp_path: Path) -> None:
    (tmp_path / "rows").write_bytes(lines(*[GOOD] * (LOOKED_AT - 1)))
    about = described(tmp_path / "rows")
    assert (about.rows_hint, about.rows_exact) == (LOOKED_AT - 1, True)


def test_records_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_bytes(lines(GOOD) * 100_000 + b"[broken")
    found = records(path)
    assert fields([next(found), next(found)]) == [GOOD, GOOD]
