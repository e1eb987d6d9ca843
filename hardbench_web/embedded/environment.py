"""The environment that the product's processes get, and the servers behind it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardbench_web.embedded.binaries import postgres_folder, valkey_server
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.folders import StateFolder, socket_bases
from hardbench_web.embedded.postgres import Cluster, identity
from hardbench_web.embedded.supervisor import Supervisor
from hardbench_web.embedded.valkey import Broker

DATABASE_NAMES = ("DATABASE_URL", "DATABASE_OWNER_URL")
LOOPBACK = {"ALLOWED_HOSTS": "127.0.0.1,localhost", "DEBUG": "0", "DEMO": "1", "INSECURE_LOOPBACK": "1"}
"""What only a site on 127.0.0.1 may have: there is no TLS, and the log-in page points to the terminal."""


@dataclass(frozen=True)
class Wanted:
    """Which servers have to be started here; the others are given by the environment."""

    postgres: bool
    valkey: bool


def wanted(given: Mapping[str, str]) -> Wanted:
    """Raises EmbeddedError if only one of the two database roles is given."""
    missing = [name for name in DATABASE_NAMES if not given.get(name)]
    if len(missing) == 1:
        raise EmbeddedError(
            f"{missing[0]} is missing beside its sister. Set both: DATABASE_URL (role app, what the product runs as)\n"
            "and DATABASE_OWNER_URL (role owner, who migrates); hardbench_web/embedded/provision.sql makes the roles."
        )
    return Wanted(postgres=bool(missing), valkey=not given.get("REDIS_URL"))


def start_stores(supervisor: Supervisor, state: StateFolder, *, for_tests: bool = False) -> dict[str, str]:
    """Start Postgres and Valkey unless given from outside; the environment of everything that uses them."""
    wants, who = wanted(os.environ), identity()
    sockets = state.new_sockets(socket_bases() if who.user is None else [Path("/tmp")])  # noqa: S108 - as in socket_bases
    env = {**os.environ, "STATE_DIR": str(state.path)}
    env["SECRET_KEY"] = env.get("SECRET_KEY") or state.secret_key()
    if wants.postgres:
        env |= start_postgres(supervisor, Cluster(state, postgres_folder(), sockets, who), for_tests=for_tests)
    if wants.valkey:
        env |= start_valkey(supervisor, Broker(state, valkey_server(), sockets, who.uid))
    return env


def start_postgres(supervisor: Supervisor, cluster: Cluster, *, for_tests: bool) -> dict[str, str]:
    supervisor.start(cluster.service())
    cluster.provision(for_tests=for_tests)
    return {
        "DATABASE_URL": cluster.url("app"),
        "DATABASE_OWNER_URL": cluster.url("owner"),
        **({"HARDBENCH_TEST_CLUSTER": "1"} if for_tests else {}),
    }


def start_valkey(supervisor: Supervisor, broker: Broker) -> dict[str, str]:
    supervisor.start(broker.service())
    return {"REDIS_URL": broker.url}
