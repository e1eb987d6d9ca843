"""The journal is sealed by the clock, and sealing holds nobody up."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction

from annotation import journal
from annotation.models import Checkpoint, JournalEntry, Person
from annotation.tasks import work as tasks
from tests.people import make_person


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


def write(person: Person) -> JournalEntry:
    return journal.record(event="tea.made", actor=person, subject=person)


def test_the_sweep_seals_at_once_and_then_in_its_own_time(max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write(max_)
    tasks.sweep()
    assert Checkpoint.objects.get().last_entry == first.pk
    last = write(max_)
    tasks.sweep()
    assert Checkpoint.objects.count() == 1, "it was not due yet"
    monkeypatch.setattr(journal, "SEAL_EVERY", timedelta())
    tasks.sweep()
    tasks.sweep()
    assert list(Checkpoint.objects.order_by("pk").values_list("last_entry", flat=True)) == [first.pk, last.pk]
    assert journal.first_broken_checkpoint() is None


def test_what_did_not_fit_is_sealed_by_the_next_sweep(max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SEAL_AT_MOST", 1)
    for _ in range(3):
        write(max_)
    for _ in range(4):
        tasks.sweep()
    assert Checkpoint.objects.count() == 3


def test_a_long_import_that_writes_entries_is_not_waited_for(max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "LOCK_PATIENCE_MS", 10)
    write(max_)
    written, ended = threading.Event(), threading.Event()

    def import_for_long() -> None:
        with transaction.atomic():
            write(max_)
            written.set()
            ended.wait(20)
        connections.close_all()

    other = threading.Thread(target=import_for_long)
    other.start()
    try:
        assert written.wait(20)
        assert journal.seal_when_due() is None
        with pytest.raises(journal.JournalBusy):
            journal.seal()
    finally:
        ended.set()
        other.join()
    checkpoint = journal.seal()
    assert checkpoint is not None
    assert checkpoint.entries == 2


def test_votes_need_not_wait_while_entries_are_hashed(max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    write(max_)
    held: list[int] = []

    def look(row: JournalEntry) -> bytes:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE relation = 'journal_entry'::regclass AND mode = 'ShareLock'")
            held.append(cursor.fetchone()[0])
        return b"leaf"

    monkeypatch.setattr(journal, "leaf", look)
    assert journal.seal() is not None
    assert held == [0]


def test_two_sealers_make_one_chain(max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    write(max_)
    settled = journal._last_settled

    def overtaken() -> int:
        monkeypatch.setattr(journal, "_last_settled", settled)
        assert journal.seal() is not None
        write(max_)
        return settled()

    monkeypatch.setattr(journal, "_last_settled", overtaken)
    assert journal.seal() is None, "the other one was first"
    assert journal.seal() is not None
    assert journal.first_broken_checkpoint() is None
    assert list(Checkpoint.objects.values_list("entries", flat=True)) == [1, 1]
