"""JSON lines and JSON lists: what two readers could understand differently is refused with its line, all else read exactly."""

import contextlib
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.sources.faults import EmptyFile, FileFault, NotJson, Problem, Truncated
from annotation.sources.records import records
from annotation.sources.rows import Record
from annotation.sources.texts import BLOCK, MOST_LINE
from tests.files_read import GOOD, fields, lines, places, read

BAD = [
    ('{"a": NaN}', "NaN is no JSON number"),
    ('{"a": [-Infinity]}', "Infinity is no JSON number"),
    ('{"a": 1e400}', "too large"),
    ('{"a": -1E+999}', "too large"),
    ('{"a": 9223372036854775808}', "64 bits"),
    ('{"a": -9223372036854775809}', "64 bits"),
    ('{"a": ' + "9" * 10_000 + "}", "64 bits"),
    ('{"a": 1, "a": 1}', "'a' stands twice"),
    ('{"a": 1, "\\u0061": 2}', "'a' stands twice"),
    ('{"b": [{"a": 1, "a": 2}]}', "'a' stands twice"),
    ('{"a": "\\u0000"}', "NUL"),
    ('{"\\u0000": 1}', "NUL"),
    ('{"a": {"\\u0000": 1}}', "NUL"),
    ('{"a": "\\ud83d"}', "half a character"),
    ('{"a": [["\\uDFFF"]]}', "half a character"),
    ('{"a": "\\ude00\\ud83d"}', "half a character"),
    ('{"a": ' + "[" * 16 + "]" * 16 + "}", "nested deeper"),
    ('{"a": ' + '{"a": ' * 16 + "1" + "}" * 17, "nested deeper"),
    ("[1, 2]", "no object"),
    ('"text"', "no object"),
    ("null", "no object"),
    ("17", "no object"),
]
SOUND = [
    '{"a": 9223372036854775807, "b": -9223372036854775808}',
    '{"a": 1e308, "b": 1e-400, "c": -0.0}',
    '{"a": "\\ud83d\\ude00", "b": "\\\\u0000 \\\\ud800"}',
    '{"a": {"x": 1}, "b": {"x": 1}}',
    '{"a": "NaN Infinity 1e400 {{{{{{{{{{{{{{{{{{{{ [[[[[[[["}',
    '{"a": ' + "[" * 15 + "1" + "]" * 15 + "}",
    '{"a": [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15], [16], [17]]}',
    '{"" : 0}',
    "{}",
]


@pytest.mark.parametrize(("row", "reason"), BAD)
def test_a_flawed_line_is_refused_and_the_others_are_read(tmp_path: Path, row: str, reason: str) -> None:
    found = read(tmp_path, lines(GOOD, row, GOOD))
    assert [type(one) for one in found] == [Record, Problem, Record]
    assert isinstance(found[1], Problem)
    assert found[1].line == 2
    assert reason in found[1].reason


@pytest.mark.parametrize(("row", "reason"), BAD)
def test_a_flawed_row_of_a_list_is_refused_and_the_others_are_read(tmp_path: Path, row: str, reason: str) -> None:
    one = json.dumps(GOOD)
    found = read(tmp_path, f"[{one},\n\n{row},\n{one}]".encode())
    assert [type(one) for one in found] == [Record, Problem, Record]
    assert places(found) == [1, 3, 4]
    assert isinstance(found[1], Problem)
    assert reason in found[1].reason


@pytest.mark.parametrize("row", SOUND)
def test_what_only_looks_flawed_is_read(tmp_path: Path, row: str) -> None:
    assert fields(read(tmp_path, lines(GOOD, row))) == [GOOD, json.loads(row)]
    assert fields(read(tmp_path, f"[{row}]".encode())) == [json.loads(row)]


@pytest.mark.parametrize(
    "row",
    [
        '{"a": ' + "[" * 10_000 + "]" * 10_000 + "}",
        "[" * 10_000 + "]" * 10_000,
        '{"a": "\x00"}',
        '{"a": "tab\there"}',
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": 01}',
        '{"a": .5}',
        '{"a": 1} {"b": 2}',
        '{"a": "open',
        "\xa0{}",
        "//",
        '{"a": "' + "x" * MOST_LINE + '"}',
    ],
)
def test_a_line_that_is_no_json_is_refused_with_its_line(tmp_path: Path, row: str) -> None:
    found = read(tmp_path, lines(GOOD, row, GOOD))
    assert [type(one) for one in found] == [Record, Problem, Record]
    assert found[1].line == 2


def test_every_bad_row_of_a_half_bad_file_is_named(tmp_path: Path) -> None:
    rows = [json.dumps(GOOD) if number % 2 else '{"a": NaN}' for number in range(1, 1001)]
    for content in ("\n".join(rows), "[" + ",\n".join(rows) + "]"):
        found = read(tmp_path, content.encode())
        assert places(found) == list(range(1, 1001))
        assert [one.line for one in found if isinstance(one, Problem)] == list(range(2, 1001, 2))


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (lines(GOOD) + b'{"image": "a.jpg", "quest', Truncated),
        (lines(GOOD) + b'{"image": "a.jpg"', Truncated),
        (b'{"image": "a.jpg", "quest', Truncated),
        (b'{"image": tr', Truncated),
        (b"[", Truncated),
        (b'[{"a": 1},', Truncated),
        (b'[{"a": 1}', Truncated),
        (b'[{"a": 1}, {"b": "c', Truncated),
        (b'[{"a": 1}, {"b": "c\\u12', Truncated),
        (b'[{"a": 1}, {"b": -', Truncated),
        (b'[{"a": 1}, {"b": fals', Truncated),
        (b'[{"a": 1}, {"b": 1.', Truncated),
        (b'[{"a": 1}, {"b": 1e-', Truncated),
        (b'[{"a": 1}, {"b"', Truncated),
        (b"[]", EmptyFile),
        (b" [ \n ] ", EmptyFile),
        (b'[{"a": 1} {"b": 2}]', NotJson),
        (b'[{"a": 1,,}]', NotJson),
        (b'[{"a": 1},]', NotJson),
        (b'[{"a": 1}] and more', NotJson),
        (b'[{"a": 1}]\n[{"a": 1}]', NotJson),
        (b'[{"a": ' + b"[" * 10_000 + b"]" * 10_000 + b"}]", NotJson),
        (b'{\n "rows": [\n  1,\n  2\n ]\n}\n', NotJson),
        (b"[1, {'a': 2}]", NotJson),
    ],
)
def test_a_cut_or_broken_file_is_refused_as_a_whole(tmp_path: Path, content: bytes, fault: type[FileFault]) -> None:
    with pytest.raises(FileFault) as refusal:
        read(tmp_path, content)
    assert type(refusal.value) is fault


def test_a_broken_list_names_the_line_of_the_break(tmp_path: Path) -> None:
    with pytest.raises(NotJson, match="Line 4 is no JSON"):
        read(tmp_path, b'[\n{"a": 1},\n{"a":\n  oops}\n]')


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_list_cut_anywhere_is_a_cut_file(tmp_path: Path, cut: int) -> None:
    content = json.dumps([{"ä": -1.5e-7, "b": [True, None, False]}, {"c": "\\ \U0001f600"}]).encode()
    with pytest.raises(Truncated):
        read(tmp_path, content[: -min(cut, len(content) - 1)], encoding="utf-8")


def test_a_pretty_list_gives_each_row_the_line_it_begins_on(tmp_path: Path) -> None:
    assert places(read(tmp_path, json.dumps([GOOD, GOOD], indent=2).encode())) == [2, 7]


def test_rows_longer_than_a_block_are_read(tmp_path: Path) -> None:
    rows = [{"a": "x" * length, "b": length} for length in (BLOCK - 20, BLOCK, BLOCK + 1, 3 * BLOCK, 5)]
    assert fields(read(tmp_path, json.dumps(rows).encode())) == rows
    assert fields(read(tmp_path, lines(*rows))) == rows


def test_a_number_between_two_blocks_stays_one_number(tmp_path: Path) -> None:
    first, second = read(tmp_path, b"[" + b" " * (BLOCK - 3) + b"1234, {}]")
    assert first == Problem(1, "", "1234", "The row is no object.")
    assert second == Record(1, {})


def test_a_row_of_a_list_that_is_too_long_is_refused(tmp_path: Path) -> None:
    long = json.dumps({"a": "x" * MOST_LINE})
    found = read(tmp_path, f"[{long}, {json.dumps(GOOD)}]".encode())
    assert [type(one) for one in found] == [Problem, Record]
    with pytest.raises(NotJson, match="Line 1: The row is longer than 1024 KiB"):
        read(tmp_path, b'[{"a": "' + b"x" * (4 * MOST_LINE) + b'"}]')


@pytest.mark.parametrize("form", ["jsonl", "json"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, form: str) -> None:
    path, row = tmp_path / "rows", json.dumps({**GOOD, "note": "x" * 400})
    with path.open("w") as stream:
        stream.write("[" if form == "json" else "")
        for number in range(40_000):
            stream.write(("," if form == "json" else "\n") * (number > 0) + row)
        stream.write("]" if form == "json" else "\n")
    tracemalloc.start()
    try:
        assert sum(isinstance(one, Record) for one in records(path)) == 40_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 16 << 20
    assert peak < 6 << 20


@pytest.mark.parametrize("after", [0, 1, 2, 3, 4, 5, 9])
def test_reading_goes_on_after_a_line(tmp_path: Path, after: int) -> None:
    one = json.dumps(GOOD)
    text = f'{one}\n\n{{"a": NaN}}\n{one}\n{one}'
    assert places(read(tmp_path, text.encode(), after=after)) == [line for line in (1, 3, 4, 5) if line > after]
    listed = f'[{one},\n\n{{"a": NaN}},\n{one},\n{one}]'
    assert places(read(tmp_path, listed.encode(), after=after)) == [line for line in (1, 3, 4, 5) if line > after]


def test_lines_before_the_place_are_not_even_parsed(tmp_path: Path) -> None:
    assert read(tmp_path, b"no json\n" * 3 + lines(GOOD), form="jsonl", after=3) == [Record(4, GOOD)]


@given(st.binary(max_size=200))
def test_any_bytes_are_either_refused_or_read(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    for start in (b"", b"[", b'{"image": ', b'[{"image": "a", "question": "b", "answer": '):
        with contextlib.suppress(FileFault):
            assert read(tmp_path_factory.getbasetemp(), start + content)
