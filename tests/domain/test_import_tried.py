"""Before Max imports a file he is told what would come of it: exactly what then does."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Acquisition, ImportedRow, Person, Question, Source
from annotation.questions.intake import Trial, import_rows, trying
from annotation.sources.layouts import Options
from annotation.sources.previews import Preview, preview
from tests.conftest import counted_statements
from tests.factories import make_image, make_source

ROW = {"image": "a.jpg", "question": "What is it?", "answer": "a kettle"}


@pytest.fixture
def source(max_: Person) -> Source:
    """Two names of pictures that are here, of 100 x 50 pixels."""
    source = make_source("custom")
    for name in ("a.jpg", "b.jpg"):
        image = make_image(source=source, width=100, height=50)
        Acquisition.objects.create(source=source, name=name, state="stored", image=image)
    return source


def file(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps({**ROW, **row}) + "\n" for row in rows))
    return path


def tried(path: Path, source: Source | None) -> Preview:
    return preview(path, "generic", Options(), rows=5, judge=Trial(source))


def agrees(path: Path, source: Source, by: Person) -> tuple[int, int, int]:
    """What was said before, which must be what then happens: accepted, known, rejected."""
    before = tried(path, source)
    batch = import_rows(source=source, path=path, layout="generic", by=by)
    said = (before.accepted, before.known, before.rejected)
    assert said == (batch.rows_accepted + batch.rows_waiting, batch.rows_known, batch.rows_rejected)
    problems = list(batch.problems.order_by("line", "pk").values_list("line", "field", "value", "reason"))
    assert [(p.line, p.field, p.value, p.reason) for p in before.problems] == problems
    return said


def test_what_is_said_is_what_happens(source: Source, max_: Person, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {},
        {"answer": "A  Kettle"},
        {"answer": "a pot"},
        {"image": "b.jpg"},
        {"question": "Where?", "box": [10, 10, 300, 40]},
        {"question": "Where?", "box": [10, 10, 100.6, 50.5]},
        {"question": "How many?", "points": [[1, 2], [3, 99]]},
        {"image": "c.jpg"},
        {"image": "c.jpg", "question": "Long?", "id": "x" * 200},
        {"image": "d" * 2500 + ".jpg"},
        {"question": ""},
    ]
    assert agrees(file(tmp_path / "first.jsonl", *rows), source, max_)[1] == 1
    assert agrees(file(tmp_path / "second.jsonl", *rows, {"question": "New?"}), source, max_)[0] == 2


def test_the_same_rows_again_are_all_known(source: Source, max_: Person, tmp_path: Path) -> None:
    path = file(tmp_path / "a.jsonl", {}, {"question": "Which?"}, {"image": "b.jpg"})
    assert agrees(path, source, max_) == (3, 0, 0)
    again = tried(path, source)
    assert (again.accepted, again.known, len(again.rows)) == (0, 3, 3)
    assert agrees(file(tmp_path / "b.jsonl", {}, {"question": "Which?"}, {"image": "b.jpg", "id": "7"}), source, max_) == (
        0,
        3,
        0,
    )


def test_a_file_that_differs_in_one_row_brings_one_row(source: Source, max_: Person, tmp_path: Path) -> None:
    rows = [{"question": f"What is {number}?"} for number in range(9)]
    agrees(file(tmp_path / "a.jsonl", *rows), source, max_)
    rows[4] = {"question": "What is four?"}
    assert agrees(file(tmp_path / "b.jsonl", *rows), source, max_) == (1, 8, 0)


def test_an_edited_twin_that_is_here_is_known_and_one_whose_text_is_an_original_is_rejected(
    source: Source, max_: Person, tmp_path: Path
) -> None:
    plain = {"data_source": "custom", "is_unanswerable": False}
    twin = {**plain, "is_unanswerable": True, "answer": "unanswerable", "reason": "There is no red kettle."}
    originals = [{**plain, "question": f"What is on the {colour} kettle?"} for colour in ("blue", "green")]
    edited = {**twin, "question": "What is on the red kettle?"}
    path = file(tmp_path / "a.jsonl", originals[0], edited)
    import_rows(source=source, path=path, layout="hardbench", by=max_)
    assert Question.objects.filter(kind="edited").count() == 1
    path = file(tmp_path / "b.jsonl", *originals, edited, {**twin, "question": originals[1]["question"]})
    import_rows(source=source, path=file(tmp_path / "c.jsonl", originals[1]), layout="hardbench", by=max_)
    before = preview(path, "hardbench", Options(), rows=5, judge=Trial(source))
    batch = import_rows(source=source, path=path, layout="hardbench", by=max_)
    assert (before.known, before.rejected) == (batch.rows_known, batch.rows_rejected) == (3, 1)
    assert before.problems[0].reason == batch.problems.get().reason


def test_nothing_is_written_and_few_statements_are_asked(source: Source, tmp_path: Path) -> None:
    path = file(tmp_path / "a.jsonl", *({"question": f"What is {number}?"} for number in range(500)))
    with counted_statements() as statements:
        tried(path, source)
    assert len(statements) == 2, "the sources that are known, and the chunk's pictures with what stands there"
    assert all(sql.lstrip().startswith("SELECT") for sql in statements)
    assert not ImportedRow.objects.exists()
    assert not Question.objects.exists()


def test_a_source_that_is_new_knows_nothing(source: Source, tmp_path: Path) -> None:
    found = tried(file(tmp_path / "a.jsonl", {}, {}, {"answer": "a pot"}), None)
    assert (found.accepted, found.known, found.rejected) == (1, 1, 1), "but one file can repeat and contradict itself"


def test_memory_is_bounded_by_forgetting_the_oldest_rows(tmp_path: Path, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "MOST_REMEMBERED", 2)
    rows = [{"question": text} for text in ("A?", "B?", "C?", "C?", "A?")]
    found = tried(file(tmp_path / "a.jsonl", *rows), None)
    assert (found.accepted, found.known) == (4, 1)
