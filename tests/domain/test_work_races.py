"""Workers and sweepers meet at one unit: exactly one of them gets it, and nobody waits for long."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from annotation import work
from annotation.models import WorkUnit
from tests.moments import ago
from tests.races import at_once, meanwhile, somebody_else, wait_until_blocked

pytestmark = pytest.mark.usefixtures("committed_db")


def enqueue(natural_key: str = "tile:kettle") -> WorkUnit:
    return work.enqueue(kind="tile", natural_key=natural_key, payload={}, queue="image")


def overdue() -> tuple[WorkUnit, work.Lease]:
    unit = enqueue()
    lease = work.claim(unit_id=unit.pk, worker="slow")
    assert lease is not None
    WorkUnit.objects.update(leased_until=ago(1))
    return unit, lease


def test_six_who_need_the_same_work_make_one_unit() -> None:
    units = at_once(*[enqueue] * 6)
    assert len({unit.pk for unit in units}) == 1
    assert WorkUnit.objects.count() == 1


def test_six_workers_that_look_at_one_unit_get_one_lease() -> None:
    unit = enqueue()
    leases = at_once(*[lambda: work.claim(unit_id=unit.pk, worker="one of six")] * 6)
    assert len([lease for lease in leases if lease is not None]) == 1
    assert WorkUnit.objects.get().attempts == 1


def test_while_one_sweeper_works_another_gets_nothing_and_does_not_wait() -> None:
    unit, _ = overdue()
    with somebody_else() as sweeper:
        sweeper.execute("SELECT pg_advisory_xact_lock(%s)", [work.SWEEP_LOCK])
        assert work.sweep() == []
        assert WorkUnit.objects.get().state == "leased"
    assert [due.pk for due in work.sweep()] == [unit.pk]


def test_six_sweepers_at_once_expire_a_lease_once() -> None:
    unit, _ = overdue()
    found = at_once(*[work.sweep] * 6)
    assert unit.pk in [due.pk for units in found for due in units]
    row = WorkUnit.objects.get()
    assert (row.state, row.attempts) == ("ready", 1)


def test_the_sweep_passes_by_a_unit_that_its_slow_worker_is_just_finishing() -> None:
    unit, _ = overdue()
    with somebody_else() as slow:
        slow.execute(
            "UPDATE work_unit SET state = 'done', lease_token = NULL, leased_until = NULL, finished_at = now() WHERE id = %s",
            [unit.pk],
        )
        assert work.sweep() == []
    unit.refresh_from_db()
    assert unit.state == "done"


def test_a_worker_that_finishes_while_its_lease_is_taken_learns_that_it_lost() -> None:
    unit, lease = overdue()
    with ThreadPoolExecutor(1) as pool:
        with somebody_else() as sweeper:
            sweeper.execute(
                "UPDATE work_unit SET state = 'ready', lease_token = NULL, leased_until = NULL WHERE id = %s", [unit.pk]
            )
            ending = meanwhile(pool, lambda: work.finish(lease=lease, result={"by": "slow"}))
            wait_until_blocked()
        with pytest.raises(work.LeaseLost):
            ending.result(timeout=20)
    unit.refresh_from_db()
    assert (unit.state, unit.result) == ("ready", None)
