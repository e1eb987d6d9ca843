"""A large import is promoted by several threads at once, and nobody can tell afterwards."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest
from django.db import connections, transaction

from annotation.models import Acquisition, ImportBatch, ImportedRow, ImportProblem, JournalEntry, Person, Question
from annotation.questions.intake import import_rows, lanes, promote_rows, promoting
from tests.factories import make_image, make_source
from tests.people import make_person

PICTURES, ROWS = 7, 120


class Broken(Exception):
    """The machine went down."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promoting, "CHUNK", 10)
    monkeypatch.setattr(promoting, "MANY", 50)


@pytest.fixture
def values(committed_db: None, tmp_path: Path) -> dict[str, Any]:
    """An import of rows about pictures that are here; every question comes twice, with another answer the second time."""
    source = make_source("custom")
    for number in range(PICTURES):
        Acquisition.objects.create(source=source, name=f"{number}.jpg", state="stored", image=make_image(source=source))
    path = tmp_path / "rows.jsonl"
    rows = [(f"{n % PICTURES}.jpg", f"What is {n}?") for n in range(ROWS)]
    asked = [(image, question, answer) for answer in ("first", "second") for image, question in rows]
    path.write_text("".join(json.dumps({"image": i, "question": q, "answer": a}) + "\n" for i, q, a in asked))
    return {"source": source, "path": path, "layout": "generic", "by": make_person("max")}


def in_threads(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The threads that write; filled while an import runs."""
    seen, real = set[int](), promoting._write

    def noted(*args: Any) -> None:
        seen.add(get_ident())
        real(*args)

    monkeypatch.setattr(promoting, "_write", noted)
    return seen


@pytest.mark.usefixtures("small")
def test_rows_come_in_once_and_of_two_answers_the_first_of_the_file_stands(
    values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = in_threads(monkeypatch)
    batch = import_rows(**values)
    assert len(threads) == promoting.LANES
    assert get_ident() not in threads
    assert (batch.state, batch.rows_accepted, batch.rows_rejected, batch.rows_waiting) == ("done", ROWS, ROWS, 0)
    assert set(Question.objects.values_list("answers__0", flat=True)) == {"first"}
    assert set(ImportProblem.objects.values_list("line", flat=True)) == set(range(ROWS + 1, 2 * ROWS + 1))
    added = JournalEntry.objects.filter(event="questions.added").values_list("after__accepted", flat=True)
    assert sum(int(count) for count in added) == ROWS


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("at", range(1, 6))
def test_what_breaks_in_one_lane_is_said_and_the_next_run_completes_it(
    values: dict[str, Any], monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    real, calls = promoting._write, list[int]()

    def breaking(*args: Any) -> None:
        real(*args)
        calls.append(1)
        if len(calls) == at:
            raise Broken

    monkeypatch.setattr(promoting, "_write", breaking)
    with pytest.raises(Broken):
        import_rows(**values)
    batch = ImportBatch.objects.get()
    assert Question.objects.count() == batch.rows_accepted
    assert ImportedRow.objects.count() == batch.rows_waiting > 0
    batch = import_rows(**values)
    assert (batch.rows_accepted, batch.rows_rejected, batch.rows_waiting) == (ROWS, ROWS, 0)
    assert set(Question.objects.values_list("answers__0", flat=True)) == {"first"}


@pytest.mark.usefixtures("small")
def test_whoever_stops_listening_stops_the_lanes_before_it_goes_on(values: dict[str, Any]) -> None:
    def stop(doing: str, done: int, all_: int) -> None:
        if doing == "questions":
            raise Broken

    with pytest.raises(Broken):
        import_rows(**values, progress=stop)
    left = ImportedRow.objects.count()
    assert 0 < left < 2 * ROWS
    assert threading.active_count() == 1 or not any("ThreadPool" in one.name for one in threading.enumerate())
    assert ImportedRow.objects.count() == left


@pytest.mark.usefixtures("small")
def test_a_picture_that_arrives_meanwhile_waits_for_the_lanes_and_takes_no_row_twice(values: dict[str, Any]) -> None:
    late = Acquisition.objects.get(name="3.jpg")
    image = late.image
    Acquisition.objects.filter(pk=late.pk).update(state="wanted", image=None)
    arrived = list[int]()

    def arrive(doing: str, done: int, all_: int) -> None:
        if doing == "questions" and not arrived:
            Acquisition.objects.filter(pk=late.pk).update(state="stored", image=image)
            arrived.append(promote_rows(acquisition_ids=[late.pk]).rows)

    import_rows(**values, progress=arrive)
    promote_rows(acquisition_ids=[late.pk])
    batch = ImportBatch.objects.get()
    assert arrived[0] > 0
    assert (batch.rows_accepted, batch.rows_rejected, batch.rows_waiting) == (ROWS, ROWS, 0)


@pytest.mark.usefixtures("small")
def test_inside_somebodys_transaction_nobody_else_is_asked_to_help(
    values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = in_threads(monkeypatch)
    with transaction.atomic():
        assert import_rows(**values).rows_accepted == ROWS
    assert threads == {get_ident()}


@pytest.mark.usefixtures("committed_db")
def test_lanes_give_what_each_finds_and_leave_no_connection() -> None:
    make_person("max")

    used = list[Any]()

    def job(lane: int) -> Iterator[int]:
        used.append(connections["default"])
        yield from (Person.objects.count() * 10 + lane for _ in range(3))

    assert sorted(lanes.in_lanes(job, 2)) == [10, 10, 10, 11, 11, 11]
    assert len({id(one) for one in used}) == 2
    assert [one.connection for one in used] == [None, None]
