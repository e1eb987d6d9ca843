"""HARDBench's own rows: answerable rows are originals, unanswerable ones become the edited twins of their originals."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Edit, ImportBatch, Person, Question
from annotation.questions.intake import import_rows
from tests import pictures
from tests.factories import make_source


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    (tmp_path / "images" / "TallyQA").mkdir(parents=True)
    pictures.jpeg(tmp_path / "images" / "TallyQA" / "1.jpg", 120, 80)
    pictures.jpeg(tmp_path / "images" / "TallyQA" / "2.jpg", 90, 80)
    return tmp_path / "images"


def answerable(question: str, answer: Any = 2, image: str = "TallyQA/1.jpg") -> dict[str, Any]:
    return {"question": question, "answer": answer, "image": image, "data_source": "tallyqa", "is_unanswerable": False}


def unanswerable(question: str, reason: str = "There is no red kiosk.", image: str = "TallyQA/1.jpg") -> dict[str, Any]:
    return {**answerable(question, "unanswerable", image), "is_unanswerable": True, "reason": reason}


def imported(folder: Path, rows: list[dict[str, Any]], by: Person, name: str = "HARDBench_train.json") -> ImportBatch:
    path = folder.parent / name
    path.write_text(json.dumps(rows, indent=1))
    return import_rows(source=make_source("hardbench"), path=path, layout="hardbench", images_dir=folder, by=by)


def test_an_edited_row_finds_its_original_wherever_it_stands_in_the_file(folder: Path, max_: Person) -> None:
    rows = [
        unanswerable("How many bicycles lean on the red kiosk?"),
        answerable("How many bicycles lean on the kiosk?"),
        answerable("What time is it?", "9 or nine"),
    ]
    batch = imported(folder, rows, max_)
    assert (batch.rows_read, batch.rows_accepted, batch.rows_rejected) == (3, 3, 0)
    edited = Question.objects.get(kind="edited")
    assert edited.parent == Question.objects.get(text="How many bicycles lean on the kiosk?")
    assert (edited.state, edited.answers, edited.batch, edited.by) == ("candidate", [], batch, max_)
    edit = Edit.objects.get()
    assert (edit.component, edit.operation, edit.new_phrase.strip()) == ("attribute", "add", "red")
    assert (edit.reason, edit.engine) == ("There is no red kiosk.", "imported from hardbench")


def test_an_edited_row_finds_an_original_that_was_imported_before(folder: Path, max_: Person) -> None:
    imported(folder, [answerable("What is on the table?", "a cup")], max_)
    batch = imported(folder, [unanswerable("What is on the piano?")], max_, "later.json")
    assert batch.rows_accepted == 1
    assert Question.objects.get(kind="edited").parent == Question.objects.get(kind="original")


@pytest.mark.parametrize("question", ["Which of the many umbrellas on the beach is the tallest one?", "What is on the table?"])
def test_an_edited_row_without_its_original_is_rejected_by_name(folder: Path, max_: Person, question: str) -> None:
    rows = [answerable("What is on the table?", "a cup"), unanswerable(question), unanswerable("X?", image="TallyQA/2.jpg")]
    batch = imported(folder, rows, max_)
    assert (batch.rows_accepted, batch.rows_rejected) == (1, 2)
    first, second = batch.problems.order_by("line")
    assert first.line == 9
    assert (first.field, first.value) == ("question", question)
    assert "import it first" in second.reason


def test_an_original_of_another_picture_is_no_original(folder: Path, max_: Person) -> None:
    rows = [answerable("What is on the table?", "a cup"), unanswerable("What is on the piano?", image="TallyQA/2.jpg")]
    assert imported(folder, rows, max_).rows_rejected == 1


def test_two_originals_equally_near_are_not_chosen_between(folder: Path, max_: Person) -> None:
    rows = [
        answerable("What color is the cup?", "red"),
        answerable("What color is the mug?", "blue"),
        unanswerable("What color is the jug?"),
    ]
    assert "equally near" in imported(folder, rows, max_).problems.get().reason


def test_a_row_without_a_reason_takes_its_answer_for_one(folder: Path, max_: Person) -> None:
    row = {**answerable("What is on the piano?", "There is no piano."), "is_unanswerable": True}
    imported(folder, [answerable("What is on the table?", "a cup"), row], max_)
    assert Edit.objects.get().reason == "There is no piano."


def test_the_same_edited_row_again_is_known_not_doubled(folder: Path, max_: Person) -> None:
    rows = [answerable("What is on the table?", "a cup"), unanswerable("What is on the piano?")]
    imported(folder, rows, max_)
    batch = imported(folder, [*rows, answerable("What is new?", "this")], max_, "longer.json")
    assert (batch.rows_accepted, batch.rows_known, batch.rows_rejected) == (1, 2, 0)
    assert Question.objects.filter(kind="edited").count() == 1


def test_an_edited_row_whose_text_is_an_original_of_the_picture_is_rejected(folder: Path, max_: Person) -> None:
    rows = [
        answerable("What is on the table?", "a cup"),
        answerable("What is on the piano?", "a vase"),
        unanswerable("What is on the piano?"),
    ]
    batch = imported(folder, rows, max_)
    assert batch.rows_rejected == 1
    assert "already" in batch.problems.get().reason
