"""What every test may rely on: a real Postgres as role `app`, the cast, and no leak of hidden truth."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connections
from django.test import Client

from annotation.models import Person
from tests import buckets, canary
from tests.people import make_person

MIGRATIONS = Path(__file__).parent.parent / "annotation" / "migrations"
TEMPLATE_LOCK = 4_042_900


def template_name() -> str:
    """Named by what it was made from, so that an edited migration makes a new template."""
    digest = hashlib.sha256()
    for path in sorted(MIGRATIONS.glob("0*.py")):
        digest.update(path.read_bytes())
    return f"template_{digest.hexdigest()[:12]}"


def ensure_template(maintenance: psycopg.Connection[Any], name: str) -> None:
    """Migrate once per set of migrations; workers wait for each other on an advisory lock."""
    maintenance.execute("SELECT pg_advisory_lock(%s)", [TEMPLATE_LOCK])
    if not maintenance.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
        maintenance.execute(f'DROP DATABASE IF EXISTS "{name}_new"')
        maintenance.execute(f'CREATE DATABASE "{name}_new"')
        connections["owner"].settings_dict["NAME"] = f"{name}_new"
        call_command("migrate", database="owner", verbosity=0, interactive=False)
        connections["owner"].close()
        maintenance.execute(f'ALTER DATABASE "{name}_new" RENAME TO "{name}"')
    maintenance.execute("SELECT pg_advisory_unlock(%s)", [TEMPLATE_LOCK])


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: Any) -> Iterator[None]:
    """One database per worker, cloned from the migrated template; the product connects to it as `app`."""
    name = f"test_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    with django_db_blocker.unblock(), psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as maintenance:
        ensure_template(maintenance, template_name())
        maintenance.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        maintenance.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template_name()}"')
        for alias in connections:
            connections[alias].close()
            connections[alias].settings_dict["NAME"] = name
        yield
        for alias in connections:
            connections[alias].close()


@pytest.fixture
def committed_db(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The database without a surrounding transaction, for races and triggers; emptied as owner afterwards."""
    with django_db_blocker.unblock():
        yield
        connections["default"].close()
        empty_everything()


def empty_everything() -> None:
    """The one place that gets around append-only triggers, in the test cluster only (see `--for-tests`)."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'django\\_%'")
        tables = ", ".join(f'"{row[0]}"' for row in cursor.fetchall())
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(f"TRUNCATE {tables} RESTART IDENTITY CASCADE")
        cursor.execute("SET session_replication_role = DEFAULT")
    connections["owner"].close()


@pytest.fixture(autouse=True)
def no_hidden_truth_leaks() -> Iterator[None]:
    """Fails the test in which a response carried a canary to somebody who may not know."""
    canary.leaks.clear()
    yield
    assert not canary.leaks, f"Hidden truth left the server: {canary.leaks}"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> str:
    """An empty bucket of this test, on a real server, with the product's log-in data set."""
    for name, value in buckets.LOGIN.items():
        monkeypatch.setenv(name, value)
    settings.STORAGE_CACHE_DIR = tmp_path / "cache"
    return buckets.new_bucket()


@pytest.fixture(params=["folder", "bucket"])
def storage_url(request: pytest.FixtureRequest, tmp_path: Path, settings: Any) -> str:
    """STORAGE_URL, set to a folder and to a bucket in turn."""
    folder = f"file://{tmp_path}/storage"
    settings.STORAGE_URL = folder if request.param == "folder" else buckets.url_of(request.getfixturevalue("bucket"))
    return str(settings.STORAGE_URL)


@pytest.fixture
def ann(db: None) -> Person:
    return make_person("ann")


@pytest.fixture
def ben(db: None) -> Person:
    return make_person("ben")


@pytest.fixture
def cleo(db: None) -> Person:
    return make_person("cleo")


@pytest.fixture
def rae(db: None) -> Person:
    return make_person("rae")


@pytest.fixture
def max_(db: None) -> Person:
    return make_person("max")


@pytest.fixture
def ada(db: None) -> Person:
    return make_person("ada")


@pytest.fixture
def otto(db: None) -> Person:
    return make_person("otto")


def browser_of(person: Person) -> Client:
    """A browser in which this person is logged in."""
    client = Client()
    client.force_login(person.user)
    return client


@contextmanager
def counted_statements() -> Iterator[list[str]]:
    """Every statement that asks or writes rows, whoever sent it: session, user, settling. BEGIN and SAVEPOINT do neither."""
    asked: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append(sql)
        return execute(sql, params, many, context)

    with connections["default"].execute_wrapper(note):
        yield asked
    asked[:] = [sql for sql in asked if not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT"))]
