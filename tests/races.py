"""Real races: several threads at once, each with its own database connection, and a look at who waits for whom."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from threading import Barrier
from typing import Any

import psycopg
from django.db import connection

DEADLINE_LOOKS = 20_000


def at_once(*deeds: Callable[[], Any]) -> list[Any]:
    """What each deed returned, or the exception it raised; all start together."""
    start = Barrier(len(deeds))

    def run(deed: Callable[[], Any]) -> Any:
        start.wait(timeout=20)
        return closing(deed)

    with ThreadPoolExecutor(len(deeds)) as pool:
        futures = [pool.submit(run, deed) for deed in deeds]
        return [future.exception() or future.result() for future in futures]


def meanwhile(pool: ThreadPoolExecutor, deed: Callable[[], Any]) -> Future[Any]:
    """Start a deed in another thread with a connection of its own."""
    return pool.submit(closing, deed)


def closing(deed: Callable[[], Any]) -> Any:
    try:
        return deed()
    finally:
        connection.close()


def somebody_else() -> psycopg.Connection[Any]:
    """Another session of the product on the same database, with a transaction that the test ends itself."""
    parameters = connection.get_connection_params()
    parameters = {key: parameters[key] for key in ("host", "port", "user", "password", "dbname") if parameters.get(key)}
    return psycopg.connect(**parameters)


def wait_until_blocked() -> None:
    """Return when some session of this database waits for a lock; fails if none ever does."""
    with connection.cursor() as cursor:
        for look in count():
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            if cursor.fetchone()[0]:
                return
            assert look < DEADLINE_LOOKS, "nobody waits for a lock"
