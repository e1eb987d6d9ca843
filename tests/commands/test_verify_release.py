"""Anybody checks a release from a shell: a folder, or what the site has stored."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Release
from annotation.releases import operations
from tests.decided import built_release


@pytest.fixture
def release(committed_db: None) -> Release:
    return built_release()


@pytest.fixture
def folder(release: Release, tmp_path: Path) -> Path:
    operations.export_release(release=release, folder=tmp_path / "out")
    return tmp_path / "out"


def test_a_good_folder_passes(release: Release, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_release", str(folder), "--expect", release.manifest_sha256)
    said = capsys.readouterr().out
    assert "     passed  manifest is the published one\n" in said
    assert "not checked  journal: " in said


def test_a_touched_folder_ends_with_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "README.md").write_text("Trust me.")
    with pytest.raises(SystemExit) as end:
        call_command("verify_release", str(folder), "--json")
    assert end.value.code == 1
    report = json.loads(capsys.readouterr().out)
    assert report["sound"] is False
    assert [check["name"] for check in report["checks"] if check["state"] == "failed"] == ["sizes and hashes"]


def test_what_is_stored_is_checked_by_version(release: Release, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_release", "--stored", "1.0")
    assert "The release is what its manifest says." in capsys.readouterr().out


def test_what_is_stored_is_held_against_the_hash_that_was_published(release: Release, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        call_command("verify_release", "--stored", "1.0", "--expect", "0" * 64)
    assert end.value.code == 1
    assert "failed  manifest is the published one" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code"), [([], 2), (["x", "--stored", "1.0"], 2), (["--stored", "9.9"], 3), (["no-such-folder"], 3)]
)
def test_what_is_wrong_is_said_with_its_exit_code(release: Release, arguments: list[str], code: int) -> None:
    with pytest.raises(CommandError) as refusal:
        call_command("verify_release", *arguments)
    assert refusal.value.returncode == code
