"""Writing down which pictures a source names: in bulk, once, with what it promises."""

import pytest
from django.db import IntegrityError, transaction

from annotation.images.operations import acquire_by_address, want
from annotation.models import Acquisition, Person, WorkUnit
from annotation.sources.rows import Wanted
from tests.conftest import counted_statements
from tests.factories import make_source

pytestmark = pytest.mark.django_db


def states() -> dict[str, tuple[str, str]]:
    return {row.name: (row.state, row.host) for row in Acquisition.objects.all()}


def test_a_source_names_paths_and_addresses_and_each_is_wanted_once() -> None:
    source = make_source()
    rows = [Wanted("photos/a.jpg"), Wanted("https://Pictures.example:8443/a.jpg"), Wanted("photos/a.jpg")]
    ids = want(source=source, wanted=rows)
    assert want(source=source, wanted=iter(rows)) == ids == {row.name: row.pk for row in Acquisition.objects.all()}
    assert states() == {
        "photos/a.jpg": ("wanted", ""),
        "https://Pictures.example:8443/a.jpg": ("wanted", "pictures.example:8443"),
    }


def test_two_sources_may_name_the_same_picture() -> None:
    first = want(source=make_source("one"), wanted=[Wanted("a.jpg")])
    assert want(source=make_source("two"), wanted=[Wanted("a.jpg")]) != first


def test_a_promise_that_comes_later_is_added_and_one_that_stands_stays() -> None:
    source = make_source()
    want(source=source, wanted=[Wanted("a.jpg")])
    want(source=source, wanted=[Wanted("a.jpg", "AB" * 32), Wanted("a.jpg", size=7)])
    want(source=source, wanted=[Wanted("a.jpg", "cd" * 32, 8)])
    row = Acquisition.objects.get()
    assert (row.expected_sha256, row.expected_size) == ("ab" * 32, 7)


@pytest.mark.parametrize(
    "name", ["../a.jpg", "/etc/a.jpg", "C:\\a.jpg", "a//b.jpg", "http://u@h.example/a.jpg", "https://127.1/a.jpg"]
)
def test_a_name_under_which_nothing_can_be_found_is_refused_at_once_with_a_reason(name: str) -> None:
    want(source=make_source(), wanted=[Wanted(name)])
    row = Acquisition.objects.get()
    assert (row.state, row.host) == ("refused", "")
    assert row.reason


def test_a_name_of_2000_bytes_is_kept_and_a_longer_one_left_out_of_the_answer() -> None:
    start = "https://pictures.example/"
    longest, longer = start.ljust(2000, "a"), start.ljust(2001, "a")
    assert set(want(source=make_source(), wanted=[Wanted(longest), Wanted(longer), Wanted("a\x00.jpg"), Wanted("")])) == {longest}


def test_the_database_refuses_a_name_too_long_for_its_index() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Acquisition.objects.create(source=make_source(), name="ü" * 1001)


def test_units_of_all_wanted_addresses_are_one_statement(max_: Person) -> None:
    source = make_source()
    want(source=source, wanted=[Wanted(f"https://h{number % 7}.example/{number}.jpg") for number in range(500)])
    with counted_statements() as asked:
        assert acquire_by_address(by=max_, source=source) == 500
    assert len(asked) == 1
    first = WorkUnit.objects.order_by("pk").first()
    assert first is not None
    assert set(first.payload) == {"acquisition_id", "round", "host", "source_id", "by_id"}
    assert (first.state, first.attempts, first.queue) == ("ready", 0, "io")
    assert len({unit.payload["host"] for unit in WorkUnit.objects.order_by("pk")[:20]}) > 3  # no host stands in front


def test_ten_thousand_names_are_a_handful_of_statements() -> None:
    source, rows = make_source(), [Wanted(f"{number}.jpg") for number in range(10_000)]
    with counted_statements() as asked:
        assert len(want(source=source, wanted=rows)) == 10_000
    with counted_statements() as again:
        want(source=source, wanted=rows)
    assert (len(asked), len(again)) == (4, 2)
