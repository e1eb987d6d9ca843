"""Rows wait for their pictures, and become questions when these arrive, by whatever way."""

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from django.db.models.functions import Now

from annotation.hashing import sha256_hex
from annotation.images.operations import acquire_from_folder
from annotation.models import Acquisition, ImportBatch, JournalEntry, Person, Question, Source
from annotation.questions.intake import import_rows, pictures_waited_for, promote_arrived, promote_rows, waiting_rows
from annotation.tasks.handlers import do_fetch
from tests import pictures
from tests.conftest import counted_statements
from tests.factories import make_image, make_source
from tests.moments import ago


@pytest.fixture
def source(db: None, tmp_path: Path, settings: Any) -> Source:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    return make_source("custom")


def imported(
    source: Source, folder: Path, by: Person, *rows: dict[str, Any], layout: str = "generic", **rest: Any
) -> ImportBatch:
    path = folder / f"{ImportBatch.objects.count()}.jsonl"
    path.write_text("".join(json.dumps({"image": "a.jpg", "answer": "x", **row}) + "\n" for row in rows))
    return import_rows(source=source, path=path, layout=layout, by=by, **rest)


def arrive(name: str = "a.jpg", **values: Any) -> int:
    """The picture is here; the key of its acquisition."""
    row = Acquisition.objects.get(name=name)
    image = make_image(source=row.source, **values)
    Acquisition.objects.filter(pk=row.pk).update(state="stored", image=image, fetched_at=Now())
    return row.pk


def test_a_picture_brings_its_rows_and_leaves_the_others(source: Source, tmp_path: Path, max_: Person) -> None:
    batch = imported(source, tmp_path, max_, {"question": "A?"}, {"question": "B?", "image": "b.jpg"}, {"question": "C?"})
    assert (batch.state, batch.rows_waiting, pictures_waited_for(batch)) == ("done", 3, {"wanted": 3})
    settled = promote_rows(acquisition_ids=[arrive()])
    assert (settled.accepted, settled.known, settled.rejected) == (2, 0, 0)
    assert list(Question.objects.order_by("pk").values_list("text", flat=True)) == ["A?", "C?"]
    batch.refresh_from_db()
    assert (batch.rows_accepted, batch.rows_waiting) == (2, 1)
    assert [row.text for row in waiting_rows(batch, "wanted")] == ["B?"]


def test_the_journal_has_one_entry_for_many_questions_and_their_keys_prove_it(
    source: Source, tmp_path: Path, max_: Person
) -> None:
    imported(source, tmp_path, max_, {"question": "A?"}, {"question": "B?"})
    promote_rows(acquisition_ids=[arrive()])
    entry = JournalEntry.objects.get(event="questions.added")
    keys = sorted(Question.objects.values_list("key", flat=True))
    assert entry.after["keys_sha256"] == sha256_hex(",".join(keys).encode())
    assert (entry.after["accepted"], entry.actor) == (2, max_)
    assert all(len(key) == 22 for key in keys)


def test_the_same_again_changes_nothing(source: Source, tmp_path: Path, max_: Person) -> None:
    imported(source, tmp_path, max_, {"question": "A?"})
    picture = arrive()
    assert [promote_rows(acquisition_ids=[picture]).rows for _ in range(2)] == [1, 0]
    assert promote_rows(source=source).rows == promote_arrived().rows == 0


def test_rows_of_two_files_about_one_picture_come_together_and_the_same_question_once(
    source: Source, tmp_path: Path, max_: Person
) -> None:
    first = imported(source, tmp_path, max_, {"question": "A?"}, {"question": "B?"})
    second = imported(source, tmp_path, max_, {"question": "a?"}, {"question": "B?", "answer": "y"}, {"question": "C?"})
    settled = promote_rows(acquisition_ids=[arrive()])
    assert (settled.accepted, settled.known, settled.rejected) == (3, 1, 1)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.rows_accepted, second.rows_accepted, second.rows_known, second.rows_rejected) == (2, 1, 1, 1)
    problem = second.problems.get()
    assert (problem.line, problem.field, problem.value) == (2, "answer", "y")
    assert problem.reason == "This picture has this question with another answer: x."


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"box": [0, 0, 102, 50]}, "box"),
        ({"box": [100, 0, 101, 50]}, "box"),
        ({"boxes": [[0, 0, 5, 5], [0, 0, 5, 52]]}, "box"),
        ({"points": [[5, 5], [102, 5]]}, "points"),
        ({"points": [[100, 50]]}, ""),
        ({"boxes": [[0, 0, 5, 5], [90, 40, 101, 51]]}, ""),
    ],
)
def test_boxes_and_points_are_judged_when_the_picture_is_here(
    source: Source, tmp_path: Path, max_: Person, values: dict[str, Any], field: str
) -> None:
    batch = imported(source, tmp_path, max_, {"question": "A?", **values})
    assert batch.rows_rejected == 0
    promote_rows(acquisition_ids=[arrive(width=100, height=50)])
    assert [one.field for one in batch.problems.all()] == ([field] if field else [])
    assert Question.objects.count() == (0 if field else 1)


def test_several_boxes_and_points_are_kept(source: Source, tmp_path: Path, max_: Person) -> None:
    boxes = [[0, 0, 5, 5], [6, 6, 9, 9]]
    imported(source, tmp_path, max_, {"question": "A?", "boxes": boxes, "points": [[1, 2]]})
    promote_rows(acquisition_ids=[arrive()])
    question = Question.objects.get()
    assert (question.box, question.extra) == (None, {"boxes": boxes, "points": [[1, 2]]})


def test_an_edited_row_waits_with_its_original_and_comes_after_it(source: Source, tmp_path: Path, max_: Person) -> None:
    rows = [
        {"question": "What is on the piano?", "is_unanswerable": True, "answer": "unanswerable", "reason": "There is no piano."},
        {"question": "What is on the table?", "is_unanswerable": False},
    ]
    batch = imported(source, tmp_path, max_, *({**row, "data_source": "x"} for row in rows), layout="hardbench")
    settled = promote_rows(acquisition_ids=[arrive()])
    assert (settled.accepted, settled.rejected) == (2, 0)
    assert Question.objects.get(kind="edited").parent == Question.objects.get(kind="original")
    batch.refresh_from_db()
    assert (batch.rows_accepted, batch.rows_waiting) == (2, 0)


def test_a_folder_that_comes_later_brings_the_rows_of_its_source(source: Source, tmp_path: Path, max_: Person) -> None:
    imported(source, tmp_path, max_, {"question": "A?"})
    (tmp_path / "images").mkdir()
    pictures.jpeg(tmp_path / "images" / "a.jpg", 60, 40)
    assert [one.state for one in acquire_from_folder(source=source, folder=tmp_path / "images", by=max_)] == ["stored"]
    assert promote_rows(source=source).accepted == 1


def test_what_a_promotion_that_was_cut_off_left_is_found_by_the_sweep(source: Source, tmp_path: Path, max_: Person) -> None:
    imported(source, tmp_path, max_, {"question": "A?"}, {"question": "B?", "image": "b.jpg"})
    arrive()
    Acquisition.objects.filter(pk=arrive("b.jpg")).update(fetched_at=ago(86_400))
    assert promote_arrived().accepted == 1
    assert promote_rows(source=source).accepted == 1


def test_a_worker_that_finds_the_picture_here_already_still_brings_its_rows(source: Source, tmp_path: Path, max_: Person) -> None:
    imported(source, tmp_path, max_, {"question": "A?"})
    do_fetch({"acquisition_id": arrive(), "round": 0, "by_id": max_.pk})
    assert Question.objects.count() == 1


def test_what_became_of_the_pictures_is_said_per_row(source: Source, tmp_path: Path, max_: Person) -> None:
    batch = imported(source, tmp_path, max_, {"question": "A?"}, {"question": "B?", "image": "b.jpg"})
    Acquisition.objects.filter(name="a.jpg").update(state="gone", reason="The host answered 404.")
    assert pictures_waited_for(batch) == {"gone": 1, "wanted": 1}
    assert waiting_rows(batch, "gone").get().acquisition.reason == "The host answered 404."


def test_a_picture_inside_the_file_is_taken_in_on_the_way(source: Source, tmp_path: Path, max_: Person) -> None:
    table = pyarrow.table(
        {
            "image": [
                {"bytes": pictures.jpeg(tmp_path / "a.jpg", 60, 40).read_bytes(), "path": "a.jpg"},
                {"bytes": b"none", "path": "b.jpg"},
            ],
            "question": ["A?", "B?"],
            "answer": ["x", "y"],
        }
    )
    pyarrow.parquet.write_table(table, tmp_path / "rows.parquet")
    batch = import_rows(source=source, path=tmp_path / "rows.parquet", layout="generic", by=max_)
    assert (batch.rows_accepted, pictures_waited_for(batch)) == (1, {"refused": 1})
    assert Question.objects.get().image.width == 60


@pytest.mark.parametrize(
    ("values", "field"),
    [({"id": "x" * 121}, "id"), ({"family": "x" * 41}, "family"), ({"image": "x" * 2001}, "image")],
)
def test_a_value_that_no_column_takes_rejects_its_row_only(
    source: Source, tmp_path: Path, max_: Person, values: dict[str, Any], field: str
) -> None:
    batch = imported(source, tmp_path, max_, {"question": "A?", **values}, {"question": "B?"})
    assert (batch.rows_rejected, batch.rows_waiting) == (1, 1)
    assert batch.problems.get().field == field


def test_what_copy_and_arrays_take_for_signs_comes_in_as_it_stands(source: Source, tmp_path: Path, max_: Person) -> None:
    words = 'a\\b "c" {d},e\tf \\N NULL \\. \u4e2d\u6587 \U0001f600'
    row = {"question": words, "answers": [words, "NULL", "{}"], "options": [words, "\\"], "id": "\\.", "family": "\\N"}
    imported(source, tmp_path, max_, {**row, "answer": None})
    promote_rows(acquisition_ids=[arrive()])
    question = Question.objects.get()
    assert (question.text, question.options) == (words, [words, "\\"])
    assert question.answers == [words, "NULL", "{}"]
    assert (question.source_row, question.family) == ("\\.", "\\N")


def test_many_rows_become_questions_in_as_many_statements_as_few(source: Source, tmp_path: Path, max_: Person) -> None:
    imported(source, tmp_path, max_, *({"question": f"{n}?"} for n in range(3)))
    imported(source, tmp_path, max_, *({"question": f"{n}?", "image": "b.jpg"} for n in range(2000)))
    few, many = (statements(arrive(name)) for name in ("a.jpg", "b.jpg"))
    assert few == many


def statements(picture: int) -> int:
    with counted_statements() as asked:
        promote_rows(acquisition_ids=[picture])
    return len(asked)
