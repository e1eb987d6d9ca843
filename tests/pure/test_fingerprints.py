"""A file is known by its bytes, whatever it is called; a folder by its files."""

from pathlib import Path

import pytest

from annotation.hashing import sha256_hex
from annotation.sources.faults import Unreadable
from annotation.sources.fingerprints import fingerprint


def test_a_file_has_the_sum_of_its_bytes_and_its_line_ends(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_bytes(b"a\nb\n")
    found = fingerprint(tmp_path / "rows.jsonl")
    assert (found.name, found.sha256, found.lines) == ("rows.jsonl", sha256_hex(b"a\nb\n"), 2)


def test_a_table_without_lines_has_none(tmp_path: Path) -> None:
    (tmp_path / "rows.parquet").write_bytes(b"PAR1\n\n\nPAR1")
    assert fingerprint(tmp_path / "rows.parquet").lines == 0


def test_a_folder_changes_with_each_file_and_name_and_not_with_hidden_ones(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.jsonl").write_bytes(b"a\n")
    (tmp_path / "b.jsonl").write_bytes(b"b\n")
    first = fingerprint(tmp_path)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "lock").write_bytes(b"x")
    assert fingerprint(tmp_path) == first
    (tmp_path / "b.jsonl").rename(tmp_path / "c.jsonl")
    renamed = fingerprint(tmp_path)
    (tmp_path / "c.jsonl").write_bytes(b"c\n")
    assert len({first.sha256, renamed.sha256, fingerprint(tmp_path).sha256}) == 3


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        fingerprint(tmp_path / "none")
