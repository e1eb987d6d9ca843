"""Several threads at one job, each with a database connection of its own."""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

from django.db import connections

Item = TypeVar("Item")


def in_lanes(job: Callable[[int], Iterator[Item]], lanes: int) -> Generator[Item, None, None]:
    """What `job` yields for each lane from 0, as it comes. Close it to stop: each lane ends with the item it is at.

    What a lane raises is raised when the others are done.
    """
    found, stopped = SimpleQueue[Item | None](), Event()

    def drive(lane: int) -> None:
        try:
            for item in job(lane):
                found.put(item)
                if stopped.is_set():
                    return
        finally:
            connections.close_all()
            found.put(None)

    with ThreadPoolExecutor(lanes) as pool:
        driven = [pool.submit(drive, lane) for lane in range(lanes)]
        try:
            yield from _until_all_ended(found, lanes)
        finally:
            stopped.set()
    for one in driven:
        one.result()


def _until_all_ended(found: SimpleQueue[Item | None], lanes: int) -> Iterator[Item]:
    while lanes:
        item = found.get()
        if item is None:
            lanes -= 1
        else:
            yield item
