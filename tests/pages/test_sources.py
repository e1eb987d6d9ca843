"""Max adds sources, Ada reads them, and rejected rows can be taken away without harm."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from annotation.models import ImportBatch, ImportProblem, JournalEntry, Person, Source
from tests import factories
from tests.conftest import browser_of, counted_statements

SHA = "ab" * 32
NEW = {"key": "pixmo-count", "name": "PixMo-Count", "licence": "ODC-BY-1.0"}


def make_batch(source: Source, by: Person, **values: Any) -> ImportBatch:
    defaults = {"file_name": "rows.jsonl", "file_sha256": SHA, "importer": "generic", "importer_version": 1, "state": "done"}
    return ImportBatch.objects.create(source=source, by=by, **{**defaults, **values})


@pytest.fixture
def batch(max_: Person) -> ImportBatch:
    batch = make_batch(factories.make_source(), max_, rows_read=10, rows_accepted=7, rows_rejected=3)
    ImportProblem.objects.create(batch=batch, line=3, field="question", value='=HYPERLINK("http://x")', reason="It is no text.")
    ImportProblem.objects.create(batch=batch, line=4, field="answer", value="-1", reason="+ is, too")
    ImportProblem.objects.create(batch=batch, line=9, field="image", value="plain", reason="No such file, sorry")
    return batch


def address(batch: ImportBatch) -> str:
    return f"/sources/{batch.source.key}/imports/{batch.importer}/{batch.importer_version}/{batch.file_sha256}"


def test_the_list_names_each_source_with_its_licence_and_what_came_in(batch: ImportBatch, ada: Person) -> None:
    make_batch(batch.source, batch.by, file_sha256="cd" * 32, rows_read=5, rows_accepted=5)
    factories.make_source("unlicensed", licence="unknown")
    page = browser_of(ada).get("/sources/").content.decode()
    assert "CC-BY-4.0" in page
    assert "unknown" in page
    assert '<td class="number">12</td>' in page


def test_max_adds_a_source_and_is_led_to_it(max_: Person) -> None:
    answer = browser_of(max_).post("/sources/", {**NEW, "images_redistributable": "on"})
    source = Source.objects.get()
    assert answer["Location"] == "/sources/pixmo-count/"
    assert (source.name, source.licence, source.images_redistributable) == ("PixMo-Count", "ODC-BY-1.0", True)
    assert JournalEntry.objects.get(event="source.added").actor == max_


@pytest.mark.parametrize(
    ("values", "status", "words"),
    [
        ({"key": ""}, 400, "This field is required."),
        ({"key": "Pixmo_Count"}, 400, "A key has small letters, digits and hyphens"),
        ({"homepage": "javascript:alert(1)"}, 400, "Enter a valid URL"),
        ({"key": "demo-photos"}, 409, "There is a source demo-photos already."),
    ],
)
def test_a_refused_source_comes_back_with_its_reason_and_what_was_entered(
    max_: Person, values: dict[str, str], status: int, words: str
) -> None:
    factories.make_source()
    answer = browser_of(max_).post("/sources/", {**NEW, **values})
    page = answer.content.decode()
    assert answer.status_code == status
    assert words in page
    assert 'value="PixMo-Count"' in page
    assert Source.objects.count() == 1


def test_the_imports_of_a_source_tell_what_was_read_and_why_one_was_aborted(batch: ImportBatch, ada: Person) -> None:
    make_batch(batch.source, batch.by, state="aborted", fault="The file ends in the middle of line 7.")
    page = browser_of(ada).get(f"/sources/{batch.source.key}/").content.decode()
    assert "The file ends in the middle of line 7." in page
    assert f'<a href="{address(batch)}/">3</a>' in page


def test_rejected_rows_stand_in_the_order_of_the_file(batch: ImportBatch, ada: Person) -> None:
    page = browser_of(ada).get(f"{address(batch)}/").content.decode()
    assert page.index("It is no text.") < page.index("+ is, too") < page.index("No such file, sorry")


def test_rejected_rows_come_as_a_table_in_which_nothing_is_a_formula(batch: ImportBatch, ada: Person) -> None:
    answer = browser_of(ada).get(f"{address(batch)}/problems.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="rejected-demo-photos-abababababab.csv"'
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
    answer = browser_of(ada).get(f"{address(batch)}/problems.csv")
    rows = list(csv.reader(StringIO(answer.getvalue().decode(), newline="")))  # type: ignore[attr-defined]
    assert rows[-1][2] == f"'{start}1"


def test_an_import_is_found_under_its_own_source_only(batch: ImportBatch, ada: Person) -> None:
    other = factories.make_source("other")
    client = browser_of(ada)
    for path in ("/sources/none/", f"/sources/{other.key}/imports/generic/1/{SHA}/", f"{address(batch)[:-1]}0/"):
        assert client.get(path).status_code == 404, path


def test_ada_reads_and_does_not_add(batch: ImportBatch, ada: Person) -> None:
    client = browser_of(ada)
    assert "Add the source" not in client.get("/sources/").content.decode()
    assert client.post("/sources/", NEW).status_code == 403
    assert Source.objects.count() == 1


def test_reviewers_and_outsiders_do_not_see_sources(batch: ImportBatch, ann: Person, rae: Person, otto: Person) -> None:
    for person in (ann, rae, otto):
        client: Client = browser_of(person)
        for path in ("/sources/", f"/sources/{batch.source.key}/", f"{address(batch)}/", f"{address(batch)}/problems.csv"):
            assert client.get(path).status_code == 403, (person, path)


def test_empty_lists_say_what_to_do(max_: Person) -> None:
    client = browser_of(max_)
    assert "No sources yet" in client.get("/sources/").content.decode()
    source = factories.make_source()
    assert "Nothing imported yet" in client.get(f"/sources/{source.key}/").content.decode()
    batch = make_batch(source, max_)
    assert "No row was rejected" in client.get(f"{address(batch)}/").content.decode()


def test_the_lists_ask_as_much_for_many_rows_as_for_few(batch: ImportBatch, ada: Person) -> None:
    client = browser_of(ada)
    paths = {"/sources/": 3, f"/sources/{batch.source.key}/": 4, f"{address(batch)}/": 4}
    few = {path: statements(client, path) for path in paths}
    for number in range(60):
        make_batch(factories.make_source(f"source-{number}"), batch.by)
        make_batch(batch.source, batch.by, file_sha256=f"{number:064}")
        ImportProblem.objects.create(batch=batch, line=10 + number, reason="r")
    many = {path: statements(client, path) for path in paths}
    assert few == many == paths
    assert all('rel="next"' in client.get(path).content.decode() for path in paths)


def statements(client: Client, path: str) -> int:
    with counted_statements() as asked:
        assert client.get(path).status_code == 200
    return len(asked)
