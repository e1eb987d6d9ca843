"""Max has servers of his own: nothing embedded is started in their place."""

from tests.embedded.launcher import Launcher

OWN = {"DATABASE_URL": "postgresql://app@db/x", "DATABASE_OWNER_URL": "postgresql://owner@db/x", "REDIS_URL": "redis://r/0"}
NAMES = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL")


def test_given_servers_are_used_and_none_is_started(bare: Launcher) -> None:
    done = bare.run("printenv", *NAMES, **OWN)
    assert done.stdout.split() == [OWN[name] for name in NAMES]
    assert not (bare.state / "postgres").exists()
    assert not (bare.state / "valkey").exists()


def test_one_database_role_without_the_other_is_refused_by_name(bare: Launcher) -> None:
    done = bare.run("true", DATABASE_URL=OWN["DATABASE_URL"])
    assert done.returncode == 1
    assert done.stderr.startswith("DATABASE_OWNER_URL is missing")


def test_a_given_broker_leaves_only_postgres_to_start(bare: Launcher) -> None:
    done = bare.run("printenv", *NAMES, REDIS_URL=OWN["REDIS_URL"])
    assert done.stdout.split()[2] == OWN["REDIS_URL"]
    assert "@%2F" in done.stdout
    assert not (bare.state / "valkey").exists()
