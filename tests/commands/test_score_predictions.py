"""A researcher scores predictions from a shell, on the site or on a folder at home; both give the same."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Release, Score, Submission
from annotation.releases import operations
from tests.decided import built_release


@pytest.fixture
def release(committed_db: None) -> Release:
    return built_release()


@pytest.fixture
def predictions(release: Release, tmp_path: Path) -> str:
    lines = [{"row_id": row_id, "prediction": "green"} for row_id in release.rows.values_list("row_id", flat=True)]
    (tmp_path / "said.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(tmp_path / "said.jsonl")


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    call_command("score_predictions", *arguments, "--json")
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    return value


def test_on_the_site_predictions_become_a_submission_with_a_score(
    release: Release, predictions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = outcome(capsys, predictions, "--release", "1.0", "--model", "kettle-7b", "--by", "max")
    assert found["overall"]["figures"]["accuracy"]["value"] == 1.0
    assert found["overall"]["figures"]["refusal_recall"]["value"] == 0.0
    assert Score.objects.get().metrics == found
    assert Submission.objects.get().model == "kettle-7b"


def test_a_folder_at_home_gives_the_same_score_and_stores_nothing(
    release: Release, predictions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    operations.export_release(release=release, folder=tmp_path / "out")
    at_home = outcome(capsys, predictions, "--folder", str(tmp_path / "out"))
    assert not Submission.objects.exists()
    assert at_home == outcome(capsys, predictions, "--release", "1.0", "--model", "kettle-7b", "--by", "max")


def test_figures_are_shown_with_their_intervals_or_reasons(
    release: Release, predictions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("score_predictions", predictions, "--release", "1.0", "--model", "m", "--by", "max")
    said = capsys.readouterr().out
    assert said.startswith("rows 6, answerable 3, unanswerable 3, right answers 3")
    assert "            accuracy  1.000  (0.439 to 1.000)  n=3\n" in said
    assert "   refusal_precision  undefined because nothing was refused\n" in said


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 2),
        (["--release", "1.0", "--folder", "x"], 2),
        (["--release", "1.0", "--model", "m"], 2),
        (["--release", "1.0", "--model", "m", "--by", "nobody"], 3),
        (["--release", "1.0", "--by", "max"], 2),
        (["--release", "9.9", "--model", "m", "--by", "max"], 3),
        (["--folder", "nowhere"], 3),
    ],
)
def test_what_is_wrong_is_said_with_its_exit_code(release: Release, predictions: str, arguments: list[str], code: int) -> None:
    with pytest.raises(CommandError) as refusal:
        call_command("score_predictions", predictions, *arguments)
    assert refusal.value.returncode == code


def test_a_bad_line_of_predictions_is_named(release: Release, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("{}\n")
    with pytest.raises(CommandError, match="Line 1: row_id must be text"):
        call_command("score_predictions", str(tmp_path / "bad.jsonl"), "--release", "1.0", "--model", "m", "--by", "max")


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"id": "a"}'])
def test_a_folder_that_is_no_release_is_refused(release: Release, predictions: str, tmp_path: Path, line: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/test.jsonl").write_text(line)
    with pytest.raises(CommandError, match="no release's folder"):
        call_command("score_predictions", predictions, "--folder", str(tmp_path))


def test_a_file_that_is_not_there_is_said_so(release: Release, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("score_predictions", str(tmp_path / "none"), "--release", "1.0")
