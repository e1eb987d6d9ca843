"""Doing units of work right here, without a broker: for commands that are watched until they end."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

from annotation import work
from annotation.tasks.work import WORKER, do

AT_ONCE = 200
LOOK_AGAIN_SECONDS = 2.0


def drain(*, kind: str, payload: dict[str, Any], jobs: int, patience: float, tick: Callable[[], None]) -> float | None:
    """Do all units of a kind whose payload has these values, `jobs` at a time, beside whatever workers there are.

    Calls `tick` after each. Waits for what is not due yet, but not where nothing is due for `patience` seconds: then the
    seconds until something is; None when all are done.
    """
    while True:
        if ready := work.due(kind=kind, payload=payload, limit=AT_ONCE):
            _do_all(ready, jobs, tick)
            continue
        work.expire()
        wait = work.seconds_to_next(kind=kind, payload=payload)
        if wait is None or wait > patience:
            return wait
        tick()
        time.sleep(min(wait, LOOK_AGAIN_SECONDS))


def _do_all(units: list[int], jobs: int, tick: Callable[[], None]) -> None:
    if jobs == 1:
        for unit in units:
            _do(unit)
            tick()
        return
    with ThreadPoolExecutor(jobs) as pool:
        for _ in pool.map(_do_in_thread, units):
            tick()


def _do_in_thread(unit: int) -> None:
    try:
        _do(unit)
    finally:
        connection.close()  # it belongs to a thread that ends soon


def _do(unit: int) -> None:
    lease = work.claim(unit_id=unit, worker=WORKER)
    if lease is None:
        return
    try:
        do(lease)
    except work.LeaseLost:
        return  # somebody else did it meanwhile
