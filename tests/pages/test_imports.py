"""Max and Ada read how an import went; rejected rows can be taken away without harm; Max goes on with what stopped."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from annotation.models import Acquisition, ImportBatch, ImportedRow, ImportProblem, Person, Question, WorkUnit
from annotation.tasks.handlers import do_import
from tests import factories
from tests.conftest import browser_of
from tests.pages.test_sources import make_batch, statements


@pytest.fixture
def batch(max_: Person) -> ImportBatch:
    """Seven rows came in, one waits, three were rejected."""
    counts = {"rows_read": 12, "rows_accepted": 7, "rows_waiting": 1, "rows_left_out": 1, "rows_rejected": 3}
    batch = make_batch(factories.make_source(), max_, **counts, left_out={"It needs a web search.": 1}, ignored={"note": 9})
    ImportProblem.objects.create(batch=batch, line=3, field="question", value='=HYPERLINK("http://x")', reason="It is no text.")
    ImportProblem.objects.create(batch=batch, line=4, field="answer", value="-1", reason="+ is, too")
    ImportProblem.objects.create(batch=batch, line=9, field="image", value="plain", reason="No such file, sorry")
    wait(batch, "a.jpg", "gone", reason="The host answered 404.")
    return batch


def wait(batch: ImportBatch, name: str, state: str = "wanted", **values: Any) -> ImportedRow:
    picture = Acquisition.objects.create(source=batch.source, name=name, state=state, **values)
    row = {"text": f"What is {name}?", "text_hash": name, "answers": ["x"], "prompt_setting": "base", "unanswerable": False}
    return ImportedRow.objects.create(batch=batch, acquisition=picture, line=7, **row)


def address(batch: ImportBatch) -> str:
    return f"/sources/{batch.source.key}/imports/{batch.key}/"


def test_an_import_tells_every_count_and_what_was_not_read(batch: ImportBatch, ada: Person) -> None:
    page = browser_of(ada).get(address(batch)).content.decode()
    for name, count in (("Read", 12), ("Accepted", 7), ("Known before", 0), ("Left out", 1), ("Rejected", 3)):
        assert f"<dt>{name}</dt><dd>{count}</dd>" in page
    assert "It needs a web search." in page
    assert "<code>note</code> (9)" in page
    assert f'<a href="{address(batch)}waiting/?state=gone">1</a>' in page


def test_an_aborted_import_tells_its_fault(batch: ImportBatch, ada: Person) -> None:
    ImportBatch.objects.filter(pk=batch.pk).update(state="aborted", fault="The file ends in the middle of line 7.")
    page = browser_of(ada).get(address(batch)).content.decode()
    assert "The file ends in the middle of line 7." in page
    assert "none of its rows came in" in page


def test_rejected_rows_stand_in_the_order_of_the_file(batch: ImportBatch, ada: Person) -> None:
    page = browser_of(ada).get(address(batch)).content.decode().partition("Download as CSV")[2]
    assert page.index("It is no text.") < page.index("+ is, too") < page.index("No such file, sorry")


@pytest.mark.parametrize(
    ("query", "shown"), [("field=answer", {4}), ("reason=NO+", {3, 9}), ("field=image&reason=sorry", {9}), ("field=none", set())]
)
def test_rejected_rows_are_filtered_by_field_and_reason(batch: ImportBatch, ada: Person, query: str, shown: set[int]) -> None:
    client = browser_of(ada)
    page = client.get(f"{address(batch)}?{query}").content.decode()
    assert {line for line in (3, 4, 9) if f'<th scope="row" class="number">{line}</th>' in page} == shown
    table = client.get(f"{address(batch)}problems.csv?{query}").getvalue().decode()  # type: ignore[attr-defined]
    assert {int(row[0]) for row in list(csv.reader(StringIO(table)))[1:]} == shown
    assert client.get(f"{address(batch)}?field={'x' * 81}").status_code == 400


def test_the_most_frequent_reasons_lead_to_their_rows(batch: ImportBatch, ada: Person) -> None:
    ImportProblem.objects.create(batch=batch, line=10, field="answer", reason="+ is, too")
    page = browser_of(ada).get(address(batch)).content.decode()
    assert '<a href="?field=answer&amp;reason=%2B%20is%2C%20too">2</a>' in page


def test_rejected_rows_come_as_a_table_in_which_nothing_is_a_formula(batch: ImportBatch, ada: Person) -> None:
    answer = browser_of(ada).get(f"{address(batch)}problems.csv")
    sha256 = batch.file_sha256[:12]
    assert answer["Content-Disposition"] == f'attachment; filename="rejected-demo-photos-{sha256}.csv"'
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(StringIO(answer.getvalue().decode())))  # type: ignore[attr-defined]
    assert rows == [
        ["line", "field", "found", "reason"],
        ["3", "question", '\'=HYPERLINK("http://x")', "It is no text."],
        ["4", "answer", "'-1", "'+ is, too"],
        ["9", "image", "plain", "No such file, sorry"],
    ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_each_start_of_a_formula_is_made_harmless(batch: ImportBatch, ada: Person, start: str) -> None:
    ImportProblem.objects.create(batch=batch, line=10, field="x", value=f"{start}1", reason="r")
    answer = browser_of(ada).get(f"{address(batch)}problems.csv")
    rows = list(csv.reader(StringIO(answer.getvalue().decode(), newline="")))  # type: ignore[attr-defined]
    assert rows[-1][2] == f"'{start}1"


def test_each_waiting_row_tells_what_became_of_its_picture(batch: ImportBatch, ada: Person) -> None:
    wait(batch, "b.jpg")
    client = browser_of(ada)
    page = client.get(f"{address(batch)}waiting/").content.decode()
    assert "What is a.jpg?" in page
    assert "The host answered 404." in page
    assert "What is b.jpg?" not in client.get(f"{address(batch)}waiting/?state=gone").content.decode()
    assert "No row waits" in client.get(f"{address(batch)}waiting/?state=refused").content.decode()
    assert client.get(f"{address(batch)}waiting/?state=x").status_code == 400


def test_an_import_is_found_under_its_own_source_only(batch: ImportBatch, ada: Person) -> None:
    other = factories.make_source("other")
    client = browser_of(ada)
    for path in (f"/sources/{other.key}/imports/{batch.key}/", f"{address(batch)[:-2]}0/", "/sources/none/imports/x/"):
        assert client.get(path).status_code == 404, path


def test_max_takes_what_has_arrived_and_ada_and_ann_may_not(batch: ImportBatch, max_: Person, ada: Person, ann: Person) -> None:
    row = ImportedRow.objects.get()
    Acquisition.objects.update(state="stored", image=factories.make_image(source=batch.source))
    for person in (ada, ann):
        assert browser_of(person).post(f"{address(batch)}resume/").status_code == 403
    assert not WorkUnit.objects.exists()
    client = browser_of(max_)
    assert "Take what has arrived" in client.get(address(batch)).content.decode()
    for _ in range(2):  # twice is once
        assert client.post(f"{address(batch)}resume/")["Location"] == address(batch)
    do_import(WorkUnit.objects.get().payload)
    assert Question.objects.get().text == row.text
    batch.refresh_from_db()
    assert (batch.rows_accepted, batch.rows_waiting) == (8, 0)


def test_an_import_with_nothing_left_says_so(batch: ImportBatch, max_: Person) -> None:
    stopped = make_batch(batch.source, max_, file_sha256="cd" * 32, state="reading")
    ImportBatch.objects.filter(pk=batch.pk).update(rows_waiting=0, rows_read=11)
    client = browser_of(max_)
    for one, words in ((batch, "Nothing is left to do"), (stopped, "run the command import_source again")):
        assert words in client.post(f"{address(one)}resume/", follow=True).content.decode()
    assert not WorkUnit.objects.exists()


def test_reviewers_and_outsiders_see_no_import(batch: ImportBatch, ann: Person, rae: Person, otto: Person) -> None:
    for person in (ann, rae, otto):
        client: Client = browser_of(person)
        for path in ("", "waiting/", "problems.csv"):
            assert client.get(f"{address(batch)}{path}").status_code == 403, (person, path)


def test_the_pages_ask_as_much_for_many_rows_as_for_few(batch: ImportBatch, ada: Person) -> None:
    client = browser_of(ada)
    paths = {address(batch): 6, f"{address(batch)}waiting/": 4}
    few = {path: statements(client, path) for path in paths}
    for number in range(60):
        ImportProblem.objects.create(batch=batch, line=10 + number, reason=f"r {number}")
        wait(batch, f"{number}.jpg", "gone")
    many = {path: statements(client, path) for path in paths}
    assert few == many == paths
    assert all('rel="next"' in client.get(path).content.decode() for path in paths)
    assert all(client.head(path).status_code == 200 for path in paths)
