"""Max builds, checks and publishes releases from a shell; scripts read JSON and exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Person, Release
from annotation.releases.verify import verify
from tests.decided import PLAN, decided_pair
from tests.people import make_person


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


@pytest.fixture
def plan(tmp_path: Path) -> str:
    (tmp_path / "plan.json").write_text(json.dumps(PLAN), encoding="utf-8")
    return str(tmp_path / "plan.json")


def decide_pairs(count: int = 3) -> None:
    for _ in range(count):
        decided_pair()


def refused(*arguments: Any, **options: Any) -> CommandError:
    with pytest.raises(CommandError) as refusal:
        call_command("build_release", *arguments, **options)
    return refusal.value


def test_max_builds_publishes_and_writes_a_release_in_one_command(
    max_: Person, plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decide_pairs()
    call_command("build_release", "1.0", "--plan", plan, "--by", "max", "--publish", "--to", str(tmp_path / "out"))
    said = capsys.readouterr().out
    release = Release.objects.get()
    assert "plan: train: 2 answerable + 2 unanswerable = 2 pairs + 0 lone originals" in said
    assert "test: 1 edit" in said
    assert said.endswith(f"release 1.0 is published; manifest sha256 {release.manifest_sha256}\n")
    assert verify(tmp_path / "out", expect=release.manifest_sha256).sound


def test_a_script_reads_the_outcome_as_json(max_: Person, plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    decide_pairs()
    call_command("build_release", "1.0", "--plan", plan, "--by", "max", "--json")
    outcome = json.loads(capsys.readouterr().out)
    assert (outcome["state"], outcome["counts"]["test"], outcome["folder"]) == ("built", {"edit": 1, "original": 1}, None)
    assert outcome["left_out"]["control"] == 0


def test_a_release_that_fell_short_is_tried_again_by_the_same_command(max_: Person, plan: str) -> None:
    refusal = refused("1.0", plan=plan, by="max")
    assert refusal.returncode == 4
    assert "Relaxations" in str(refusal)
    decide_pairs()
    call_command("build_release", "1.0", plan=plan, by="max")
    assert Release.objects.get().state == "built"


def test_the_default_plan_says_what_it_lacks(max_: Person) -> None:
    assert "realx needs more pairs: 41 wanted" in str(refused("1.0", by="max"))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["bad version!", "--by", "max"], 2),
        (["1.0", "--by", "max", "--plan", "nowhere.json"], 2),
        (["1.0", "--by", "nobody"], 3),
        (["1.0", "--by", "ann"], 5),
        (["1.0", "--by", "erased"], 5),
    ],
)
def test_what_is_wrong_is_said_with_its_exit_code(max_: Person, arguments: list[str], code: int) -> None:
    make_person("ann")
    Person.objects.create(pseudonym="erased")
    assert refused(*arguments).returncode == code
    assert not Release.objects.exists()


def test_max_is_known_by_log_in_too(max_: Person, plan: str) -> None:
    decide_pairs()
    Person.objects.filter(pk=max_.pk).update(pseudonym="person-79f648")
    call_command("build_release", "1.0", plan=plan, by="max")
    assert Release.objects.get().by == max_


def test_a_draft_keeps_its_plan(max_: Person, plan: str) -> None:
    refused("1.0", by="max")
    refusal = refused("1.0", plan=plan, by="max")
    assert refusal.returncode == 4
    assert "There is a draft 1.0 with another plan (hardbench)" in str(refusal)
    assert "realx" in str(refused("1.0", plan="default", by="max")), "its own plan may be named"


def test_a_folder_that_cannot_be_filled_stops_the_command_before_anything_is_final(
    max_: Person, plan: str, tmp_path: Path
) -> None:
    decide_pairs()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    assert refused("1.0", plan=plan, by="max", publish=True, to=tmp_path / "full").returncode == 4
    assert not Release.objects.exists()


def test_a_version_that_is_built_is_not_built_again(max_: Person, plan: str) -> None:
    decide_pairs()
    call_command("build_release", "1.0", plan=plan, by="max")
    assert refused("1.0", plan=plan, by="max").returncode == 4
