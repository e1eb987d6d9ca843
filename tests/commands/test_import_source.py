"""`import_source` and `import_images` as Max types them: what they say, and the exit code that scripts look at."""

import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from annotation.management import importing
from annotation.models import Acquisition, Image, ImportBatch, Person, Question, Source
from tests import pictures
from tests.factories import make_source

DEMO = Path(__file__).parents[2] / "annotation" / "demo"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any, max_: Person) -> Path:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    (tmp_path / "images" / "more").mkdir(parents=True)
    pictures.jpeg(tmp_path / "images" / "a.jpg", 120, 80)
    pictures.jpeg(tmp_path / "images" / "more" / "b.jpg", 90, 80)
    (tmp_path / "rows.jsonl").write_text(json.dumps({"image": "a.jpg", "question": "Q?", "answer": "x"}) + "\n")
    return tmp_path


def run(*words: Any) -> tuple[str, int]:
    """What the command printed, and its exit code."""
    out = io.StringIO()
    try:
        call_command(*map(str, words), stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


def import_rows(folder: Path, *more: Any) -> tuple[str, int]:
    make_source("custom")
    return run("import_source", "custom", folder / "rows.jsonl", "--images", folder / "images", "--as", "max", *more)


def test_max_imports_a_file_and_reads_how_it_went(folder: Path) -> None:
    said, code = import_rows(folder)
    assert code == 0
    assert said.splitlines() == [
        *("imported_before: False", "layout: generic", "encoding: utf-8", "read: 1", "accepted: 1"),
        *("known: 0", "waiting: 0", "left_out: 0", "rejected: 0"),
    ]
    assert ImportBatch.objects.get().by.pseudonym == "max"


def test_a_script_reads_json(folder: Path) -> None:
    said, code = import_rows(folder, "--json")
    assert (code, json.loads(said)["accepted"]) == (0, 1)


def test_the_same_file_again_says_so_and_succeeds(folder: Path) -> None:
    import_rows(folder)
    said, code = import_rows(folder, "--json")
    assert (code, json.loads(said)["imported_before"]) == (0, True)
    assert Question.objects.count() == 1


def add_row(folder: Path, **values: Any) -> None:
    with (folder / "rows.jsonl").open("a") as stream:
        stream.write(json.dumps({"image": "a.jpg", "question": "Q?", "answer": "x", **values}) + "\n")


def test_rows_that_were_rejected_come_in_with_a_file_of_their_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_row(folder, question="")
    assert import_rows(folder)[1] == 6
    assert import_rows(folder)[1] == 6, "the same file is the same import"
    assert "Save the rows that were rejected as a file of their own." in capsys.readouterr().err
    (folder / "rows.jsonl").unlink()
    add_row(folder, question="And now?")
    assert import_rows(folder)[1] == 0
    assert Question.objects.filter(text="And now?").exists()


def test_a_picture_that_comes_late_brings_its_rows_with_the_same_command(folder: Path) -> None:
    add_row(folder, image="late.jpg")
    assert import_rows(folder)[1] == 6
    pictures.jpeg(folder / "images" / "late.jpg", 70, 80)
    said, code = import_rows(folder, "--json")
    assert (code, json.loads(said)["accepted"], json.loads(said)["waiting"]) == (0, 2, 0)
    assert Question.objects.filter(image__width=70).exists()


def test_rejected_rows_are_shown_with_their_line_and_the_exit_code_tells(folder: Path) -> None:
    add_row(folder, question="", image="a.jpg")
    add_row(folder, image="text.jpg")
    (folder / "images" / "text.jpg").write_text("no picture")
    said, code = import_rows(folder)
    assert code == 6
    assert "  line 2, field question, reason This must not be empty." in said.splitlines()
    assert "  line 3, image text.jpg, state refused, reason This is no JPEG" in said


def test_a_file_of_which_every_row_is_rejected_fails(folder: Path) -> None:
    (folder / "rows.jsonl").unlink()
    add_row(folder, question="")
    add_row(folder, image="none.jpg")
    assert import_rows(folder)[1] == 1


def test_without_pictures_rows_wait_and_come_in_with_fetch_images(folder: Path) -> None:
    make_source("custom")
    said, code = run("import_source", "custom", folder / "rows.jsonl", "--by", "max", "--json")
    assert (code, json.loads(said)["accepted"], json.loads(said)["waiting"]) == (0, 0, 1)
    said, code = run("fetch_images", "--source", "custom", "--folder", folder / "images", "--by", "max", "--json")
    assert (code, json.loads(said)["questions"]) == (0, 1)
    assert ImportBatch.objects.get().rows_waiting == 0


def test_pictures_may_come_in_an_archive(folder: Path) -> None:
    make_source("custom")
    archive = folder / "pictures.zip"
    with ZipFile(archive, "w") as stream:
        stream.write(folder / "images" / "a.jpg", "a.jpg")
    assert run("import_source", "custom", folder / "rows.jsonl", "--images", archive, "--by", "max")[1] == 0
    assert Question.objects.count() == 1


def test_a_dry_run_says_what_would_come_in_and_touches_nothing(folder: Path) -> None:
    add_row(folder, question="", image="b.jpg")
    for number in range(7):
        add_row(folder, question=f"What is {number}?", id=number, note="x")
    said, code = run("import_source", "nowhere", folder / "rows.jsonl", "--images", folder / "images", "--dry-run", "--json")
    found = json.loads(said)
    assert (code, found["read"], found["accepted"], found["rejected"], found["left_out"]) == (6, 9, 8, 1, 0)
    assert (found["encoding"], found["layout"], found["ignored_fields"]) == ("utf-8", "generic", {"note": 7})
    assert found["problems"] == [{"line": 2, "field": "question", "value": "", "reason": "This must not be empty."}]
    assert [row["question"] for row in found["rows"]] == ["Q?", "What is 0?", "What is 1?", "What is 2?", "What is 3?"]
    assert found["rows"][1]["id"] == "0"
    assert [table.objects.count() for table in (Source, ImportBatch, Acquisition)] == [0, 0, 0]


def test_a_source_of_a_known_key_is_read_in_its_own_layout(folder: Path) -> None:
    row = {"image": "a.jpg", "query": "What is it?", "answer": ["a kettle"], "search": 1, "id": "7"}
    (folder / "realx.json").write_text(json.dumps([row, {**row, "id": "8", "search": 0}]))
    said = json.loads(run("import_source", "realx", folder / "realx.json", "--dry-run", "--json")[0])
    assert (said["layout"], said["left_out"]) == ("realx", 1)
    said = json.loads(run("import_source", "realx", folder / "realx.json", "--dry-run", "--json", "--no-only-without-search")[0])
    assert said["left_out"] == 0


def test_only_the_rows_of_a_list_come_in(folder: Path) -> None:
    add_row(folder, question="A?", id="a")
    add_row(folder, question="B?", id="b")
    (folder / "ids.txt").write_text("b\n\n")
    said, code = import_rows(folder, "--ids", folder / "ids.txt", "--json")
    found = json.loads(said)
    assert (code, found["accepted"], found["left_out"], found["read"]) == (0, 1, 2, 3)
    assert ImportBatch.objects.get().left_out == {"The row is not in the list of ids.": 2}


def test_the_same_file_with_another_choice_is_another_import(folder: Path) -> None:
    add_row(folder, question="B?", id="b")
    (folder / "ids.txt").write_text("b\n")
    import_rows(folder, "--ids", folder / "ids.txt")
    said, code = import_rows(folder, "--json")
    assert (code, json.loads(said)["accepted"], json.loads(said)["known"]) == (0, 1, 1)


@pytest.mark.parametrize("mapping", ['{"pic": "image", "q": "question", "a": "answer"}', "mapping.json"])
def test_columns_are_mapped_by_hand(folder: Path, monkeypatch: pytest.MonkeyPatch, mapping: str) -> None:
    monkeypatch.chdir(folder)
    (folder / "mapping.json").write_text('{"mapping": {"pic": "image", "q": "question"}, "constants": {"answer": "x"}}')
    (folder / "rows.csv").write_bytes("pic,q,a\na.jpg,Où?,là\n".encode("latin-1"))
    words = ("import_source", "custom", "rows.csv", "--mapping", mapping, "--encoding", "latin-1", "--json")
    make_source("custom")
    said, code = run(*words, "--images", "images", "--by", "max")
    assert (code, json.loads(said)["layout"], json.loads(said)["accepted"]) == (0, "mapped", 1)
    assert Question.objects.get().text == "Où?"


@pytest.mark.parametrize("mapping", ["[]", "{", '{"a": 1}', '{"mapping": {}, "other": {}}', "none.json"])
def test_a_mapping_that_is_none_is_refused(folder: Path, mapping: str) -> None:
    with pytest.raises(CommandError) as refusal:
        import_rows(folder, "--mapping", mapping)
    assert refusal.value.returncode == 2


def test_the_old_spelling_with_the_source_as_an_option_still_works(folder: Path) -> None:
    make_source("custom")
    words = ("import_source", folder / "rows.jsonl", "--source", "custom", "--images", folder / "images", "--as", "max")
    assert run(*words)[1] == 0
    with pytest.raises(CommandError, match="Name the source and the file"):
        run("import_source", folder / "rows.jsonl", "--as", "max")
    with pytest.raises(CommandError, match="--by"):
        run("import_source", "custom", folder / "rows.jsonl")


def test_a_run_that_is_stopped_says_how_to_go_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*said: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(importing.Stages, "__call__", stop)
    with pytest.raises(CommandError, match="run the same command again") as refusal:
        import_rows(folder)
    assert refusal.value.returncode == 130
    monkeypatch.undo()
    assert ImportBatch.objects.get().state == "reading"
    assert import_rows(folder)[1] == 0
    assert Question.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"no rows", "neither JSON lines, nor a JSON list, nor a table"),
        (b"{'question': 'What?'}", "No line is a JSON object.* Line 1: The line is no JSON"),
        (b"\x80\x04\x95rows", "can run code when it is opened"),
    ],
)
def test_a_broken_file_ends_with_its_fault(folder: Path, content: bytes, fault: str) -> None:
    (folder / "rows.jsonl").write_bytes(content)
    with pytest.raises(CommandError, match=fault) as refusal:
        import_rows(folder)
    assert refusal.value.returncode == 2


def test_who_does_not_maintain_imports_nothing(folder: Path, ann: Person) -> None:
    for command in ("import_source", "import_images"):
        words = [command, folder / "rows.jsonl", *(["--images", folder / "images"] if command == "import_source" else [])]
        with pytest.raises(CommandError, match="ann may not do this") as refusal:
            run(*words, "--source", "s", "--new-source", "S", "--as", "ann")
        assert refusal.value.returncode == 5
    assert not Source.objects.filter(key="s").exists()


def test_an_unknown_person_or_source_is_named(folder: Path) -> None:
    words = ["import_source", folder / "rows.jsonl", "--images", folder / "images"]
    with pytest.raises(CommandError, match="no person 'nobody'"):
        run(*words, "--source", "custom", "--as", "nobody")
    with pytest.raises(CommandError, match="--new-source"):
        run(*words, "--source", "custom", "--as", "max")


def test_a_new_source_is_added_on_the_way(folder: Path) -> None:
    words = ["import_source", folder / "rows.jsonl", "--images", folder / "images", "--as", "max", "--source", "fresh"]
    assert run(*words, "--new-source", "Fresh pictures", "--licence", "CC0-1.0")[1] == 0
    assert Source.objects.get(key="fresh").licence == "CC0-1.0"


def test_max_takes_in_a_folder_with_its_licences(folder: Path) -> None:
    said, code = run(
        *("import_images", DEMO / "photos", "--source", "demo", "--new-source", "Demo", "--as", "max"),
        *("--licences", DEMO / "LICENSES.tsv", "--json"),
    )
    assert (code, json.loads(said)) == (0, {"pictures": 10, "refused": 0, "refusals": []})
    assert Image.objects.filter(licence="CC0-1.0", attribution="Clemens Engelhardt").count() == 1


def test_files_that_are_no_pictures_are_listed_and_the_others_come_in(folder: Path) -> None:
    (folder / "images" / "notes.txt").write_text("notes")
    (folder / "images" / ".hidden").write_text("hidden")
    said, code = run("import_images", folder / "images", "--source", "s", "--new-source", "S", "--as", "max")
    assert code == 6
    assert said.splitlines()[:2] == ["pictures: 2", "refused: 1"]
    assert "file notes.txt, reason This is no JPEG" in said
    assert set(Acquisition.objects.values_list("name", flat=True)) == {"a.jpg", "more/b.jpg", "notes.txt"}


def test_a_file_whose_name_cannot_be_stored_is_listed_not_tripped_over(folder: Path) -> None:
    pictures.jpeg(folder / "images" / "a\udcff.jpg", 60, 40)
    pictures.jpeg(folder / "images" / "back\\slash.jpg", 60, 40)
    said, code = run("import_images", folder / "images", "--source", "s", "--new-source", "S", "--as", "max", "--json")
    assert (code, json.loads(said)["pictures"], json.loads(said)["refused"]) == (6, 2, 2)


def test_a_folder_that_is_none_is_named_and_adds_no_source(folder: Path) -> None:
    for wrong in ("nowhere", "rows.jsonl"):
        with pytest.raises(CommandError, match=f"{wrong} is no folder") as refusal:
            run("import_images", folder / wrong, "--source", "s", "--new-source", "S", "--as", "max")
        assert refusal.value.returncode == 3
    assert not Source.objects.filter(key="s").exists()


def test_a_folder_without_a_picture_fails(folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(CommandError, match="no file"):
        run("import_images", folder / "empty", "--source", "s", "--new-source", "S", "--as", "max")
    (folder / "empty" / "notes.txt").write_text("notes")
    assert run("import_images", folder / "empty", "--source", "s", "--new-source", "S", "--as", "max")[1] == 1
