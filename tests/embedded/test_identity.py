"""Postgres refuses uid 0; whoever Max is, the cluster runs under an identity that it takes."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from hardbench_web.embedded.binaries import postgres_folder
from hardbench_web.embedded.children import end, spawn, tail
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.folders import StateFolder
from hardbench_web.embedded.postgres import NAMESPACE, Cluster, Identity, identity, namespaces_work
from tests.embedded.launcher import eventually


def possible_here() -> list[Identity]:
    """What this user on this machine may become."""
    if os.geteuid() != 0:
        return [Identity()]
    return [Identity(user="nobody"), *([Identity(prefix=NAMESPACE)] if namespaces_work() else [])]


@pytest.fixture
def state() -> Iterator[StateFolder]:
    """A folder that other users may walk through."""
    with tempfile.TemporaryDirectory(prefix="hb-") as folder:
        Path(folder).chmod(0o711)
        yield StateFolder(Path(folder))


def rows_of(cluster: Cluster) -> list[tuple[str]]:
    service = cluster.service()
    service.prepare()
    process = spawn(service)
    try:
        assert eventually(lambda: service.ready() or process.poll() is not None)
        assert process.poll() is None, tail(service.log)
        cluster.provision(for_tests=False)
        with psycopg.connect(cluster.url("app")) as connection:
            return connection.execute("SELECT current_user::text").fetchall()
    finally:
        end(process.pid, service.stops, lambda: process.poll() is not None)


@pytest.mark.parametrize("who", possible_here(), ids=str)
def test_a_cluster_runs_under_every_identity_that_is_possible_here(state: StateFolder, who: Identity) -> None:
    cluster = Cluster(state, postgres_folder(), state.new_sockets([Path("/tmp")]), who)
    assert rows_of(cluster) == [("app",)]
    state.drop_sockets()


def test_rows_stay_reachable_when_the_identity_changes_between_starts(state: StateFolder) -> None:
    for who in (*possible_here(), possible_here()[0]):
        cluster = Cluster(state, postgres_folder(), state.new_sockets([Path("/tmp")]), who)
        assert rows_of(cluster) == [("app",)]
    state.drop_sockets()


def test_the_identity_chosen_here_is_one_that_postgres_takes() -> None:
    assert identity() in possible_here()


def test_a_cluster_of_another_major_version_is_not_touched(state: StateFolder) -> None:
    (state.path / "postgres").mkdir()
    (state.path / "postgres" / "PG_VERSION").write_text("9\n")
    cluster = Cluster(state, postgres_folder(), state.new_sockets([Path("/tmp")]), identity())
    with pytest.raises(EmbeddedError, match="was made by Postgres 9"):
        cluster.prepare()
    state.drop_sockets()


def test_a_cluster_that_was_only_half_made_is_made_anew(state: StateFolder) -> None:
    half = state.path / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    cluster = Cluster(state, postgres_folder(), state.new_sockets([Path("/tmp")]), identity())
    assert rows_of(cluster) == [("app",)]
    assert not half.exists()
    state.drop_sockets()
