"""A message only says "look": whatever happens to messages, brokers and attempts, the rows tell how each unit ended."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from celery.exceptions import SoftTimeLimitExceeded

from annotation import scratch, work
from annotation.errors import Missing
from annotation.models import WorkUnit
from annotation.tasks import work as tasks
from annotation.tasks.handlers import HANDLERS
from hardbench_web import celery_app
from tests import factories
from tests.moments import ago
from tests.people import make_person

pytestmark = pytest.mark.usefixtures("committed_db")

Verb = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.fixture
def dead_broker() -> Iterator[None]:
    """The product's Celery, told of a broker that is not there."""
    app = Celery("without-broker")
    app.config_from_object("hardbench_web.queues")
    app.conf.broker_url = "redis://127.0.0.1:1/0"
    app.conf.broker_transport_options = {"max_retries": 1, "interval_start": 0, "interval_step": 0}
    app.set_current()
    yield
    celery_app.set_current()


def unit_whose_verb_is(monkeypatch: pytest.MonkeyPatch, verb: Verb, natural_key: str = "probe:1") -> WorkUnit:
    monkeypatch.setitem(HANDLERS, "probe", verb)
    return work.enqueue(kind="probe", natural_key=natural_key, payload={"image": 7}, queue="image")


def refuse(payload: dict[str, Any]) -> dict[str, Any]:
    raise Missing("There is no image 7; import its source again.")


def fail_for_now(payload: dict[str, Any]) -> dict[str, Any]:
    raise work.PassingFailure("The disk is full.")


def run_out_of_time(payload: dict[str, Any]) -> dict[str, Any]:
    raise SoftTimeLimitExceeded


def test_a_look_does_the_unit_and_keeps_what_its_verb_said(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = unit_whose_verb_is(monkeypatch, lambda payload: {"saw": payload["image"]})
    tasks.look(unit.pk)
    unit.refresh_from_db()
    assert (unit.state, unit.result, unit.attempts) == ("done", {"saw": 7}, 1)


def test_the_same_message_twice_does_the_work_once(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    unit = unit_whose_verb_is(monkeypatch, lambda payload: {"turn": done.append(1) or len(done)})
    tasks.look(unit.pk)
    tasks.look(unit.pk)
    assert len(done) == 1
    assert WorkUnit.objects.get().result == {"turn": 1}


def test_a_message_about_nothing_is_harmless() -> None:
    tasks.look(4711)
    assert not WorkUnit.objects.exists()


def test_a_refusal_parks_the_unit_with_words_for_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = unit_whose_verb_is(monkeypatch, refuse)
    tasks.look(unit.pk)
    unit.refresh_from_db()
    assert (unit.state, unit.reason) == ("parked", "There is no image 7; import its source again.")


@pytest.mark.parametrize(
    ("verb", "reason"), [(fail_for_now, "The disk is full."), (run_out_of_time, "took longer than one attempt may")]
)
def test_what_may_pass_is_tried_again_later(monkeypatch: pytest.MonkeyPatch, verb: Verb, reason: str) -> None:
    unit = unit_whose_verb_is(monkeypatch, verb)
    tasks.look(unit.pk)
    unit.refresh_from_db()
    assert unit.state == "ready"
    assert reason in unit.reason
    tasks.look(unit.pk)
    assert WorkUnit.objects.get().attempts == 1, "it was not due yet"


def test_a_unit_that_fails_five_times_is_parked(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = unit_whose_verb_is(monkeypatch, fail_for_now)
    for _ in range(work.ATTEMPTS_AT_MOST):
        WorkUnit.objects.update(not_before=ago(1))
        tasks.look(unit.pk)
    unit.refresh_from_db()
    assert (unit.state, unit.attempts, unit.reason) == ("parked", 5, "The disk is full.")


def test_a_fault_of_the_program_is_tried_again_and_parks_the_unit_after_five(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = unit_whose_verb_is(monkeypatch, lambda payload: {"share": 1 / payload["nothing"]})
    for _ in range(work.ATTEMPTS_AT_MOST):
        with pytest.raises(KeyError):
            tasks.look(unit.pk)
        WorkUnit.objects.update(not_before=ago(1))
    unit.refresh_from_db()
    assert (unit.state, unit.attempts) == ("parked", 5)
    assert unit.reason == "The program failed; the worker's log has the details."


def test_a_worker_that_was_too_slow_does_not_overwrite_the_one_that_took_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def overtaken(payload: dict[str, Any]) -> dict[str, Any]:
        WorkUnit.objects.update(leased_until=ago(1))
        work.sweep()
        quick = work.claim(unit_id=unit.pk, worker="quick")
        assert quick is not None
        work.finish(lease=quick, result={"by": "quick"})
        return {"by": "slow"}

    unit = unit_whose_verb_is(monkeypatch, overtaken)
    with pytest.raises(work.LeaseLost):
        tasks.look(unit.pk)
    assert WorkUnit.objects.get().result == {"by": "quick"}


@pytest.mark.usefixtures("dead_broker")
def test_without_a_broker_sending_neither_raises_nor_loses_anything(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    units = [unit_whose_verb_is(monkeypatch, lambda payload: {}, f"probe:{number}") for number in range(3)]
    with caplog.at_level(logging.WARNING):
        tasks.send(units)
    assert [record.message for record in caplog.records if "sweep will send it again" in record.message] != []
    assert len(caplog.records) == 1, "one dead broker is one warning, not one for each unit"
    assert [unit.pk for unit in work.sweep()] == [unit.pk for unit in units]


@pytest.mark.usefixtures("dead_broker")
def test_the_sweep_expires_leases_of_people_and_workers_without_a_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = unit_whose_verb_is(monkeypatch, lambda payload: {})
    work.claim(unit_id=unit.pk, worker="dead")
    WorkUnit.objects.update(leased_until=ago(1))
    ann = make_person("ann")
    assignment = factories.make_assignment(factories.make_item(factories.make_campaign(ann), leased=1), ann, leased_until=ago(1))
    tasks.sweep()
    unit.refresh_from_db()
    assignment.refresh_from_db()
    assert (unit.state, assignment.state, assignment.item.leased) == ("ready", "expired", 0)


def test_the_sweep_clears_away_what_killed_workers_left_on_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = scratch.root() / "intake-1"
    left.mkdir()
    (scratch.root() / "intake-1.lock").touch()
    tasks.sweep()
    assert not left.exists()
