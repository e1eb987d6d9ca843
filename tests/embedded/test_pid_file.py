"""What a crash leaves in postmaster.pid, and how the next start gets past it."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardbench_web.embedded.children import wait_until
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.pid_file import clear_pid_file, pid_file_state
from hardbench_web.embedded.postgres import identity
from hardbench_web.embedded.processes import look
from tests.embedded.launcher import Launcher, eventually


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "300"]) as process:
        yield process
        process.kill()


@pytest.fixture
def zombie() -> Iterator[int]:
    """A process that has ended and that nobody has waited for."""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    assert wait_until(lambda: (seen := look(pid)) is not None and not seen.alive, 10)
    yield pid
    os.waitpid(pid, 0)


def write(data: Path, content: str) -> None:
    (data / "postmaster.pid").write_text(content)


def test_a_pid_that_is_a_zombie_is_cleared(tmp_path: Path, zombie: int) -> None:
    write(tmp_path, f"{zombie}\n{tmp_path}\n")
    assert pid_file_state(tmp_path) == ("zombie", zombie)
    clear_pid_file(tmp_path)
    assert pid_file_state(tmp_path) == ("none", 0)


def test_a_pid_that_was_given_to_somebody_else_is_cleared_and_he_lives_on(
    tmp_path: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    write(tmp_path, f"{sleeper.pid}\n{tmp_path}\n")
    assert pid_file_state(tmp_path) == ("foreign", sleeper.pid)
    clear_pid_file(tmp_path)
    assert pid_file_state(tmp_path) == ("none", 0)
    assert sleeper.poll() is None


@pytest.mark.parametrize("content", ["", "garbage\n", "4194303\n"])
def test_a_file_that_names_nobody_is_cleared(tmp_path: Path, content: str) -> None:
    write(tmp_path, content)
    assert pid_file_state(tmp_path)[0] == "gone"
    clear_pid_file(tmp_path)
    assert pid_file_state(tmp_path) == ("none", 0)


def test_an_orphan_that_does_not_stop_is_named(tmp_path: Path) -> None:
    stubborn = ["sh", "-c", "trap '' INT; echo ready; read line", str(tmp_path)]
    with subprocess.Popen(stubborn, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        write(tmp_path, f"{process.pid}\n")
        assert pid_file_state(tmp_path) == ("ours", process.pid)
        with pytest.raises(EmbeddedError, match=f"kill -QUIT {process.pid}"):
            clear_pid_file(tmp_path, patience=0.2)
        process.kill()


def test_postgres_starts_past_a_stale_file(launcher: Launcher, sleeper: subprocess.Popen[bytes]) -> None:
    launcher.sql("CREATE TABLE pictures AS SELECT 'harbour' AS name")
    write(launcher.state / "postgres", f"{sleeper.pid}\n{launcher.state / 'postgres'}\n")
    assert launcher.sql("SELECT name FROM pictures") == [["harbour"]]


def test_a_live_orphan_on_the_same_rows_is_stopped_first(launcher: Launcher) -> None:
    """An orphan that no launcher wrote down, as if its launcher had been killed in the moment of its start."""
    launcher.sql("CREATE TABLE pictures AS SELECT 'harbour' AS name")
    launcher.stay()
    orphan = launcher.services()["postgres"]
    command = [part for part in (Path("/proc") / str(orphan) / "cmdline").read_bytes().decode().split("\0") if part]
    launcher.signal(15)
    launcher.output()
    who = identity()
    sockets = launcher.state.parent / "s"
    sockets.mkdir(mode=0o700)
    command[command.index("-k") + 1] = str(sockets)
    with subprocess.Popen([*who.prefix, *command], user=who.user, cwd="/", stderr=subprocess.DEVNULL) as process:
        assert eventually(lambda: (sockets / ".s.PGSQL.5432").exists())
        assert launcher.sql("SELECT name FROM pictures") == [["harbour"]]
        assert process.wait(10) == 0
