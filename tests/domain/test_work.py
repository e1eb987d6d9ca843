"""A unit of background work is done once, however often it is announced, and says why when it is not done."""

import pytest
from django.db.models import F
from django.db.models.functions import Now

from annotation import work
from annotation.models import WorkState, WorkUnit
from tests.moments import ago, ahead

pytestmark = pytest.mark.usefixtures("committed_db")


def unit_to_do(natural_key: str = "tile:kettle", **values: object) -> WorkUnit:
    unit = work.enqueue(kind="tile", natural_key=natural_key, payload={"image": 7}, queue="image")
    if values:
        WorkUnit.objects.filter(pk=unit.pk).update(**values)
    return unit


def leased(unit: WorkUnit, worker: str = "ann's machine") -> work.Lease:
    lease = work.claim(unit_id=unit.pk, worker=worker)
    assert lease is not None
    return lease


def test_a_unit_enqueued_twice_is_one_unit_with_its_first_payload() -> None:
    first = unit_to_do()
    again = work.enqueue(kind="tile", natural_key="tile:kettle", payload={"image": 8}, queue="image")
    assert again.pk == first.pk
    assert WorkUnit.objects.get().payload == {"image": 7}


def test_many_units_are_made_in_one_statement_and_known_ones_stay() -> None:
    known = unit_to_do("tile:1")
    work.finish(lease=leased(known), result={"tiles": 12})
    work.enqueue_many([WorkUnit(kind="tile", natural_key=f"tile:{n}", payload={"image": n}, queue="image") for n in (1, 2, 3)])
    assert dict(WorkUnit.objects.values_list("natural_key", "state")) == {"tile:1": "done", "tile:2": "ready", "tile:3": "ready"}


def test_a_finished_unit_stays_finished_when_it_is_enqueued_or_announced_again() -> None:
    unit = unit_to_do()
    work.finish(lease=leased(unit), result={"tiles": 12})
    unit_to_do()
    assert work.claim(unit_id=unit.pk, worker="late") is None
    assert work.sweep() == []
    unit.refresh_from_db()
    assert (unit.state, unit.result, unit.lease_token, unit.leased_until) == ("done", {"tiles": 12}, None, None)
    assert unit.finished_at is not None


def test_a_claimed_unit_is_nobody_elses_until_its_lease_ends() -> None:
    unit = unit_to_do()
    leased(unit, "first")
    assert work.claim(unit_id=unit.pk, worker="second") is None
    unit.refresh_from_db()
    assert (unit.state, unit.leased_by, unit.attempts) == ("leased", "first", 1)
    assert work.sweep() == []


def test_a_lease_is_longer_than_a_task_may_run_and_is_stamped_by_the_database() -> None:
    unit = unit_to_do()
    leased(unit)
    over = WorkUnit.objects.annotate(length=F("leased_until") - Now()).get().length
    assert 300 < over.total_seconds() <= work.LEASE_SECONDS


def test_a_unit_that_is_not_due_or_does_not_exist_is_not_claimed() -> None:
    unit = unit_to_do(not_before=ahead(60))
    assert work.claim(unit_id=unit.pk, worker="eager") is None
    assert work.sweep() == []
    assert work.claim(unit_id=unit.pk + 1000, worker="lost") is None


def test_a_worker_whose_lease_went_to_another_can_write_nothing() -> None:
    unit = unit_to_do()
    old = leased(unit, "slow")
    WorkUnit.objects.update(leased_until=ago(1))
    work.sweep()
    new = leased(unit, "quick")
    for ending in (
        lambda: work.finish(lease=old, result={"by": "slow"}),
        lambda: work.park(lease=old, reason="slow gave up"),
        lambda: work.retry_later(lease=old, reason="slow tries again"),
    ):
        with pytest.raises(work.LeaseLost, match="tile:kettle is held by another worker"):
            ending()
    unit.refresh_from_db()
    assert (unit.state, unit.lease_token, unit.attempts) == ("leased", new.token, 2)
    work.finish(lease=new, result={"by": "quick"})
    assert WorkUnit.objects.get().result == {"by": "quick"}


def test_a_result_is_written_once_even_by_its_own_worker() -> None:
    lease = leased(unit_to_do())
    work.finish(lease=lease, result={"first": True})
    with pytest.raises(work.LeaseLost):
        work.finish(lease=lease, result={"first": False})
    assert WorkUnit.objects.get().result == {"first": True}


def test_each_failure_waits_twice_as_long_and_the_fifth_parks_the_unit_with_its_reason() -> None:
    unit = unit_to_do()
    waits = []
    for attempt in range(1, work.ATTEMPTS_AT_MOST):
        work.retry_later(lease=leased(unit), reason=f"disk full, attempt {attempt}")
        row = WorkUnit.objects.annotate(wait=F("not_before") - Now()).get()
        assert (row.state, row.attempts, row.reason) == (WorkState.READY, attempt, f"disk full, attempt {attempt}")
        waits.append(round(row.wait.total_seconds()))
        assert work.claim(unit_id=unit.pk, worker="too early") is None
        WorkUnit.objects.update(not_before=Now())
    assert waits == [2, 4, 8, 16]
    work.retry_later(lease=leased(unit), reason="disk still full")
    row = WorkUnit.objects.get()
    assert (row.state, row.reason, row.attempts) == (WorkState.PARKED, "disk still full", 5)
    assert row.finished_at is not None
    assert work.sweep() == []


def test_the_sweep_frees_the_unit_of_a_worker_that_died_and_says_so() -> None:
    unit = unit_to_do()
    leased(unit, "dead")
    WorkUnit.objects.update(leased_until=ago(1))
    assert [due.pk for due in work.sweep()] == [unit.pk]
    unit.refresh_from_db()
    assert (unit.state, unit.reason) == ("ready", "The worker stopped before it finished (attempt 1).")


def test_a_unit_that_kills_every_worker_is_parked_after_five_and_holds_up_nobody() -> None:
    poison, harmless = unit_to_do("tile:poison"), unit_to_do("tile:harmless")
    for _ in range(work.ATTEMPTS_AT_MOST):
        leased(poison, "victim")
        WorkUnit.objects.filter(pk=poison.pk).update(leased_until=ago(1))
        WorkUnit.objects.filter(pk=harmless.pk).update(hinted_at=None)
        assert harmless.pk in [due.pk for due in work.sweep()]
    poison.refresh_from_db()
    assert (poison.state, poison.reason) == ("parked", "The worker stopped before it finished (attempt 5).")
    assert work.claim(unit_id=poison.pk, worker="next victim") is None
    work.finish(lease=leased(harmless), result={})


def test_max_lets_a_parked_unit_be_tried_from_its_first_attempt() -> None:
    unit = unit_to_do()
    work.park(lease=leased(unit), reason="no such engine")
    work.unpark(unit_id=unit.pk)
    unit.refresh_from_db()
    assert (unit.state, unit.attempts, unit.finished_at) == ("ready", 0, None)
    assert [due.pk for due in work.sweep()] == [unit.pk]
    assert leased(unit).unit.attempts == 1


def test_unparking_touches_nothing_that_is_not_parked() -> None:
    done, held = unit_to_do("tile:done"), unit_to_do("tile:held")
    work.finish(lease=leased(done), result={"tiles": 1})
    lease = leased(held)
    for unit in (done, held):
        work.unpark(unit_id=unit.pk)
    assert dict(WorkUnit.objects.values_list("natural_key", "state")) == {"tile:done": "done", "tile:held": "leased"}
    work.finish(lease=lease, result={})


def test_the_sweep_announces_the_longest_waiting_first_and_not_more_than_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "SWEEP_BATCH", 2)
    for number, seconds in enumerate((10, 30, 20)):
        unit_to_do(f"tile:{number}", not_before=ago(seconds))
    assert [unit.natural_key for unit in work.sweep()] == ["tile:1", "tile:2"]


def test_a_family_of_units_is_counted_by_state_and_its_parked_ones_come_with_reasons() -> None:
    done, parked = unit_to_do("run:1:a"), unit_to_do("run:1:b")
    unit_to_do("run:1:c")
    unit_to_do("run:10:a")
    work.finish(lease=leased(done), result={})
    work.park(lease=leased(parked), reason="the model refused")
    assert work.counts(prefix="run:1:") == {"ready": 1, "leased": 0, "done": 1, "parked": 1}
    assert [(unit.natural_key, unit.reason) for unit in work.parked(prefix="run:1:")] == [("run:1:b", "the model refused")]


def test_a_worker_is_not_told_twice_in_a_row_but_again_after_a_while() -> None:
    unit = unit_to_do()
    assert [due.pk for due in work.sweep()] == [unit.pk]
    assert work.sweep() == []
    WorkUnit.objects.update(hinted_at=ago(work.HINT_AGAIN_SECONDS + 1))
    assert [due.pk for due in work.sweep()] == [unit.pk]
