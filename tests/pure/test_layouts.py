"""Files of rows: what is read, which row is refused on which line, and what makes the whole file unusable."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.sources.faults import EmptyFile, FileFault, NotJson, NotRows, Problem, Truncated, Unreadable, WrongLayout
from annotation.sources.layouts import reading
from annotation.sources.rows import Row, Wanted

DEMO = Path(__file__).parents[2] / "annotation" / "demo"
GOOD = {"image": "a.jpg", "question": "What is red?", "answer": "the kettle"}
HARD = {**GOOD, "data_source": "tallyqa", "is_unanswerable": False}


def lines(*rows: dict[str, Any] | str) -> bytes:
    return b"".join((row if isinstance(row, str) else json.dumps(row)).encode() + b"\n" for row in rows)


def read(tmp_path: Path, content: bytes, layout: str = "generic") -> list[Row | Problem]:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    return list(reading(path, layout))


def refused(tmp_path: Path, row: dict[str, Any] | str, layout: str = "generic") -> Problem:
    """The problem of a row that stands on line 2 between two good ones."""
    good = GOOD if layout == "generic" else HARD
    first, found, last = read(tmp_path, lines(good, row, good), layout)
    assert (type(first), type(last)) == (Row, Row)
    assert isinstance(found, Problem)
    assert found.line == 2
    return found


def test_the_demo_rows_are_all_read() -> None:
    rows = list(reading(DEMO / "demo_questions.jsonl", "generic"))
    assert len(rows) == 42
    assert all(isinstance(row, Row) for row in rows)
    assert rows[0] == Row(
        line=1,
        image=Wanted("Wine_by_Jakkub_Mede.jpg"),
        question="What is standing on the table to the left of the wine bottle?",
        answers=("a wine glass",),
        key="demo-001",
        boxes=((959.0, 758.0, 1157.0, 1310.0),),
        family="relation",
        data_source="demo-photos",
    )
    assert rows[11].boxes == ()  # type: ignore[union-attr]


def test_numbers_count_as_answers_and_zero_is_one_of_them(tmp_path: Path) -> None:
    (row,) = read(tmp_path, lines({**GOOD, "answer": 0}))
    assert row.answers == ("0",)  # type: ignore[union-attr]


def test_several_answers_and_options_keep_their_order(tmp_path: Path) -> None:
    values = {"image": "./a.jpg", "question": "Which?", "answers": ["9", "nine"], "options": ["b", "a"], "id": 17}
    (row,) = read(tmp_path, lines(values))
    assert row == Row(1, Wanted("a.jpg"), "Which?", ("9", "nine"), ("b", "a"), "17", setting="option")


def test_hardbench_rows_are_read_from_a_list_with_the_line_each_began_on(tmp_path: Path) -> None:
    twin = {**HARD, "question": "What is blue?", "answer": "unanswerable", "is_unanswerable": True, "reason": "No blue."}
    first, second = read(tmp_path, json.dumps([HARD, twin], indent=2).encode(), "hardbench")
    assert first == Row(2, Wanted("a.jpg"), "What is red?", ("the kettle",), data_source="tallyqa")
    assert second == Row(9, Wanted("a.jpg"), "What is blue?", data_source="tallyqa", unanswerable=True, reason="No blue.")


def test_hardbench_rows_are_read_from_lines_too(tmp_path: Path) -> None:
    assert len(read(tmp_path, lines(HARD, HARD), "hardbench")) == 2


def test_fields_that_no_layout_knows_are_counted_not_dropped_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(lines({**GOOD, "optoins": ["a"]}, {**GOOD, "optoins": ["b"], "note": 1}))
    file = reading(path, "generic")
    list(file)
    assert file.ignored == {"optoins": 2, "note": 1}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('{"image": "a.jpg", "question": "Q?", "answ', "no JSON"),
        ('{"image": "a.jpg", "question": "Q?", "answer": NaN}', "NaN is no JSON number"),
        ('{"image": "a.jpg", "question": "Q?", "answer": -Infinity}', "Infinity is no JSON number"),
        ('{"image": "a.jpg", "question": "Q?", "answer": 1e400}', "too large"),
        ('{"image": "a.jpg", "question": "Q?", "answer": 92233720368547758080}', "64 bits"),
        ('{"image": "a.jpg", "question": "Q?", "answer": ' + "9" * 10_000 + "}", "64 bits"),
        ('{"image": "a.jpg", "question": "Q?", "question": "R?", "answer": "x"}', "'question' stands twice"),
        ('{"image": "a.jpg", "question": "Q?", "answer": "x", "more": {"a": 1, "a": 2}}', "'a' stands twice"),
        ('{"image": "a.jpg", "question": "Q\\u0000?", "answer": "x"}', "NUL"),
        ('{"image": "a.jpg", "question": "Q\x00?", "answer": "x"}', "no JSON"),
        ('{"image": "a.jpg", "question": "Q\\ud83d?", "answer": "x"}', "half a character"),
        ('{"image": "a.jpg", "question": "Q?", "answer": "x", "more": ["\\udfff"]}', "half a character"),
        ('{"image": "a.jpg", "question": "Q?", "answer": "x", "more": ' + "[" * 17 + "]" * 17 + "}", "nested deeper"),
        ('{"image": "a.jpg", "question": "Q?", "answer": "x", "more": ' + "[" * 9999 + "]" * 9999 + "}", "nested deeper"),
        ('["image", "a.jpg"]', "no object"),
        ('"text"', "no object"),
        ("null", "no object"),
        ("{'image': 'a.jpg'}", "no JSON"),
        ('{"image": "a.jpg"} {"image": "b.jpg"}', "no JSON"),
        ('{"question": "' + "x" * (1 << 20) + '"}', "longer than 1024 KiB"),
    ],
)
def test_a_row_that_two_readers_could_understand_differently_is_refused_with_its_line(
    tmp_path: Path, row: str, reason: str
) -> None:
    assert reason in refused(tmp_path, row).reason


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"question": "  "}, "question"),
        ({"question": 7}, "question"),
        ({"question": None}, "question"),
        ({"question": "x" * 4001}, "question"),
        ({"question": "a\x1b[31mred"}, "question"),
        ({"answer": ""}, "answer"),
        ({"answer": None}, "answer"),
        ({"answer": True}, "answer"),
        ({"answer": ["a"]}, "answer"),
        ({"answers": []}, "answers"),
        ({"answers": [None]}, "answers"),
        ({"options": "a, b"}, "options"),
        ({"options": ["a", "a"]}, "options"),
        ({"options": [str(n) for n in range(27)]}, "options"),
        ({"image": "/etc/passwd"}, "image"),
        ({"image": "../../etc/passwd"}, "image"),
        ({"image": "a/../b.jpg"}, "image"),
        ({"image": "C:\\a.jpg"}, "image"),
        ({"image": "C:/a.jpg"}, "image"),
        ({"image": "~root/a.jpg"}, "image"),
        ({"image": "ftp://example.org/a.jpg"}, "image"),
        ({"image": "a//b.jpg"}, "image"),
        ({"image": ""}, "image"),
        ({"box": [1, 2, 3]}, "box"),
        ({"box": [10, 10, 5, 20]}, "box"),
        ({"box": [5, 0, 5, 20]}, "box"),
        ({"box": [0, 5, 20, 5]}, "box"),
        ({"box": [-1, 0, 5, 5]}, "box"),
        ({"box": [0, 0, True, 5]}, "box"),
        ({"box": ["0", 0, 5, 5]}, "box"),
        ({"boxes": {"x": 1}}, "boxes"),
        ({"boxes": [[0, 0, 1, 1]] * 1001}, "boxes"),
        ({"boxes": [[0, 0, 1]]}, "boxes"),
        ({"points": [[0, 0]] * 1001}, "points"),
        ({"points": [[0, 0, 0]]}, "points"),
        ({"points": [[0, -1]]}, "points"),
        ({"points": [[0, True]]}, "points"),
        ({"image_sha256": "AB"}, "image_sha256"),
        ({"id": 1.5}, "id"),
        ({"id": True}, "id"),
        ({"family": ["count"]}, "family"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_its_field(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    found = refused(tmp_path, {**GOOD, **change})
    assert found.field == field
    assert found.reason.endswith(".")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"is_unanswerable": "false"}, "is_unanswerable"),
        ({"is_unanswerable": 0}, "is_unanswerable"),
        ({"is_unanswerable": None}, "is_unanswerable"),
        ({"data_source": ""}, "data_source"),
        ({"reason": 5}, "reason"),
        ({"answer": []}, "answer"),
    ],
)
def test_a_hardbench_value_that_does_not_fit_is_refused_by_its_field(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    assert refused(tmp_path, {**HARD, **change}, "hardbench").field == field


def test_a_row_without_a_needed_field_is_refused(tmp_path: Path) -> None:
    assert "no question" in refused(tmp_path, {"image": "a.jpg", "answer": "x"}).reason
    assert "no answer" in refused(tmp_path, {"image": "a.jpg", "question": "Q?"}).reason


def test_a_problem_shows_the_value_without_what_no_database_stores(tmp_path: Path) -> None:
    found = refused(tmp_path, '{"image": "a.jpg", "question": "' + "\\u0000\\ud800" * 500 + '", "answer": "x"}')
    assert len(found.value) <= 200
    found.value.encode()
    assert "\x00" not in found.value


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", EmptyFile),
        (b" \n \n", EmptyFile),
        (b"[]", EmptyFile),
        (b"Just a text.\nIn two lines.\n", NotJson),
        (b"<html></html>", NotRows),
        (b"\x80\x04\x95pickle", NotRows),
        (b"PK\x03\x04", NotRows),
        ("\ufeff".encode("utf-16"), EmptyFile),
        (lines(GOOD) + b'{"image": "a.jpg", "quest', Truncated),
        (b'[{"image": "a.jpg", "question": "Q?", "answer": "x"},', Truncated),
        (b'[{"image": "a.jpg", "question": "Q?", "answer": "x"}', Truncated),
        (b'[{"image": "a.jpg", "question": "Q', Truncated),
        (b'[{"image": "a.jpg"} {"image": "b.jpg"}]', NotJson),
        (b'[{"image": "a.jpg",,}]', NotJson),
        (b'[{"image": "a.jpg", "question": "Q?", "answer": "x"}] and more', NotJson),
        (b'[{"image": "a.jpg", "more": ' + b"[" * 9999 + b"]" * 9999 + b"}]", NotJson),
        (b'{"rows": [1, 2, 3]}\n', WrongLayout),
        (lines({"query": "Q?", "reply": "x"}, {"query": "R?", "reply": "y"}), WrongLayout),
        (lines(HARD), WrongLayout),
    ],
)
def test_a_file_that_is_not_such_a_file_is_refused_as_a_whole(tmp_path: Path, content: bytes, fault: type[FileFault]) -> None:
    with pytest.raises(fault):
        read(tmp_path, content)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="nowhere"):
        list(reading(tmp_path / "nowhere.jsonl", "generic"))


def test_an_unknown_layout_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(WrongLayout, match="generic, hardbench"):
        reading(tmp_path / "rows.jsonl", "coco")


def test_problems_inside_a_list_carry_their_line_and_the_rest_is_read(tmp_path: Path) -> None:
    rows = [json.dumps(HARD), '{"image": NaN}', json.dumps(HARD)]
    first, found, last = read(tmp_path, ("[\n" + ",\n".join(rows) + "\n]").encode(), "hardbench")
    assert isinstance(first, Row)
    assert found == Problem(3, "", "NaN", "NaN is no JSON number.")
    assert isinstance(last, Row)


text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).filter(str.strip)


@given(question=text, answers=st.lists(text, min_size=1, max_size=3), key=text, as_list=st.booleans())
def test_whatever_stands_in_a_sound_row_comes_out_unchanged(
    tmp_path_factory: pytest.TempPathFactory, question: str, answers: list[str], key: str, as_list: bool
) -> None:
    values = {"image": "a.jpg", "question": question, "answers": answers, "id": key}
    content = json.dumps([values]).encode() if as_list else json.dumps(values, ensure_ascii=False).encode() + b"\n"
    (row,) = read(tmp_path_factory.mktemp("rows"), content)
    assert isinstance(row, Row)
    assert (row.question, row.key) == (question.strip(), key.strip())
    assert row.answers == tuple(dict.fromkeys(a.strip() for a in answers))


@given(st.binary(max_size=200))
def test_any_bytes_are_either_refused_or_read_and_never_break_the_reader(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    for start in (b"", b"[", b'{"image": ', b'[{"image": "a", "question": "b", "answer": '):
        path.write_bytes(start + content)
        with contextlib.suppress(FileFault):
            assert list(reading(path, "generic"))


def test_boxes_and_points_may_touch_the_edge_and_come_once(tmp_path: Path) -> None:
    values = {**GOOD, "box": [0, 0, 1, 1], "boxes": [[0, 0, 1, 1], [2, 0, 3, 1.5]], "points": [[0, 0], {"x": 1, "y": 2}]}
    (row,) = read(tmp_path, lines(values))
    assert isinstance(row, Row)
    assert row.boxes == ((0.0, 0.0, 1.0, 1.0), (2.0, 0.0, 3.0, 1.5))
    assert row.points == ((0.0, 0.0), (1.0, 2.0))


def test_a_picture_may_be_named_by_its_address_with_its_hash(tmp_path: Path) -> None:
    (row,) = read(tmp_path, lines({**GOOD, "image": "https://example.org/a.jpg", "image_sha256": "ab" * 32}))
    assert isinstance(row, Row)
    assert row.image == Wanted("https://example.org/a.jpg", "ab" * 32)
    assert row.image.is_address
