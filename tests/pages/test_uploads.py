"""Max brings a file, maps its columns, looks at its first rows before anything is written, and imports it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import (
    Acquisition,
    ImportBatch,
    ImportedRow,
    JournalEntry,
    Person,
    Question,
    Source,
    UploadedFile,
    WorkUnit,
)
from annotation.sources import operations
from annotation.sources.faults import Truncated
from annotation.sources.operations import uploads
from annotation.tasks.handlers import do_import
from tests import factories
from tests.conftest import browser_of

TABLE = "picture,frage,antwort\n" + "".join(f"{n}.jpg,What is number {n}?,{n}\n" for n in range(30)) + "x.jpg,,1\n"
MAPPED = {"layout": "mapped", "column-0": "image", "column-1": "question", "column-2": "answer"}


@pytest.fixture(autouse=True)
def source(db: None, tmp_path: Path, settings: Any) -> Source:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    return factories.make_source("custom")


def brought(client: Client, content: str | bytes, name: str = "rows.csv") -> str:
    """The address that an upload leads to."""
    content = content.encode() if isinstance(content, str) else content
    answer = client.post("/sources/custom/", {"file": SimpleUploadedFile(name, content)})
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"])


def written() -> list[int]:
    return [table.objects.count() for table in (ImportBatch, ImportedRow, Acquisition, WorkUnit)]


def test_columns_are_found_and_a_file_of_another_s_words_is_mapped_by_hand(max_: Person) -> None:
    client = browser_of(max_)
    page = client.get(brought(client, TABLE)).content.decode()
    assert '<label for="id_column-1">frage</label>' in page
    assert "No column is mapped to image." in page
    assert written() == [0, 0, 0, 0]


def test_twenty_rows_are_shown_as_they_would_be_read_with_the_problems_before_anything_is_written(max_: Person) -> None:
    client = browser_of(max_)
    page = client.get(f"{brought(client, TABLE)}?{urlencode(MAPPED)}").content.decode()
    assert "What is number 19?" in page
    assert "What is number 20?" not in page
    assert "<dt>Looked at</dt><dd>31</dd>" in page
    assert "<dt>Rejected</dt><dd>1</dd>" in page
    assert "This must not be empty." in page
    assert written() == [0, 0, 0, 0]


def test_max_imports_what_he_looked_at(max_: Person, source: Source) -> None:
    client = browser_of(max_)
    answer = client.post(brought(client, TABLE), MAPPED)
    batch = ImportBatch.objects.get()
    assert answer["Location"] == f"/sources/custom/imports/{batch.key}/"
    assert (batch.file_name, batch.state, batch.by) == ("rows.csv", "reading", max_)
    assert do_import(WorkUnit.objects.get().payload) == {"read": 31, "accepted": 0, "waiting": 30}
    batch.refresh_from_db()
    assert (batch.state, batch.rows_rejected, batch.file_name) == ("done", 1, "rows.csv")
    assert batch.options["mapping"] == {"picture": "image", "frage": "question", "antwort": "answer"}


def test_the_same_file_again_leads_to_its_import_and_adds_nothing(max_: Person) -> None:
    client = browser_of(max_)
    client.post(brought(client, TABLE), MAPPED)
    do_import(WorkUnit.objects.get().payload)
    batch = ImportBatch.objects.get()
    assert client.post(brought(client, TABLE), MAPPED)["Location"] == f"/sources/custom/imports/{batch.key}/"
    assert (UploadedFile.objects.count(), WorkUnit.objects.count(), ImportBatch.objects.count()) == (1, 1, 1)
    assert JournalEntry.objects.filter(event="file.uploaded").count() == 1


def test_the_unit_of_an_import_may_run_twice(max_: Person, source: Source) -> None:
    factories.make_image(source=source)
    client = browser_of(max_)
    client.post(brought(client, json.dumps([{"image": "a.jpg", "question": "Q?", "answer": "x"}])), {"layout": "generic"})
    payload = WorkUnit.objects.get().payload
    assert do_import(payload) == do_import(payload) == {"read": 1, "accepted": 0, "waiting": 1}
    assert not Question.objects.exists()


def test_a_fault_deeper_in_the_file_aborts_the_import_and_is_told_on_its_page(max_: Person) -> None:
    client = browser_of(max_)
    rows = '{"image": "a.jpg", "question": "Q?", "answer": "x"}\n' * 300 + '{"image": "a.'
    page = client.post(brought(client, rows), {"layout": "generic"})["Location"]
    with pytest.raises(Truncated):
        do_import(WorkUnit.objects.get().payload)
    told = client.get(page).content.decode()
    assert "middle of" in told
    assert "none of its rows came in" in told
    assert written()[:2] == [1, 0]


def test_the_layout_of_a_known_source_is_chosen_and_plain_rows_are_known(max_: Person) -> None:
    client = browser_of(max_)
    plain = client.get(brought(client, "image,question,answer\na.jpg,Q?,x\n")).content.decode()
    assert '<option value="generic" selected>' in plain
    factories.make_source("realx")
    answer = client.post("/sources/realx/", {"file": SimpleUploadedFile("r.json", b'[{"query": "Q?"}]')})
    assert '<option value="realx" selected>' in client.get(answer["Location"]).content.decode()


def test_an_encoding_may_be_chosen(max_: Person) -> None:
    client = browser_of(max_)
    address = brought(client, "image,question,answer\na.jpg,Où est-il?,là\n".encode("cp1252"))
    assert "Où est-il?" in client.get(f"{address}?layout=generic&encoding=cp1252").content.decode()
    assert client.get(f"{address}?layout=generic&encoding=none").status_code == 400


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "The submitted file is empty."), (b"\x89PNG\r\n\x1a\n\x00\x00", ""), (b'{"a": 1}\n{"b"', "")],
)
def test_a_file_that_is_none_is_refused_in_words(max_: Person, content: bytes, words: str) -> None:
    client = browser_of(max_)
    answer = client.post("/sources/custom/", {"file": SimpleUploadedFile("rows.csv", content)})
    if words:
        assert answer.status_code == 400
        assert words in answer.content.decode()
    else:
        page = client.get(answer["Location"])
        assert 'role="alert"' in page.content.decode()
        assert UploadedFile.objects.get().sha256 not in page.content.decode(), "people call it rows.csv"
        assert client.post(answer["Location"], {"layout": "generic"}).status_code == 400
    assert written() == [0, 0, 0, 0]


def test_a_file_that_is_too_large_is_for_the_command(max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", 10)
    answer = browser_of(max_).post("/sources/custom/", {"file": SimpleUploadedFile("rows.csv", b"x" * 11)})
    assert answer.status_code == 400
    assert "use the command import_source" in answer.content.decode()
    assert not UploadedFile.objects.exists()
    assert operations.MOST_BYTES == 64 << 20


def test_who_does_not_maintain_neither_brings_nor_sees_a_file(max_: Person, ada: Person, ann: Person, otto: Person) -> None:
    address = brought(browser_of(max_), TABLE)
    for person in (ada, ann, otto):
        client = browser_of(person)
        asked: list[Callable[..., Any]] = [client.get, client.head, client.post]
        assert [ask(address).status_code for ask in asked] == [403, 403, 403]
        assert client.post("/sources/custom/", {"file": SimpleUploadedFile("a.csv", b"a,b")}).status_code == 403
    assert UploadedFile.objects.count() == 1
    assert browser_of(max_).head(address).status_code == 200


def test_what_stands_in_a_file_is_text_on_the_page(max_: Person) -> None:
    client = browser_of(max_)
    page = client.get(brought(client, "image,question,answer,<i>\na.jpg,<script>alert(1)</script>,x,y\n")).content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<i>" not in page


def test_columns_inside_others_and_values_for_every_row_are_mapped_in_lines(max_: Person) -> None:
    client = browser_of(max_)
    rows = [{"meta": {"frage": f"What is {n}?", "a": [n]}, "pics": [{"file": f"{n}.jpg"}], "nr": n} for n in range(4)]
    where = brought(client, "".join(json.dumps(row) + "\n" for row in rows), "rows.jsonl")
    inner = "meta.frage = question\n pics.0.file=image\n\nmeta.a.0 = answer"
    chosen = {"layout": "mapped", "inner": inner, "constants": "family = count", "column-2": "id", "ids": "1\n3\n"}
    page = client.get(where, chosen).content.decode()
    assert "What is 1?" in page
    assert "What is 2?" not in page
    assert written() == [0, 0, 0, 0]
    client.post(where, chosen)
    do_import(WorkUnit.objects.get().payload)
    found = ImportedRow.objects.order_by("pk").values_list("source_row", "text", "answers", "family", "acquisition__name")
    assert list(found) == [("1", "What is 1?", ["1"], "count", "1.jpg"), ("3", "What is 3?", ["3"], "count", "3.jpg")]
    assert ImportBatch.objects.get().rows_left_out == 2


@pytest.mark.parametrize("line", ["meta.frage", "= question", "a = id\na = id"])
def test_a_line_that_maps_nothing_is_shown_to_whoever_wrote_it(max_: Person, line: str) -> None:
    client = browser_of(max_)
    where = brought(client, TABLE)
    answer = client.get(where, {**MAPPED, "inner": line})
    assert answer.status_code == 400
    assert "is no line such as name = value" in answer.content.decode()


def test_what_is_known_before_is_said_before_anything_is_written(max_: Person) -> None:
    client = browser_of(max_)
    image = factories.make_image(source=Source.objects.get(key="custom"))
    Acquisition.objects.create(source=image.source, name="0.jpg", state="stored", image=image)
    factories.make_original(image=image, text="What is number 0?", answers=["0"])
    page = client.get(brought(client, TABLE), MAPPED).content.decode()
    assert "<dt>Known before</dt><dd>1</dd>" in page
