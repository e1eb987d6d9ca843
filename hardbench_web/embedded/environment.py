"""The environment that the product's processes get, and the servers behind it."""

import os
import sys
from dataclasses import dataclass

from hardbench_web.embedded import binaries
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.folders import StateFolder, socket_bases, socket_folder
from hardbench_web.embedded.postgres import Cluster, identity
from hardbench_web.embedded.supervisor import Supervisor
from hardbench_web.embedded.valkey import Broker

DATABASE_NAMES = ("DATABASE_URL", "DATABASE_OWNER_URL")


@dataclass(frozen=True)
class Wanted:
    """What has to be started; the rest is given by the environment."""

    postgres: bool
    valkey: bool


def wanted(given: dict[str, str]) -> Wanted:
    """Raises EmbeddedError if only one of the two database roles is given."""
    missing = [name for name in DATABASE_NAMES if not given.get(name)]
    if len(missing) == 1:
        raise EmbeddedError(
            f"{missing[0]} is not set, but its sister is. Set both: DATABASE_URL (role app, what the product runs as)\n"
            "and DATABASE_OWNER_URL (role owner, who migrates); hardbench_web/embedded/provision.sql makes the roles."
        )
    return Wanted(postgres=bool(missing), valkey=not given.get("REDIS_URL"))


def start_stores(supervisor: Supervisor, state: StateFolder, *, for_tests: bool = False) -> dict[str, str]:
    """Start Postgres and Valkey unless given from outside; the environment for everything that uses them."""
    env = dict(os.environ)
    wants = wanted(env)
    if wants.postgres:
        env |= start_postgres(supervisor, state, for_tests=for_tests)
    if wants.valkey:
        env |= start_valkey(supervisor, state)
    if for_tests:
        env["HARDBENCH_TEST_CLUSTER"] = "1"
    env.setdefault("SECRET_KEY", state.secret_key())
    return env | {"STATE_DIR": str(state.path), "DJANGO_SETTINGS_MODULE": "hardbench_web.settings"}


def start_postgres(supervisor: Supervisor, state: StateFolder, *, for_tests: bool) -> dict[str, str]:
    cluster = Cluster(state, binaries.postgres_folder(), socket_folder(state, socket_bases()), identity())
    supervisor.start(cluster.service())
    cluster.provision(for_tests=for_tests)
    return {"DATABASE_URL": cluster.url("app"), "DATABASE_OWNER_URL": cluster.url("owner")}


def start_valkey(supervisor: Supervisor, state: StateFolder) -> dict[str, str]:
    broker = Broker(state, binaries.valkey_server(), socket_folder(state, socket_bases()))
    supervisor.start(broker.service())
    return {"REDIS_URL": broker.url}
