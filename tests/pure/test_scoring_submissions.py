"""A researcher's predictions are read whole: every problem has its line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.evaluation.submissions import PROBLEMS_TOLD, Prediction, PredictionsInvalid, read_predictions

ROWS = {"a", "b", "c"}


def problems(content: bytes) -> list[tuple[int, str]]:
    with pytest.raises(PredictionsInvalid) as refusal:
        read_predictions(content, ROWS)
    return [(problem.line, problem.reason) for problem in refusal.value.problems]


def line(**fields: object) -> bytes:
    return json.dumps({"row_id": "a", "prediction": "red"} | fields).encode() + b"\n"


def test_good_lines_are_read_by_row() -> None:
    content = line() + b"\n" + line(row_id="b", prediction="", refused=True, confidence=1) + line(row_id="c", refused=None)
    assert read_predictions(content, ROWS) == {
        "a": Prediction("a", "red"),
        "b": Prediction("b", "", refused=True, confidence=1.0),
        "c": Prediction("c", "red"),
    }


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    assert list(read_predictions(b"\xef\xbb\xbf" + line().replace(b"\n", b"\r\n"), ROWS)) == ["a"]


def test_rows_without_a_line_are_simply_missing() -> None:
    assert list(read_predictions(line(row_id="b"), ROWS)) == ["b"]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"nonsense\n", "not JSON"),
        (b"\xff\xfe\n", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]\n", "object"),
        (line(answer="red"), "'answer' is unknown"),
        (b'{"row_id": "a"}\n', "prediction must be text"),
        (line(row_id=7), "row_id must be text"),
        (line(prediction=None), "prediction must be text"),
        (line(prediction="x" * 20_001), "longer than 20000"),
        (line(row_id="z"), "no row 'z'"),
        (line(refused="yes"), "refused must be"),
        (line(confidence=1.2), "confidence must be"),
        (line(confidence=True), "confidence must be"),
        (b'{"row_id": "a", "prediction": "x", "confidence": NaN}', "confidence must be"),
    ],
)
def test_a_bad_line_is_named_with_its_reason(bad: bytes, reason: str) -> None:
    ((number, told),) = problems(line(row_id="b") + bad)
    assert number == 2
    assert reason in told


def test_a_row_that_stands_twice_names_the_first_place() -> None:
    assert problems(line() + b"\n\n" + line()) == [(4, "Row 'a' stands in line 1 already.")]


def test_all_problems_are_told_at_once_and_never_without_end() -> None:
    assert [number for number, _ in problems(b"x\n" + line() + b"y\n")] == [1, 3]
    assert len(problems(b"x\n" * 5000)) == PROBLEMS_TOLD


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_file_is_refused(content: bytes) -> None:
    assert problems(content) == [(0, "The file holds no prediction.")]


def test_the_message_tells_the_first_problem_and_how_many_more() -> None:
    with pytest.raises(PredictionsInvalid, match=r"Line 1: .* There are 1 further problems\.") as refusal:
        read_predictions(b"x\ny\n", ROWS)
    assert (refusal.value.field, refusal.value.code) == ("predictions", "predictions-invalid")


@given(st.binary(max_size=200))
def test_no_file_whatever_breaks_the_reader(content: bytes) -> None:
    try:
        found = read_predictions(content, ROWS)
    except PredictionsInvalid as refusal:
        found = {problem.reason: None for problem in refusal.problems}
    assert found
