"""Max adds sources, and Ada reads what came from each."""

from typing import Any

import pytest
from django.test import Client

from annotation.models import Acquisition, ImportBatch, JournalEntry, Person, Source
from tests import factories
from tests.conftest import browser_of, counted_statements

SHA = "ab" * 32
NEW = {"key": "pixmo-count", "name": "PixMo-Count", "licence": "ODC-BY-1.0"}


def make_batch(source: Source, by: Person, **values: Any) -> ImportBatch:
    defaults = {"file_name": "rows.jsonl", "file_sha256": SHA, "importer": "generic", "importer_version": 1, "state": "done"}
    return ImportBatch.objects.create(source=source, by=by, **{**defaults, **values})


@pytest.fixture
def batch(max_: Person) -> ImportBatch:
    return make_batch(factories.make_source(), max_, rows_read=10, rows_accepted=7, rows_rejected=3)


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
    assert f'href="/sources/{batch.source.key}/imports/{batch.key}/"' in page


def test_the_page_of_a_source_tells_its_licence_what_came_from_it_and_what_waits(max_: Person, ada: Person) -> None:
    source = factories.make_source("pixmo-count", licence="unknown")
    make_batch(source, max_, rows_read=12, rows_accepted=5, rows_waiting=7)
    for name, state in (("a.jpg", "wanted"), ("b.jpg", "gone")):
        Acquisition.objects.create(source=source, name=name, state=state)
    page = browser_of(ada).get("/sources/pixmo-count/").content.decode()
    assert '<span class="state state-warn">unknown</span>' in page
    assert "each keeps its own terms" in page, "what the card asks a person to check"
    assert "<dt>Questions</dt><dd>5</dd>" in page
    assert "<dt>Waiting for pictures</dt><dd>7</dd>" in page
    assert '<a href="/acquisitions/?source=pixmo-count&amp;state=gone">1</a>' in page


def test_ada_reads_and_does_not_add(batch: ImportBatch, ada: Person) -> None:
    client = browser_of(ada)
    assert "Add the source" not in client.get("/sources/").content.decode()
    assert "Look at it first" not in client.get(f"/sources/{batch.source.key}/").content.decode()
    assert client.post("/sources/", NEW).status_code == 403
    assert client.post(f"/sources/{batch.source.key}/").status_code == 403
    assert Source.objects.count() == 1


def test_reviewers_and_outsiders_do_not_see_sources(batch: ImportBatch, ann: Person, rae: Person, otto: Person) -> None:
    for person in (ann, rae, otto):
        client: Client = browser_of(person)
        for path in ("/sources/", f"/sources/{batch.source.key}/"):
            assert client.get(path).status_code == client.head(path).status_code == 403, (person, path)


def test_empty_lists_say_what_to_do(max_: Person) -> None:
    client = browser_of(max_)
    assert "No sources yet" in client.get("/sources/").content.decode()
    source = factories.make_source()
    assert "Nothing imported yet" in client.get(f"/sources/{source.key}/").content.decode()


def test_the_lists_ask_as_much_for_many_rows_as_for_few(batch: ImportBatch, ada: Person) -> None:
    client = browser_of(ada)
    paths = {"/sources/": 3, f"/sources/{batch.source.key}/": 7}
    few = {path: statements(client, path) for path in paths}
    for number in range(60):
        make_batch(factories.make_source(f"source-{number}"), batch.by)
        make_batch(batch.source, batch.by, file_sha256=f"{number:064}")
    many = {path: statements(client, path) for path in paths}
    assert few == many == paths
    assert all('rel="next"' in client.get(path).content.decode() for path in paths)
    assert all(client.head(path).status_code == 200 for path in paths)


def statements(client: Client, path: str) -> int:
    with counted_statements() as asked:
        assert client.get(path).status_code == 200
    return len(asked)


def test_max_allows_rows_without_a_licence_in_writing_and_takes_it_back(max_: Person, ada: Person) -> None:
    factories.make_source("cof", licence="unknown")
    max_there, address = browser_of(max_), "/sources/cof/licence/"
    assert "Its rows stay out of releases" in max_there.get(address).content.decode()
    why = "The authors agreed to it by letter, kept in the office."
    refused = max_there.post(f"{address}ruling/", {"allowed": "yes", "reason": "Fine."})
    assert (refused.status_code, "20 to 2000 characters" in refused.content.decode()) == (400, True)
    page = max_there.post(f"{address}ruling/", {"allowed": "yes", "reason": why}, follow=True).content.decode()
    assert "Its rows may be released, by a written word" in page
    assert why in browser_of(ada).get(address).content.decode()
    again = max_there.post(f"{address}ruling/", {"allowed": "yes", "reason": why})
    assert again.status_code == 409
    page = max_there.post(f"{address}ruling/", {"allowed": "no", "reason": f"No: {why}"}, follow=True).content.decode()
    assert "Its rows stay out of releases" in page
    with counted_statements() as asked:
        max_there.get(address)
    assert len(asked) <= 5, asked


def test_max_corrects_the_card_of_a_source(max_: Person, ada: Person) -> None:
    factories.make_source("cof", licence="unknown", citation="Old")
    card = {"licence": "MIT", "homepage": "https://example.org/cof", "citation": "Zhang et al."}
    page = browser_of(max_).post("/sources/cof/licence/", card, follow=True).content.decode()
    assert "https://spdx.org/licenses/MIT.html" in page
    assert "Its rows" not in page
    assert browser_of(ada).post("/sources/cof/licence/", card).status_code == 403
    assert Source.objects.get(key="cof").citation == "Zhang et al."


def test_a_source_that_we_know_needs_only_its_key(max_: Person) -> None:
    browser_of(max_).post("/sources/", {"key": "pixmo-count"})
    assert Source.objects.get().name == "PixMo-Count"
