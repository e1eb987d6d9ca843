"""Sources: one per key, with a licence or openly without one."""

import pytest

from annotation.models import ImportBatch, ImportProblem, JournalEntry, Person
from annotation.sources import queries
from annotation.sources.fingerprints import Fingerprint
from annotation.sources.operations import BadSource, SourceKnown, add_source, finish_batch, open_batch, read_whole
from tests.factories import make_source


def test_max_adds_a_source_and_the_journal_knows(max_: Person) -> None:
    source = add_source(key="pixmo-count", name="PixMo-Count", by=max_, licence="ODC-By-1.0")
    assert source.licence == "ODC-By-1.0"
    assert JournalEntry.objects.get(event="source.added").after == {"key": "pixmo-count", "licence": "ODC-By-1.0"}


def test_a_source_without_a_licence_is_unknown_not_free(max_: Person) -> None:
    assert add_source(key="cof", name="CoF", by=max_, licence=" ").licence == "unknown"


def test_a_key_is_taken_once(max_: Person) -> None:
    add_source(key="cof", name="CoF", by=max_)
    with pytest.raises(SourceKnown):
        add_source(key="cof", name="Another", by=max_)


@pytest.mark.parametrize("key", ["", "PixMo", "a b", "-a", "a--b", "ä", "x" * 41, "a/b"])
def test_a_key_that_no_address_carries_is_refused(max_: Person, key: str) -> None:
    with pytest.raises(BadSource) as caught:
        add_source(key=key, name="Name", by=max_)
    assert caught.value.field == "key"


def test_a_source_needs_a_name(max_: Person) -> None:
    with pytest.raises(BadSource):
        add_source(key="cof", name="  ", by=max_)


def test_ada_reads_how_much_came_from_each_source(max_: Person) -> None:
    for sha256, accepted in (("0" * 64, 2), ("1" * 64, 3)):
        file = Fingerprint("a.jsonl", sha256, 9)
        batch = open_batch(source=make_source("a-source"), file=file, importer="generic", version=1, by=max_)
        ImportBatch.objects.filter(pk=batch.pk).update(rows_accepted=accepted)
    make_source("b-source")
    found = queries.sources()
    assert list(found.order_by("key").values_list("key", "import_count", "question_count")) == [
        ("a-source", 2, 5),
        ("b-source", 0, 0),
    ]
    assert str(found.query).count(" JOIN ") == 1, "a second join would multiply the first"


def test_problems_are_read_in_the_order_of_the_file(max_: Person) -> None:
    file = Fingerprint("a.jsonl", "0" * 64, 9)
    batch = open_batch(source=make_source(), file=file, importer="generic", version=1, by=max_)
    for line, reason in ((9, "late"), (2, "early")):
        ImportProblem.objects.create(batch=batch, line=line, reason=reason)
    assert [one.reason for one in queries.problems(batch)] == ["early", "late"]
    assert list(queries.batches()) == list(queries.batches(batch.source)) == [batch]


def test_a_file_that_was_read_and_stored_is_finished_once(max_: Person) -> None:
    file = Fingerprint("a.jsonl", "0" * 64, 9)
    batch = open_batch(source=make_source(), file=file, importer="generic", version=1, by=max_)
    ImportBatch.objects.filter(pk=batch.pk).update(rows_read=3, rows_known=3, ignored={"note": 3})
    assert finish_batch(batch=batch).state == "reading"
    read_whole(batch=batch)
    assert [finish_batch(batch=batch).state for _ in range(2)] == ["done", "done"]
    assert JournalEntry.objects.get(event="batch.imported").after["ignored_fields"] == {"note": 3}
