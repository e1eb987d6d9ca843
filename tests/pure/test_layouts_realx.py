"""RealX-Bench: alternatives in one text, and questions that the picture alone does not answer."""

from typing import Any

import pytest

from annotation.sources.alternatives import alternatives
from annotation.sources.layouts import Options
from annotation.sources.rows import LeftOut, Row, Wanted
from tests.rows_read import one_problem, one_row, parted, read

CLOCK: dict[str, Any] = {
    "query": "Which platform number is on the sign above the clock?",
    "answer": "9 or nine",
    "perception": 1,
    "search": 0,
    "reason": 0,
    "image": "images/station.jpg",
}


def test_the_example_file_is_read_without_what_needs_a_search() -> None:
    rows, problems, left_out = parted(read("realx.json", "realx"))
    assert rows[0] == Row(
        line=2,
        image=Wanted("images/station.jpg"),
        question=CLOCK["query"],
        answers=("9", "nine"),
        key="2",
        extra={"answer": "9 or nine", "perception": 1, "search": 0, "reason": 0},
    )
    assert [row.answers for row in rows[1:]] == [("Trick or Treat",), ("18 or older",)]
    assert left_out == [LeftOut(3, "The question needs a web search (search = 1).")]
    assert [(one.line, one.field) for one in problems] == [(6, "search")]


def test_questions_that_need_a_search_come_in_where_they_are_wanted() -> None:
    rows, _, left_out = parted(read("realx.json", "realx", Options(only_without_search=False)))
    assert (len(rows), left_out) == (4, [])


def test_a_list_of_ids_decides_alone() -> None:
    rows, _, left_out = parted(read("realx.json", "realx", Options(ids=frozenset({"3"}))))
    assert [row.key for row in rows] == ["3"]
    assert [one.line for one in left_out] == [2, 4, 5]
    assert {one.reason for one in left_out} == {"The row is not in the list of ids."}


def test_a_row_keeps_its_own_id_where_it_has_one() -> None:
    assert one_row("realx", {**CLOCK, "id": 41}).key == "41"
    assert one_row("realx", CLOCK).key == "7"


def test_a_picture_may_come_as_bytes_or_as_a_file() -> None:
    for image in (b"\xff\xd8\xff", {"bytes": b"\xff\xd8\xff", "path": None}, {"bytes": b"\xff\xd8\xff", "path": "/tmp/x"}):
        found = one_row("realx", {**CLOCK, "image": image}).image
        assert found.content == b"\xff\xd8\xff"
        assert found.name == f"embedded/{found.sha256}"
    assert one_row("realx", {**CLOCK, "image": {"bytes": None, "path": "a.jpg"}}).image == Wanted("a.jpg")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"search": None}, "search"),
        ({"search": "0"}, "search"),
        ({"perception": 3}, "perception"),
        ({"answer": " "}, "answer"),
        ({"answer": None}, "answer"),
        ({"query": None}, "query"),
        ({"image": None}, "image"),
        ({"image": {"bytes": b"", "path": ""}}, "image"),
        ({"image": b""}, "image"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_its_field(change: dict[str, Any], field: str) -> None:
    assert one_problem("realx", {**CLOCK, **change}).field == field


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("9 or nine", ("9", "nine")),
        ("9 or nine or IX", ("9", "nine", "IX")),
        ("9 OR nine", ("9", "nine")),
        ("red or red", ("red",)),
        ("either red or blue", ("red", "blue")),
        ("Paris, Texas or Paris, France", ("Paris, Texas", "Paris, France")),
        ("Trick or Treat", ("Trick or Treat",)),
        ("Trick or Treat or Halloween", ("Trick or Treat", "Halloween")),
        ("5 or more", ("5 or more",)),
        ("5 or more or at least 5", ("5 or more", "at least 5")),
        ("more or less", ("more or less",)),
        ('"now or later"', ('"now or later"',)),
        ('"now or later" or "never"', ('"now or later"', '"never"')),
        ("“Sink or swim”", ("“Sink or swim”",)),
        ("the cup (red or blue)", ("the cup (red or blue)",)),
        ("Salem, OR 97301", ("Salem, OR 97301",)),
        ("an unclosed ( or two", ("an unclosed (", "two")),
        ("door", ("door",)),
        ("red or ", ("red or",)),
        ("or", ("or",)),
        (" red ", ("red",)),
        ("", ()),
        ("color or colour", ("color", "colour")),
    ],
)
def test_alternatives_are_parted_with_care(text: str, listed: tuple[str, ...]) -> None:
    assert alternatives(text) == listed
