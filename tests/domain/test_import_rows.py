"""Importing rows: sound rows become originals, bad rows keep their line, and nothing is ever half here or twice."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from annotation.models import (
    Acquisition,
    Image,
    ImportBatch,
    ImportedRow,
    ImportProblem,
    JournalEntry,
    Person,
    Question,
    Source,
    WorkUnit,
)
from annotation.questions.intake import UnknownFolder, import_rows
from annotation.sources.faults import EmptyFile, Truncated, Unreadable, WrongLayout
from annotation.sources.licences import Licence, read_table
from annotation.sources.operations import AlreadyImported, ImportUnderWay
from tests import pictures
from tests.conftest import counted_statements
from tests.factories import make_original, make_source
from tests.people import make_person

DEMO = Path(__file__).parents[2] / "annotation" / "demo"
VSTAR = Path(__file__).parents[1] / "data" / "vstar_bench_test_questions.jsonl"


@pytest.fixture(autouse=True)
def _own_storage(tmp_path: Path, settings: Any) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An image folder with two pictures of 120 x 80 pixels."""
    (tmp_path / "images" / "more").mkdir(parents=True)
    pictures.jpeg(tmp_path / "images" / "a.jpg", 120, 80)
    pictures.jpeg(tmp_path / "images" / "more" / "b.jpg", 120, 80, comment=b"other bytes")
    return tmp_path / "images"


def row(question: str = "What is red?", answer: str = "the kettle", image: str = "a.jpg", **rest: Any) -> dict[str, Any]:
    return {"image": image, "question": question, "answer": answer, **rest}


def imported(folder: Path, *rows: Any, by: Person, name: str = "rows.jsonl", **rest: Any) -> ImportBatch:
    path = folder.parent / name
    path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in rows))
    values = {"source": make_source("custom"), "path": path, "layout": "generic", "images_dir": folder, "by": by}
    return import_rows(**{**values, **rest})


def counts(batch: ImportBatch) -> tuple[int, int, int, int]:
    return batch.rows_read, batch.rows_accepted, batch.rows_known, batch.rows_rejected


def test_max_imports_the_demo_with_its_photographs_and_licences(max_: Person) -> None:
    batch = import_rows(
        source=make_source(),
        path=DEMO / "demo_questions.jsonl",
        layout="generic",
        images_dir=DEMO / "photos",
        by=max_,
        licences=read_table(DEMO / "LICENSES.tsv"),
    )
    assert counts(batch) == (42, 42, 0, 0)
    assert Image.objects.count() == 10
    kleiber = Image.objects.get(acquisitions__name="Kleiber_by_Lukas_Baubkus.jpg")
    assert (kleiber.attribution, kleiber.licence) == ("Lukas Baubkus", "CC-BY-SA-3.0")
    assert WorkUnit.objects.filter(kind="tile").count() == 10
    first = Question.objects.get(source_row="demo-001")
    assert (first.kind, first.state, first.family, first.answers) == ("original", "active", "relation", ["a wine glass"])
    assert first.box == [959, 758, 1157, 1310]
    assert JournalEntry.objects.get(event="batch.imported").after["accepted"] == 42
    assert JournalEntry.objects.get(event="questions.added", actor=max_).after["accepted"] == 42


def test_a_bad_row_is_rejected_with_line_field_value_and_reason_and_the_others_come_in(folder: Path, max_: Person) -> None:
    batch = imported(folder, row(), row(question=" "), '{"image": NaN}', row("What is blue?"), by=max_)
    assert counts(batch) == (4, 2, 0, 2)
    blank, nan = ImportProblem.objects.filter(batch=batch).order_by("line")
    assert (blank.line, blank.field, blank.reason) == (2, "question", "This must not be empty.")
    assert (nan.line, nan.value) == (3, "NaN")


def test_rows_wait_for_a_picture_that_is_missing_or_refused(folder: Path, max_: Person) -> None:
    (folder / "text.jpg").write_text("no picture")
    batch = imported(folder, row(), row(image="none.jpg"), row(image="text.jpg"), row("Another?", image="text.jpg"), by=max_)
    assert counts(batch) == (4, 1, 0, 0)
    assert (batch.state, batch.rows_waiting) == ("done", 3)
    assert list(ImportedRow.objects.order_by("line").values_list("line", "acquisition__name", "acquisition__state")) == [
        (2, "none.jpg", "wanted"),
        (3, "text.jpg", "refused"),
        (4, "text.jpg", "refused"),
    ]


def test_a_link_out_of_the_image_folder_is_not_followed(folder: Path, max_: Person, tmp_path: Path) -> None:
    pictures.jpeg(tmp_path / "secret.jpg", 50, 50)
    (folder / "link.jpg").symlink_to(tmp_path / "secret.jpg")
    batch = imported(folder, row(), row(image="link.jpg"), by=max_)
    assert batch.rows_waiting == 1
    assert "leads out" in Acquisition.objects.get(name="link.jpg").reason
    assert Image.objects.count() == 1


def test_the_same_file_twice_says_so_and_changes_nothing(folder: Path, max_: Person) -> None:
    batch = imported(folder, row(), by=max_)
    with pytest.raises(AlreadyImported) as caught:
        imported(folder, row(), by=max_, name="another-name.jsonl")
    assert caught.value.batch == batch
    assert ImportBatch.objects.count() == 1
    assert Question.objects.count() == 1


def test_the_same_file_may_come_for_another_source_and_finds_its_rows_known(folder: Path, max_: Person) -> None:
    imported(folder, row(), by=max_)
    assert counts(imported(folder, row(), by=max_, source=make_source("other"))) == (1, 0, 1, 0)


def test_a_longer_file_adds_only_what_is_new(folder: Path, max_: Person) -> None:
    imported(folder, row(), by=max_)
    batch = imported(folder, row("  what IS red? "), row("What is blue?"), row("What is red?"), by=max_)
    assert counts(batch) == (3, 1, 2, 0)


def test_the_same_question_with_another_answer_is_rejected_not_overwritten(folder: Path, max_: Person) -> None:
    imported(folder, row(), by=max_)
    batch = imported(folder, row(answer="the cup"), row("New?", "x"), row("New?", "y"), by=max_)
    assert counts(batch) == (3, 1, 0, 2)
    assert [p.line for p in batch.problems.order_by("line")] == [1, 3]
    assert "another answer: the kettle" in batch.problems.order_by("line")[0].reason
    assert Question.objects.get(text="What is red?").answers == ["the kettle"]


def test_the_same_question_about_two_pictures_is_two_questions(folder: Path, max_: Person) -> None:
    assert counts(imported(folder, row(), row(image="more/b.jpg"), by=max_)) == (2, 2, 0, 0)


@pytest.mark.parametrize(
    ("box", "kept"), [([0, 0, 120.6, 80], [0, 0, 120, 80]), ([0, 0, 122, 80], None), ([120, 0, 121, 5], None)]
)
def test_a_box_stays_inside_its_picture(folder: Path, max_: Person, box: list[float], kept: list[float] | None) -> None:
    batch = imported(folder, row(box=box), by=max_)
    assert [question.box for question in Question.objects.all()] == ([kept] if kept else [])
    assert [one.field for one in batch.problems.all()] == ([] if kept else ["box"])


def test_a_box_is_judged_by_the_upright_picture(folder: Path, max_: Person) -> None:
    pictures.turned(folder / "turned.jpg", 6, 60, 200)
    assert counts(imported(folder, row(image="turned.jpg", box=[0, 100, 50, 200]), by=max_)) == (1, 1, 0, 0)


def test_options_and_trailers_are_taken_apart_and_the_source_s_words_are_kept(folder: Path, max_: Person) -> None:
    words = "What color is it?\n(A) red\n(B) blue\nAnswer with the option's letter from the given choices directly."
    imported(folder, row(words, "B"), row("Which one?", "x", options=["x", "y"]), by=max_)
    lettered, listed = Question.objects.order_by("pk")
    assert (lettered.text, lettered.options, lettered.prompt_setting) == ("What color is it?", ["red", "blue"], "instruction")
    assert lettered.extra == {"question": words}
    assert (listed.options, listed.prompt_setting, listed.extra) == (["x", "y"], "option", {})


def test_rows_that_name_a_known_source_belong_to_it_and_to_its_licence(folder: Path, max_: Person) -> None:
    tally = make_source("tallyqa", licence="Apache-2.0")
    imported(folder, row(data_source="TallyQA"), row("Other?", image="more/b.jpg", data_source="elsewhere"), by=max_)
    assert Question.objects.get(text="What is red?").source == tally
    assert Image.objects.get(acquisitions__name="a.jpg").source == tally
    assert Question.objects.get(text="Other?").source.key == "custom"
    assert Question.objects.get(text="Other?").extra == {"data_source": "elsewhere"}


def test_rows_whose_picture_is_not_what_a_licence_promises_wait(folder: Path, max_: Person) -> None:
    batch = imported(folder, row(), by=max_, licences={"a.jpg": Licence("Ann", "CC0-1.0", "0" * 64)})
    assert (counts(batch), batch.rows_waiting) == ((1, 0, 0, 0), 1)
    assert Acquisition.objects.get().state == "mismatch"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", EmptyFile),
        ('{"a": 1}\n', WrongLayout),
        (json.dumps(row()) + "\n" + '{"image": "a.jpg", "quest', Truncated),
    ],
)
def test_a_fault_of_the_file_aborts_the_import_and_is_remembered(
    folder: Path, max_: Person, content: str, fault: type[Exception]
) -> None:
    path = folder.parent / "rows.jsonl"
    path.write_text(content)
    for _ in range(2):  # an aborted import does not stand in the way of the next try
        with pytest.raises(fault):
            import_rows(source=make_source(), path=path, layout="generic", images_dir=folder, by=max_)
    assert set(ImportBatch.objects.values_list("state", flat=True)) == {"aborted"}
    assert ImportBatch.objects.first().fault  # type: ignore[union-attr]
    assert not Question.objects.exists()
    assert not Image.objects.exists()


def test_a_file_or_folder_that_is_not_there_is_refused(folder: Path, max_: Person) -> None:
    values = {"source": make_source(), "layout": "generic", "by": max_}
    with pytest.raises(Unreadable):
        import_rows(path=folder / "none.jsonl", images_dir=folder, **values)
    with pytest.raises(UnknownFolder):
        import_rows(path=folder / "a.jpg", images_dir=folder / "none", **values)


def test_of_two_imports_of_one_file_at_once_one_wins(folder: Path, committed_db: None) -> None:
    max_, source = make_person("max"), make_source()
    path = folder.parent / "rows.jsonl"
    path.write_text("".join(json.dumps(row(f"What is number {n}?")) + "\n" for n in range(50)))
    gate, outcomes = threading.Barrier(2), []

    def run() -> None:
        gate.wait()
        try:
            outcomes.append(import_rows(source=source, path=path, layout="generic", images_dir=folder, by=max_).rows_accepted)
        except (AlreadyImported, ImportUnderWay):
            outcomes.append("already")
        finally:
            connections.close_all()

    runs = [threading.Thread(target=run) for _ in range(2)]
    for one in runs:
        one.start()
    for one in runs:
        one.join()
    assert sorted(outcomes, key=str) == [50, "already"]
    assert Question.objects.count() == 50


def test_an_import_hears_how_far_it_is(folder: Path, max_: Person) -> None:
    heard: list[tuple[str, int, int]] = []
    imported(folder, row(), row(image="more/b.jpg"), by=max_, progress=lambda *said: heard.append(said))
    assert heard == [("reading", 2, 2), ("pictures", 0, 2), ("pictures", 1, 2), ("questions", 2, 2)]


def test_many_rows_cost_as_many_statements_as_few(folder: Path, max_: Person) -> None:
    def statements(name: str, count: int) -> int:
        with counted_statements() as asked:
            imported(folder, *(row(f"What is {name} {n}?") for n in range(count)), by=max_, name=name)
        return len(asked)

    statements("first", 1)  # takes the picture in
    assert statements("few", 10) == statements("many", 3000)
    assert Question.objects.count() == 3011


def test_real_questions_of_another_benchmark_come_in_whole(folder: Path, max_: Person) -> None:
    rows = [json.loads(line) for line in VSTAR.read_text().splitlines()]
    batch = imported(folder, *(row(one["text"], one["label"], id=one["question_id"], image="a.jpg") for one in rows), by=max_)
    assert batch.rows_read == 191
    assert batch.rows_accepted + batch.rows_known + batch.rows_rejected == 191
    assert {question.prompt_setting for question in Question.objects.all()} == {"instruction"}
    assert not Question.objects.filter(text__icontains="option's letter").exists()


def test_the_factories_and_the_import_agree_on_what_is_the_same_question(folder: Path, max_: Person) -> None:
    batch = imported(folder, row("What is new?"), by=max_)
    image = Question.objects.get(batch=batch).image
    standing = make_original("What is red?", image=image, answers=["the kettle"])
    assert counts(imported(folder, row(), row("What is blue?"), by=max_)) == (2, 1, 1, 0)
    assert Question.objects.filter(text_hash=standing.text_hash).count() == 1


def test_source_of_the_batch_is_the_one_named(folder: Path, max_: Person) -> None:
    assert imported(folder, row(), by=max_).source == Source.objects.get(key="custom")
