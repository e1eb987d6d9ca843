"""Ada seals the journal from a shell, and finds out whether it still says what was sealed."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections

from annotation import journal
from annotation.models import Checkpoint, Person
from tests.people import make_person


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


def write(person: Person, times: int) -> None:
    journal.record_many([journal.entry(event="tea.made", actor=person, subject=person) for _ in range(times)])


def sealed(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    call_command("seal_journal", "--json", *options)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_everything_is_sealed_in_as_many_checkpoints_as_it_takes(
    max_: Person, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(journal, "SEAL_AT_MOST", 2)
    write(max_, 5)
    assert sealed(capsys, "--check") == {"sealed": 5, "checked": True, "broken_at_entry": None}
    assert list(Checkpoint.objects.order_by("pk").values_list("entries", flat=True)) == [2, 2, 1]
    assert sealed(capsys)["sealed"] == 0


def test_a_person_reads_lines(max_: Person, capsys: pytest.CaptureFixture[str]) -> None:
    write(max_, 1)
    call_command("seal_journal", "--check")
    assert capsys.readouterr().out == "1 entry sealed\nall checkpoints hold\n"


def test_an_entry_that_was_changed_behind_the_product_is_found(max_: Person, capsys: pytest.CaptureFixture[str]) -> None:
    write(max_, 1)
    sealed(capsys)
    with connections["owner"].cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE journal_entry SET event = 'tea.spilled'")
        cursor.execute("SET session_replication_role = DEFAULT")
    with pytest.raises(SystemExit) as ended:
        call_command("seal_journal", "--check")
    assert ended.value.code == 1
    assert "no longer supports the checkpoint" in capsys.readouterr().out
