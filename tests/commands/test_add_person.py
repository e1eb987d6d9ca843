"""Max lets people in from a shell; each can log in, and acts under a pseudonym."""

import io
import json
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command

from annotation.demo.people import seed_people
from annotation.models import JournalEntry, Person, User

PASSWORD = "a kettle of 12 fish"


def refused(*arguments: Any, **options: Any) -> CommandError:
    with pytest.raises(CommandError) as refusal:
        call_command("add_person", *arguments, **options)
    return refusal.value


def test_the_first_administrator_gets_a_password_that_is_shown_once(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("add_person", "ida", "--role", "administrator", "--json")
    said = json.loads(capsys.readouterr().out)
    ida = authenticate(username="ida", password=said["password"])
    assert isinstance(ida, User)
    assert (ida.roles, ida.person.pseudonym) == (["administrator"], said["pseudonym"])
    assert said["pseudonym"] != "ida"
    entry = JournalEntry.objects.get(event="person.added")
    assert (entry.actor, entry.subject_id, entry.after) == (None, ida.person.pk, {"roles": ["administrator"]})


def test_max_brings_a_password_and_a_pseudonym(
    max_: Person, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    call_command("add_person", "eve", "--role=annotator", "--role=auditor", "--pseudonym=heron", "--password-stdin", "--by=max")
    said = capsys.readouterr().out
    assert said == "eve can log in as annotator, auditor and acts as heron.\n"
    assert authenticate(username="eve", password=PASSWORD) == User.objects.get(person__pseudonym="heron")
    assert JournalEntry.objects.get(event="person.added").actor == max_


@pytest.mark.parametrize("taken", ["ann", "Ann"])
def test_a_name_that_is_taken_is_refused_and_nothing_changes(ann: Person, taken: str) -> None:
    assert refused(taken, "--role=annotator").returncode == 4
    assert refused("eve", "--role=annotator", f"--pseudonym={taken}").returncode == 4
    assert list(User.objects.values_list("username", "roles")) == [("ann", ["annotator"])]


@pytest.mark.parametrize(
    "arguments",
    [("eve o'neil",), ("",), ("eve", "--pseudonym=eve"), ("eve", "--pseudonym=" + "e" * 41), ("e\0ve",)],
)
def test_a_name_that_cannot_be_used_is_refused(db: None, arguments: tuple[str, ...]) -> None:
    assert refused(*arguments, "--role=annotator").returncode == 2
    assert not User.objects.exists()


@pytest.mark.parametrize("password", ["short", "", "password1234", "evelyn-evelyn"])
def test_a_password_that_can_be_guessed_is_refused(db: None, monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(password))
    assert refused("evelyn-evelyn", "--role=annotator", "--password-stdin").returncode == 2
    assert not User.objects.exists()


def test_only_who_maintains_lets_people_in(ann: Person) -> None:
    assert refused("eve", "--role=annotator", "--by=ann").returncode == 5


def test_the_people_of_the_demonstration_come_in_the_same_way_and_once(db: None, settings: Any, tmp_path: Any) -> None:
    settings.STATE_DIR = tmp_path
    cast = seed_people()
    assert seed_people() == cast
    assert authenticate(username="ann", password=(tmp_path / "demo-password.txt").read_text()) == cast["ann"].user
    assert JournalEntry.objects.filter(event="person.added").count() == 6
