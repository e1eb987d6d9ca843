"""Nobody is visited too often, by too many at once, or while they asked us to wait; whatever number of workers there are."""

from collections.abc import Callable
from datetime import timedelta
from threading import Barrier, Event, Thread

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.images import queries
from annotation.images.operations import BadManners, NoSuchHost, manners, pause_host, resume_host, set_manners
from annotation.models import FetchHost, FetchSeat, JournalEntry, Person, WorkUnit
from annotation.work import NotYet, enqueue
from tests.moments import ago, ahead

HOST = "pictures.example"


def make_host(**values: object) -> FetchHost:
    return FetchHost.objects.create(host=HOST, **{"spacing": timedelta(0), **values})


def seconds_refused() -> float:
    with pytest.raises(NotYet) as caught, manners.seat(HOST):
        pass
    return caught.value.seconds


def test_a_host_that_is_new_is_met_with_our_usual_manners(db: None) -> None:
    with manners.seat(HOST):
        assert FetchSeat.objects.count() == 1
    host = FetchHost.objects.get()
    assert (host.spacing, host.at_once) == (timedelta(milliseconds=200), 4)
    assert not FetchSeat.objects.exists()


def test_a_seat_is_free_again_when_its_request_fails(db: None) -> None:
    with pytest.raises(ValueError, match="cut"), manners.seat(HOST):
        raise ValueError("cut")
    assert not FetchSeat.objects.exists()


def test_visits_are_spaced_and_a_far_turn_is_not_waited_for(db: None) -> None:
    make_host(spacing=timedelta(seconds=3600))
    with manners.seat(HOST):
        pass
    assert 1800 <= seconds_refused() <= 5400
    FetchHost.objects.update(next_slot=ago(1))
    with manners.seat(HOST):
        pass


def test_no_more_than_the_limit_are_served_at_once_and_seats_of_the_dead_are_free(db: None) -> None:
    host = make_host(at_once=2)
    FetchSeat.objects.create(host=host, token="00000000-0000-0000-0000-000000000001", until=ahead(100))
    with manners.seat(HOST):
        assert seconds_refused() < 5
    FetchSeat.objects.create(host=host, token="00000000-0000-0000-0000-000000000002", until=ahead(100))
    assert seconds_refused() < 5
    FetchSeat.objects.update(until=ago(1))
    with manners.seat(HOST):
        assert FetchSeat.objects.count() == 1


def test_a_host_that_asked_us_to_wait_is_not_asked_before(db: None) -> None:
    make_host()
    manners.leave_alone(host=HOST, seconds=100, reason="429")
    manners.leave_alone(host=HOST, seconds=10, reason="429")
    assert 95 < seconds_refused() < 115
    FetchHost.objects.update(paused_until=ago(1))
    with manners.seat(HOST):
        pass


def test_max_pauses_a_host_and_resumes_it_and_the_journal_knows(max_: Person) -> None:
    make_host()
    pause_host(host=HOST, by=max_)
    pause_host(host=HOST, by=max_)
    assert seconds_refused() > 10
    waiting = enqueue(kind="fetch", natural_key="fetch:1:0", payload={"host": HOST}, queue="io")
    other = enqueue(kind="fetch", natural_key="fetch:2:0", payload={"host": "other.example"}, queue="io")
    WorkUnit.objects.update(not_before=ahead(1000))
    resume_host(host=HOST, by=max_)
    resume_host(host=HOST, by=max_)
    with manners.seat(HOST):
        pass
    assert list(WorkUnit.objects.filter(not_before__lte=ahead(0))) == [waiting]
    assert other.state == "ready"
    assert list(JournalEntry.objects.order_by("pk").values_list("event", flat=True)) == ["host.paused", "host.resumed"]


def test_resuming_ends_a_wait_that_the_host_asked_for(max_: Person) -> None:
    make_host()
    manners.leave_alone(host=HOST, seconds=1000, reason="429")
    assert queries.hosts().get().resting
    resume_host(host=HOST, by=max_)
    assert not queries.hosts().get().resting
    with manners.seat(HOST):
        assert queries.hosts().get().busy == 1


def test_max_sets_manners_within_reason(max_: Person) -> None:
    make_host()
    set_manners(host=HOST, spacing_ms=1500, at_once=1, by=max_)
    host = FetchHost.objects.get()
    assert (host.spacing, host.at_once) == (timedelta(milliseconds=1500), 1)
    entry = JournalEntry.objects.get()
    assert (entry.before, entry.after["spacing_ms"]) == ({"spacing_ms": 0, "at_once": 4}, 1500)
    for values in ({"spacing_ms": -1, "at_once": 1}, {"spacing_ms": 3_600_001, "at_once": 1}, {"spacing_ms": 0, "at_once": 65}):
        with pytest.raises(BadManners):
            set_manners(host=HOST, by=max_, **values)


def test_a_host_that_was_never_met_is_not_paused(max_: Person) -> None:
    for verb in (pause_host, resume_host):
        with pytest.raises(NoSuchHost):
            verb(host="nobody.example", by=max_)


@pytest.mark.parametrize("values", [{"at_once": 0}, {"at_once": 65}, {"spacing": timedelta(-1)}, {"spacing": timedelta(hours=2)}])
def test_the_database_refuses_manners_that_make_no_sense(db: None, values: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_host(**values)


def at_the_same_time(count: int, deed: Callable[[], None]) -> None:
    begin = Barrier(count)

    def one() -> None:
        begin.wait(20)
        try:
            deed()
        finally:
            connection.close()

    threads = [Thread(target=one) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


@pytest.mark.usefixtures("committed_db")
def test_of_twelve_workers_at_once_three_are_served() -> None:
    make_host(at_once=3)
    served, refused, done = list[int](), list[int](), Event()

    def visit() -> None:
        try:
            with manners.seat(HOST):
                served.append(1)
                done.wait(20)
        except NotYet:
            refused.append(1)
        if len(refused) == 9:
            done.set()

    at_the_same_time(12, visit)
    assert (len(served), len(refused)) == (3, 9)
    assert not FetchSeat.objects.exists()


@pytest.mark.usefixtures("committed_db")
def test_turns_of_workers_at_once_are_a_spacing_apart() -> None:
    make_host(spacing=timedelta(milliseconds=100), at_once=64)
    before = FetchHost.objects.get().next_slot

    def visit() -> None:
        with manners.seat(HOST):
            pass

    at_the_same_time(8, visit)
    assert FetchHost.objects.get().next_slot - before >= timedelta(milliseconds=800)
