"""The launcher's rules that need no server: who is wanted, how long to wait, where sockets and programs are."""

from pathlib import Path

import pytest

from hardbench_web.embedded.binaries import system_postgres
from hardbench_web.embedded.environment import Wanted, wanted
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.folders import LONGEST_SOCKET, StateFolder, keep_private, short_base
from hardbench_web.embedded.postgres import Cluster, Identity
from hardbench_web.embedded.supervisor import delay

BOTH = {"DATABASE_URL": "a", "DATABASE_OWNER_URL": "b"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, Wanted(postgres=True, valkey=True)),
        (BOTH, Wanted(postgres=False, valkey=True)),
        ({"REDIS_URL": "r"}, Wanted(postgres=True, valkey=False)),
        ({**BOTH, "REDIS_URL": "r"}, Wanted(postgres=False, valkey=False)),
        ({"DATABASE_URL": "", "REDIS_URL": ""}, Wanted(postgres=True, valkey=True)),
    ],
)
def test_only_what_is_not_given_is_started(given: dict[str, str], expected: Wanted) -> None:
    assert wanted(given) == expected


@pytest.mark.parametrize("name", sorted(BOTH))
def test_the_missing_one_of_the_two_roles_is_named(name: str) -> None:
    with pytest.raises(EmbeddedError, match=f"^{name} is missing"):
        wanted({key: value for key, value in BOTH.items() if key != name})


def test_the_delay_between_starts_doubles_up_to_half_a_minute() -> None:
    assert [delay(deaths) for deaths in (1, 2, 3, 4)] == [0.2, 0.4, 0.8, 1.6]
    assert delay(9) == delay(100_000) == 30.0


def test_a_base_folder_that_makes_the_socket_path_too_long_is_passed_over(tmp_path: Path) -> None:
    long = tmp_path / ("x" * LONGEST_SOCKET)
    long.mkdir()
    assert short_base([long, tmp_path / "missing", tmp_path]) == tmp_path
    with pytest.raises(EmbeddedError, match="short enough for a socket"):
        short_base([long])


def test_a_socket_folder_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "sockets"
    keep_private(folder, folder.parent.stat().st_uid)
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    with pytest.raises(EmbeddedError, match="not a private folder"):
        keep_private(folder, folder.parent.stat().st_uid)


def test_a_link_in_place_of_the_socket_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    link = tmp_path / "sockets"
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(EmbeddedError, match="not a private folder"):
        keep_private(link, tmp_path.stat().st_uid)


def test_the_newest_system_postgres_comes_first_and_old_ones_never(tmp_path: Path) -> None:
    for version in ("9.6", "14", "15", "17", "18", "common"):
        (tmp_path / version).mkdir()
    assert [folder.parent.name for folder in system_postgres(tmp_path)] == ["18", "17", "15"]


def test_the_database_address_quotes_the_socket_folder(tmp_path: Path) -> None:
    cluster = Cluster(StateFolder(tmp_path), tmp_path, Path("/run/User 1/s"), Identity())
    assert cluster.url("app") == "postgresql://app@%2Frun%2FUser%201%2Fs:5432/hardbench"


def test_a_large_log_is_set_aside_at_the_next_start(tmp_path: Path) -> None:
    state = StateFolder(tmp_path)
    state.log("web").write_bytes(b"x" * 10_000_001)
    assert not state.log("web").exists()
    assert (tmp_path / "logs" / "web.log.1").exists()
