"""Pictures behind addresses: one unit each, a named outcome for every answer, and no attempt too many."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models.functions import Now

from annotation import work
from annotation.images import pixels
from annotation.images.operations import NothingToAskAgain, acquire_by_address, ask_again, fetch, fetching, settle_abandoned, want
from annotation.images.operations.settling import settle_refusal
from annotation.models import Acquisition, AcquisitionState, FetchHost, FetchSeat, Image, JournalEntry, Person, WorkUnit
from annotation.sources.rows import Wanted
from annotation.tasks import work as tasks
from tests import pictures
from tests.factories import make_source
from tests.hosts import Host, host
from tests.moments import ago

SOON = timedelta(0)


@pytest.fixture(autouse=True)
def _own_storage(tmp_path: Path, settings: object) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"  # type: ignore[attr-defined]
    settings.OUTBOUND_ALLOW = ["127.0.0.1"]  # type: ignore[attr-defined]


@pytest.fixture
def fake(db: None) -> Iterator[Host]:
    with host() as found:
        FetchHost.objects.create(host=f"127.0.0.1:{found.port}", spacing=SOON)
        yield found


def picture(width: int = 60) -> bytes:
    return pictures.encoded(pictures.scene(width, 40), "JPEG")


def wants(by: Person, *wanted: Wanted | str) -> list[WorkUnit]:
    want(source=make_source(), wanted=[one if isinstance(one, Wanted) else Wanted(one) for one in wanted])
    acquire_by_address(by=by, source=make_source())
    return list(WorkUnit.objects.filter(kind="fetch").order_by("payload__acquisition_id"))  # in the order of names


def look(unit: WorkUnit) -> str:
    """Let a worker look at the unit as if it were due; the unit's state after that."""
    WorkUnit.objects.filter(pk=unit.pk).update(not_before=ago(1))
    FetchHost.objects.update(paused_until=None)
    tasks.look(unit.pk)
    unit.refresh_from_db()
    return unit.state


def row(name: str = "") -> Acquisition:
    return Acquisition.objects.get(name=name) if name else Acquisition.objects.get()


def test_a_wanted_address_becomes_an_image_with_one_request(fake: Host, max_: Person) -> None:
    (unit,) = wants(max_, fake.says("/a.jpg", body=picture()))
    assert look(unit) == "done"
    assert unit.result == {"outcome": "stored", "image": Image.objects.get().key}
    assert (row().state, row().attempts, row().last_status, row().received_bytes) == ("stored", 1, 200, len(picture()))
    assert row().fetched_at is not None
    assert WorkUnit.objects.filter(kind="tile").count() == 1
    assert not FetchSeat.objects.exists()


def test_each_address_is_one_unit_however_often_it_is_asked_for(fake: Host, max_: Person) -> None:
    first = wants(max_, fake.url("/a.jpg"), fake.url("/b.jpg"))
    assert wants(max_, fake.url("/a.jpg"), "photos/a.jpg") == first
    assert acquire_by_address(by=max_) == 0


def test_a_unit_that_runs_again_asks_nobody_and_changes_nothing(fake: Host, max_: Person) -> None:
    (unit,) = wants(max_, fake.says("/a.jpg", body=picture()))
    look(unit)
    fake.says("/a.jpg", "404 Not Found")
    assert fetch(acquisition_id=row().pk, round=0, by=max_) == {"outcome": "stored", "asked": False}
    assert len(fake.visits) == 1


@pytest.mark.parametrize(
    ("status", "state"),
    [("404 Not Found", "gone"), ("410 Gone", "gone"), ("451 No", "gone"), ("403 No", "refused"), ("206 Part", "refused")],
)
def test_a_final_answer_is_written_down_and_not_asked_for_again(fake: Host, max_: Person, status: str, state: str) -> None:
    (unit,) = wants(max_, fake.says("/a.jpg", status))
    assert look(unit) == "done"
    assert (row().state, row().last_status, unit.result["outcome"]) == (state, int(status[:3]), state)
    assert row().reason


def test_a_page_instead_of_a_picture_is_refused_by_its_bytes(fake: Host, max_: Person) -> None:
    (unit,) = wants(max_, fake.says("/a.jpg", body=b"<html>Log in</html>", Content_Type="image/jpeg"))
    assert look(unit) == "done"
    assert row().state == "refused"
    assert "no JPEG" in row().reason


def test_a_picture_that_an_overloaded_machine_could_not_look_at_is_tried_again(
    fake: Host, max_: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    (unit,) = wants(max_, fake.says("/a.jpg", body=picture()))
    with monkeypatch.context() as overloaded:
        overloaded.setattr(pixels, "GATE", replace(pixels.GATE, wall_seconds=0))
        assert look(unit) == "ready"
    assert (row().state, "longer than one picture" in row().reason) == ("wanted", True)
    assert look(unit) == "done"
    assert row().state == "stored"


def test_other_bytes_than_the_source_promises_are_a_mismatch(fake: Host, max_: Person) -> None:
    (unit,) = wants(max_, Wanted(fake.says("/a.jpg", body=picture()), "0" * 64))
    assert look(unit) == "done"
    assert row().state == "mismatch"
    assert not Image.objects.exists()


def test_the_door_refuses_what_is_not_outside_before_any_request(fake: Host, max_: Person, settings: object) -> None:
    settings.OUTBOUND_ALLOW = []  # type: ignore[attr-defined]
    (unit,) = wants(max_, fake.says("/a.jpg", body=picture()))
    assert look(unit) == "done"
    assert (row().state, fake.visits) == ("refused", [])


def test_a_busy_host_is_left_alone_as_long_as_it_asks_and_no_attempt_of_the_unit_is_used_up(fake: Host, max_: Person) -> None:
    (unit, other) = wants(max_, fake.says("/a.jpg", "429 Slow", Retry_After="100"), fake.says("/b.jpg", body=picture()))
    assert look(unit) == "ready"
    assert (row(fake.url("/a.jpg")).state, unit.attempts) == ("throttled", 0)
    due = WorkUnit.objects.filter(
        pk=unit.pk, not_before__gt=Now() + timedelta(seconds=95), not_before__lt=Now() + timedelta(seconds=115)
    )
    assert due.exists()
    tasks.look(other.pk)  # of the same host, and due
    other.refresh_from_db()
    assert (other.state, len(fake.visits)) == ("ready", 1)
    assert "asked us to wait" in other.reason
    fake.says("/a.jpg", body=picture())
    assert look(unit) == "done"
    assert row(fake.url("/a.jpg")).state == "stored"


def test_a_failure_that_may_pass_is_tried_again_later_each_time(fake: Host, max_: Person) -> None:
    (unit,) = wants(max_, fake.says("/a.jpg", "500 Oh"))
    waits = []
    for _ in range(4):
        assert look(unit) == "ready"
        waits.append((unit.not_before - database_now()).total_seconds())
    assert (row().state, row().attempts, row().reason) == ("wanted", 4, "The host answered 500.")
    for wait, usual in zip(waits, (30, 60, 120, 240), strict=True):
        assert usual * 0.45 < wait < usual * 1.55
    fake.says("/a.jpg", body=picture())
    assert look(unit) == "done"


def database_now() -> object:
    return FetchHost.objects.annotate(moment=Now()).values_list("moment", flat=True)[0]


def test_after_the_last_attempt_the_unit_is_parked_with_its_reason(fake: Host, max_: Person) -> None:
    (unit,) = wants(max_, fake.says("/a.jpg", "502 Oh"))
    states = [look(unit) for _ in range(fetching.MOST_ATTEMPTS)]
    assert states == ["ready"] * (fetching.MOST_ATTEMPTS - 1) + ["parked"]
    assert row().state == "throttled"
    assert row().reason == "Given up after 8 attempts. The host answered 502."
    assert "Given up" in unit.reason
    assert len(fake.visits) == fetching.MOST_ATTEMPTS


def test_max_asks_again_for_what_is_gone_and_it_comes(fake: Host, max_: Person) -> None:
    units = wants(max_, fake.says("/a.jpg", "404 Not Found"), fake.says("/b.jpg", "403 No"))
    assert [look(unit) for unit in units] == ["done", "done"]
    fake.says("/a.jpg", body=picture())
    assert ask_again(by=max_, states=["gone"]) == 1
    assert (row(fake.url("/a.jpg")).state, row(fake.url("/a.jpg")).round, row(fake.url("/a.jpg")).attempts) == ("wanted", 1, 0)
    look(WorkUnit.objects.filter(kind="fetch").latest("pk"))
    assert row(fake.url("/a.jpg")).state == "stored"
    assert row(fake.url("/b.jpg")).state == "refused"
    entry = JournalEntry.objects.get(event="pictures.asked-again")
    assert (entry.actor, entry.after["pictures"], entry.after["states"]) == (max_, 1, ["gone"])


def test_the_answer_to_an_older_asking_changes_nothing(fake: Host, max_: Person) -> None:
    (unit,) = wants(max_, fake.says("/a.jpg", "404 Not Found"))
    Acquisition.objects.update(round=1)
    assert look(unit) == "done"
    assert (row().state, fake.visits) == ("wanted", [])
    settle_refusal(source=make_source(), name=fake.url("/a.jpg"), state=AcquisitionState.GONE, reason="late", asked=0)
    assert row().state == "wanted"


def test_nobody_asks_again_for_what_is_here_or_under_way(fake: Host, max_: Person) -> None:
    for states in (["stored"], ["fetching", "gone"], []):
        with pytest.raises(NothingToAskAgain):
            ask_again(by=max_, states=states)


def test_an_address_that_no_door_opens_for_stays_refused(max_: Person) -> None:
    assert wants(max_, "http://127.1/a.jpg") == []
    assert ask_again(by=max_, states=["refused"]) == 0
    assert row().state == "refused"


def test_a_worker_that_dies_over_a_picture_leaves_it_to_the_next(fake: Host, max_: Person) -> None:
    (unit,) = wants(max_, fake.says("/a.jpg", body=picture()))
    assert work.claim(unit_id=unit.pk, worker="dies") is not None
    Acquisition.objects.update(state="fetching")
    WorkUnit.objects.filter(kind="fetch").update(leased_until=ago(1))
    work.sweep()
    assert look(unit) == "done"
    assert row().state == "stored"


def test_a_picture_over_which_workers_die_is_given_up_and_says_so(fake: Host, max_: Person) -> None:
    (unit,) = wants(max_, fake.says("/a.jpg", body=picture()))
    for _ in range(work.ATTEMPTS_AT_MOST):
        assert work.claim(unit_id=unit.pk, worker="dies") is not None
        Acquisition.objects.update(state="fetching")
        WorkUnit.objects.filter(kind="fetch").update(leased_until=ago(1))
        work.sweep()
    assert settle_abandoned() == 1
    assert row().state == "throttled"
    assert "stopped before it finished" in row().reason
    assert ask_again(by=max_, states=["throttled"]) == 1
    assert look(WorkUnit.objects.filter(kind="fetch").latest("pk")) == "done"
