"""An import that is killed, at any point, goes on where it was: no row twice, none lost, and nothing half here meanwhile."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection, connections

from annotation.models import Acquisition, ImportBatch, ImportedRow, ImportProblem, JournalEntry, Person, Question, Source
from annotation.questions.intake import chunks, import_rows, importing, promote_rows, promoting, staging
from annotation.sources.faults import Truncated
from annotation.sources.operations import AlreadyImported, ImportUnderWay, held
from tests.factories import make_image, make_source
from tests.people import make_person

PATIENCE_SECONDS = 60


def lines(path: Path, count: int, *, picture: str = "a.jpg", every: int = 0) -> Path:
    """A file of rows, where every so manieth has no question."""
    with path.open("w") as stream:
        for number in range(count):
            question = "" if every and number % every == 0 else f"What is {number}?"
            stream.write(json.dumps({"image": picture, "question": question, "answer": "x", "id": number}) + "\n")
    return path


def stored(source: Source, name: str = "a.jpg", **values: Any) -> Acquisition:
    """A picture that is here."""
    return Acquisition.objects.create(source=source, name=name, state="stored", image=make_image(source=source, **values))


def started(path: Path, source: Source) -> subprocess.Popen[bytes]:
    """The command, in a process of its own, on the database of this test run."""
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    surroundings = {**os.environ, "DATABASE_URL": database.geturl(), "STORAGE_URL": settings.STORAGE_URL}
    words = [sys.executable, "manage.py", "import_source", source.key, str(path), "--layout", "generic", "--by", "max", "--json"]
    surroundings["DJANGO_SETTINGS_MODULE"] = "hardbench_web.settings"
    return subprocess.Popen(words, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def reached(is_there: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_there():
        if time.monotonic() > deadline:
            return False
        Event().wait(0.01)
    return True


def killed_when(path: Path, source: Source, is_there: Callable[[], bool]) -> None:
    """Start the command and kill it, as a machine that goes down does, once something is there."""
    process = started(path, source)
    try:
        assert reached(is_there)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    batch = ImportBatch.objects.get()
    assert reached(lambda: not _is_held(batch)), "the lock of a killed process ends with its connection"


def _is_held(batch: ImportBatch) -> bool:
    try:
        with held(batch):
            return False
    except ImportUnderWay:
        return True


def test_a_process_that_is_killed_while_reading_and_while_storing_is_gone_on_with(committed_db: None, tmp_path: Path) -> None:
    make_person("max")
    source = make_source("custom")
    stored(source)
    path = lines(tmp_path / "rows.jsonl", 60_000, every=1000)
    killed_when(path, source, lambda: ImportBatch.objects.filter(staged_line__gt=0).exists())
    batch = ImportBatch.objects.get()
    if batch.state == "reading":
        assert batch.rows_read == batch.staged_line < 60_000
        assert ImportedRow.objects.count() == batch.rows_waiting
        assert not Question.objects.exists(), "no row of a file that is not read whole is a question"
    killed_when(path, source, lambda: ImportBatch.objects.filter(rows_accepted__gt=0).exists())
    batch.refresh_from_db()
    assert Question.objects.count() == batch.rows_accepted
    process = started(path, source)
    said = json.loads(process.communicate()[0])
    assert process.returncode == 6
    assert (said["read"], said["accepted"], said["rejected"], said["waiting"]) == (60_000, 59_940, 60, 0)
    assert Question.objects.filter(kind="original").count() == 59_940
    assert Question.objects.values("source_row").distinct().count() == 59_940
    assert list(ImportProblem.objects.order_by("pk").values_list("line", flat=True)) == list(range(1, 60_001, 1000))
    assert not ImportedRow.objects.exists()


def test_ctrl_c_ends_a_real_run_in_words_and_the_next_one_goes_on(committed_db: None, tmp_path: Path) -> None:
    make_person("max")
    source = make_source("custom")
    path = lines(tmp_path / "rows.jsonl", 60_000)
    process = started(path, source)
    assert reached(lambda: ImportBatch.objects.filter(staged_line__gt=0).exists())
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert b"run the same command again" in errors
    again = started(path, source)
    said = json.loads(again.communicate()[0])
    assert (again.returncode, said["read"], said["waiting"]) == (0, 60_000, 60_000)
    assert ImportedRow.objects.values("source_row").distinct().count() == 60_000


class Broken(Exception):
    """The machine went down."""


BREAKABLE: dict[str, Any] = {
    "_copy": staging,
    "_advance": staging.Staging,
    "_write": promoting,
    "finish_batch": importing.source_operations,
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of ten, so that a short file has many."""
    monkeypatch.setattr(chunks, "CHUNK", 10)
    monkeypatch.setattr(promoting, "CHUNK", 10)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("at", range(1, 8))
@pytest.mark.parametrize("step", BREAKABLE)
def test_whatever_statement_is_the_last_the_next_run_completes_it(
    max_: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, at: int
) -> None:
    source = make_source("custom")
    stored(source)
    path = lines(tmp_path / "rows.jsonl", 35, every=7)
    values: dict[str, Any] = {"source": source, "path": path, "layout": "generic", "by": max_}
    owner = BREAKABLE[step]
    real, calls = getattr(owner, step), list[int]()

    def breaking(*args: Any, **rest: Any) -> Any:
        calls.append(1)
        done = real(*args, **rest)
        if len(calls) == at:
            raise Broken
        return done

    monkeypatch.setattr(owner, step, breaking)
    broke = False
    try:
        import_rows(**values)
    except Broken:
        broke = True
        if ImportBatch.objects.get().state == "reading":
            assert not Question.objects.exists()
        with suppress(AlreadyImported):  # it was the very last one
            import_rows(**values)
    batch = ImportBatch.objects.get()
    assert broke or len(calls) < at
    assert (batch.state, batch.rows_read, batch.rows_accepted, batch.rows_rejected) == ("done", 35, 30, 5)
    assert Question.objects.count() == 30
    assert JournalEntry.objects.filter(event="batch.imported").count() == 1


@pytest.mark.usefixtures("small")
def test_a_list_on_one_line_is_gone_on_with_inside_that_line(
    max_: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = make_source("custom")
    stored(source)
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"image": "a.jpg", "question": f"What is {n}?", "answer": "x"} for n in range(35)]))
    values: dict[str, Any] = {"source": source, "path": path, "layout": "generic", "by": max_}

    def stop(doing: str, done: int, all_: int) -> None:
        raise Broken

    with pytest.raises(Broken):
        import_rows(**values, progress=stop)
    assert ImportBatch.objects.values_list("staged_line", "staged_on_line", "rows_read").get() == (1, 10, 10)
    batch = import_rows(**values)
    assert (batch.rows_read, batch.rows_accepted, batch.rows_known) == (35, 35, 0)


@pytest.mark.usefixtures("small")
def test_a_fault_at_the_end_of_a_file_takes_back_the_rows_before_it(max_: Person, tmp_path: Path) -> None:
    source = make_source("custom")
    stored(source)
    path = lines(tmp_path / "rows.jsonl", 35, every=7)
    path.write_bytes(path.read_bytes() + b'{"image": "a.jpg", "quest')
    with pytest.raises(Truncated):
        import_rows(source=source, path=path, layout="generic", by=max_)
    batch = ImportBatch.objects.get()
    assert (batch.state, batch.rows_waiting) == ("aborted", 0)
    assert "36" in batch.fault
    assert not ImportedRow.objects.exists()
    assert not Question.objects.exists()
    assert JournalEntry.objects.get(event="batch.aborted").after["fault"] == "file-truncated"


@pytest.mark.usefixtures("small")
def test_rows_of_a_file_that_is_not_read_whole_stay_rows_when_their_picture_arrives(max_: Person, tmp_path: Path) -> None:
    source = make_source("custom")
    values: dict[str, Any] = {"source": source, "path": lines(tmp_path / "rows.jsonl", 35), "layout": "generic", "by": max_}

    def arrive(doing: str, done: int, all_: int) -> None:
        Acquisition.objects.update(state="stored", image=make_image(source=source))
        assert promote_rows(acquisition_ids=list(Acquisition.objects.values_list("pk", flat=True))).rows == 0
        raise Broken

    with pytest.raises(Broken):
        import_rows(**values, progress=arrive)
    assert not Question.objects.exists()
    assert import_rows(**values).rows_accepted == 35


def test_of_two_imports_of_one_file_at_once_the_second_says_so(committed_db: None, tmp_path: Path) -> None:
    max_, source = make_person("max"), make_source("custom")
    path = lines(tmp_path / "rows.jsonl", 3)
    values: dict[str, Any] = {"source": source, "path": path, "layout": "generic", "by": max_}
    refusals = list[str]()

    def second() -> None:
        try:
            import_rows(**values)
        except ImportUnderWay as refusal:
            refusals.append(refusal.message)
        finally:
            connections.close_all()

    def meanwhile(doing: str, done: int, all_: int) -> None:
        other = threading.Thread(target=second)
        other.start()
        other.join()

    assert import_rows(**values, progress=meanwhile).rows_waiting == 3
    assert set(refusals) == {"This file is being imported at this moment; look at its import."}


def test_a_million_problems_take_no_more_memory_than_a_few(max_: Person, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    with path.open("w") as stream:
        stream.write(json.dumps({"image": "a.jpg", "question": "What is it?", "answer": "x"}) + "\n")
        stream.writelines('{"image": "a.jpg", "question": "", "answer": "x"}\n' for _ in range(60_000))
    tracemalloc.start()
    try:
        batch = import_rows(source=make_source("custom"), path=path, layout="generic", by=max_)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (batch.rows_rejected, ImportProblem.objects.count()) == (60_000, 60_000)
    assert peak < 30_000_000
