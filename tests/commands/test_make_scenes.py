"""`make_scenes` as Max types it, and the whole way from a seed to questions with their pictures."""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Image, Person, Question

SMALL = ("--count", 3, "--pixels", 600)


def run(*words: Any) -> tuple[str, int]:
    out = io.StringIO()
    try:
        call_command(*map(str, words), stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


def make(folder: Path, *more: Any) -> dict[str, Any]:
    said, code = run("make_scenes", folder, *(more or SMALL), "--json")
    assert code == 0
    return json.loads(said)


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three small scenes, one of each family."""
    folder = tmp_path_factory.mktemp("scenes") / "made"
    make(folder)
    return folder


@pytest.mark.django_db
def test_max_imports_generated_scenes_without_a_reject_and_with_their_pictures(
    scenes: Path, tmp_path: Path, settings: Any, max_: Person
) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    file = scenes / "questions.jsonl"
    asked = len(file.read_text().splitlines())
    said, code = run("import_source", "scenes", file, "--dry-run", "--json")
    preview = json.loads(said)
    assert (code, preview["read"], preview["accepted"], preview["rejected"]) == (0, asked, asked, 0)
    new = ("--new-source", "Generated scenes", "--licence", "CC-BY-SA-4.0", "--by", "max")
    said, code = run("import_source", "scenes", file, "--images", scenes, *new, "--json")
    outcome = json.loads(said)
    assert (code, outcome["accepted"], outcome["rejected"], outcome["waiting"]) == (0, asked, 0, 0)
    assert Question.objects.count() == asked
    assert {image.sha256 for image in Image.objects.all()} == {
        digest for name, digest in digests(scenes).items() if ".jpg" in name
    }


def test_the_same_command_again_draws_nothing_and_changes_no_byte(scenes: Path) -> None:
    before = digests(scenes)
    assert make(scenes)["drawn"] == 0
    assert digests(scenes) == before


def test_a_run_that_was_stopped_goes_on_with_what_is_missing(scenes: Path, tmp_path: Path) -> None:
    before = digests(scenes)
    for name in ("questions.jsonl", "harbour-1-600.jpg"):
        (scenes / name).unlink()
    (scenes / "harbour-1-600.jpg.part").write_bytes(b"half")
    (scenes / "market-1-600.jpg").write_bytes(b"spoilt")
    assert make(scenes)["drawn"] == 2
    assert digests(scenes) == before


@pytest.mark.parametrize("words", [("--count", 0), ("--pixels", 0), ("--pixels", 20_000_000), ("--seed", -1), ("--count", 10**9)])
def test_numbers_out_of_bounds_are_named_and_nothing_is_written(tmp_path: Path, words: tuple[Any, ...]) -> None:
    with pytest.raises(CommandError, match=r"not -?\d+\.$") as refusal:
        run("make_scenes", tmp_path / "new", *words)
    assert refusal.value.returncode == 2
    assert not (tmp_path / "new").exists()


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"mine")
    with pytest.raises(CommandError, match=r"holds other files, such as holiday\.jpg") as refusal:
        run("make_scenes", tmp_path, *SMALL)
    assert refusal.value.returncode == 4
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


def test_a_folder_of_other_scenes_is_not_mixed(scenes: Path) -> None:
    with pytest.raises(CommandError, match="holds other scenes"):
        run("make_scenes", scenes, "--count", 3, "--pixels", 600, "--seed", 2)


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CommandError, match="cannot be written to"):
        run("make_scenes", tmp_path / "file" / "scenes", *SMALL)
