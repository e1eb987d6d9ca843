"""Databases to measure on: migrated once, filled in bulk, kept between runs and found again by the migrations' hash.

The fill switches triggers off, which only the role `owner` of a test cluster may (`embedded run --for-tests`).
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from django.core.management import call_command
from django.db import connections

HERE = Path(__file__).parent
MADE_FROM = [*sorted((HERE.parent / "annotation" / "migrations").glob("0*.py")), HERE / "fill.sql"]


@dataclass(frozen=True, slots=True)
class Scale:
    """How much a database holds. `settled` items have three votes, `begun` ones have one and are open; the heavy
    annotators have voted on `heavy` of the open items each, scattered over all of them."""

    name: str
    items: int
    settled: int = 0
    begun: int = 0
    heavy: int = 0

    def values(self) -> dict[str, int]:
        return {"items": self.items, "settled": self.settled, "begun": self.begun, "heavy": self.heavy}


TEN_THOUSAND = Scale("10k", 10_000)
MILLION = Scale("1m", 1_000_000)
# 400,000 * 3 + 180,000 + 2 * 60,000 votes = 1.5 million.
HALF = Scale("1m_half", 1_000_000, settled=400_000, begun=180_000, heavy=60_000)


def ensure(scale: Scale, *, anew: bool = False) -> str:
    """The name of a filled database of this scale, made if there is none (or `anew`); outdated ones are dropped."""
    name = f"bench_{scale.name}_{_made_from(scale)}"
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as maintenance:
        _drop(maintenance, f"^bench_{scale.name}_[0-9a-f]{{12}}", kept="" if anew else name)
        if not _there(maintenance, name):
            maintenance.execute(f'CREATE DATABASE "{name}_new"')
            _fill(f"{name}_new", scale)
            maintenance.execute(f'ALTER DATABASE "{name}_new" RENAME TO "{name}"')
    return name


def use(name: str, *aliases: str) -> None:
    """Point this thread's connections (all aliases, or those named) at another database."""
    for alias in aliases or ("default", "owner"):
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = name


def _made_from(scale: Scale) -> str:
    digest = hashlib.sha256(repr(scale).encode())
    for path in MADE_FROM:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _there(maintenance: psycopg.Connection[Any], name: str) -> bool:
    return maintenance.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def _drop(maintenance: psycopg.Connection[Any], pattern: str, *, kept: str) -> None:
    found = maintenance.execute("SELECT datname FROM pg_database WHERE datname ~ %s AND datname <> %s", [pattern, kept])
    for (name,) in found.fetchall():
        maintenance.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _fill(name: str, scale: Scale) -> None:
    use(name, "owner")
    call_command("migrate", database="owner", verbosity=0, interactive=False)
    with connections["owner"].cursor() as cursor:
        cursor.execute("SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '256MB'")
        for setting, value in scale.values().items():
            cursor.execute(f"SET bench.{setting} = {value}")
        cursor.execute((HERE / "fill.sql").read_text(encoding="utf-8"))
        cursor.execute("VACUUM ANALYZE")
    connections["owner"].close()
