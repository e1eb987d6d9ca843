"""Somebody kills a part with -9; the rest goes on, or the next start does."""

import os
import signal

from hardbench_web.embedded.processes import look
from tests.embedded.launcher import Launcher, alive, answers, eventually


def test_a_killed_postgres_comes_back_with_its_rows_while_the_command_runs(launcher: Launcher) -> None:
    launcher.sql("CREATE TABLE pictures AS SELECT 'harbour' AS name")
    url = launcher.stay()["DATABASE_URL"]
    killed = launcher.services()["postgres"]
    os.kill(killed, signal.SIGKILL)
    assert eventually(lambda: launcher.services()["postgres"] != killed and answers(url))
    launcher.signal(signal.SIGTERM)
    assert [line.split(" and ")[0] for line in launcher.output().splitlines()] == ["postgres ended with signal 9"]
    assert launcher.sql("SELECT name FROM pictures") == [["harbour"]]


def test_a_killed_valkey_comes_back_while_the_command_runs(launcher: Launcher) -> None:
    launcher.stay()
    killed = launcher.services()["valkey"]
    os.kill(killed, signal.SIGKILL)
    assert eventually(lambda: launcher.services()["valkey"] != killed and alive(launcher.services()["valkey"]))
    assert not launcher.ended()


def test_a_killed_launcher_leaves_no_process_and_the_next_start_is_clean(launcher: Launcher) -> None:
    launcher.sql("CREATE TABLE pictures AS SELECT 'harbour' AS name")
    launcher.stay()
    pids = [*launcher.services().values(), *commands_of(launcher)]
    assert all(alive(pid) for pid in pids)
    launcher.signal(signal.SIGKILL)
    assert eventually(lambda: not any(alive(pid) for pid in pids))
    assert launcher.sql("SELECT name FROM pictures") == [["harbour"]]


def test_a_stopped_launcher_ends_everything_and_leaves_no_socket_folder(launcher: Launcher) -> None:
    env = launcher.stay()
    pids = list(launcher.services().values())
    sockets = env["REDIS_URL"].split("//")[1].rsplit("/", 1)[0]
    assert os.path.isdir(sockets)
    launcher.signal(signal.SIGTERM)
    assert launcher.process
    assert launcher.process.wait(20) == 128 + signal.SIGTERM
    assert not any(alive(pid) for pid in pids)
    assert not os.path.exists(sockets)


def commands_of(launcher: Launcher) -> list[int]:
    """The foreground command shares the launcher's session."""
    assert launcher.process
    pids = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    session = launcher.process.pid
    return [pid for pid in pids if pid != session and (seen := look(pid)) and seen.session == session]
