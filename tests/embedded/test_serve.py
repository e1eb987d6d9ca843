"""Max serves the site: parts start in order, come back when they die, and stop in order."""

import os
import signal
import socket
import sys
from pathlib import Path

import pytest

from hardbench_web.embedded.processes import session_members
from tests.embedded.launcher import Launcher, alive, eventually

SITE = Path(__file__).with_name("fake_site.py")


class Served:
    """A site of stand-ins, started on a free port."""

    def __init__(self, launcher: Launcher, journal: Path) -> None:
        self.launcher, self.journal = launcher, journal
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def start(self) -> None:
        self.journal.write_text("")
        self.launcher.begin([sys.executable, "-m", "tests.embedded.fake_site", self.launcher.state, str(self.port), self.journal])
        assert eventually(lambda: "announced" in self.lines() or self.launcher.ended())
        assert not self.launcher.ended(), self.launcher.output()

    def lines(self) -> list[str]:
        return self.journal.read_text().splitlines()

    def kill(self, name: str) -> int:
        pid = self.launcher.services()[name]
        os.kill(pid, signal.SIGKILL)
        return pid

    def is_back(self, name: str, killed: int) -> bool:
        pid = self.launcher.services()[name]
        return pid != killed and alive(pid) and any(line.startswith(f"{name} started") for line in self.lines())


@pytest.fixture
def served(launcher: Launcher, tmp_path: Path) -> Served:
    return Served(launcher, tmp_path / "journal")


def test_the_site_starts_and_stops_in_order_and_tells_only_main_processes(served: Served) -> None:
    served.start()
    # The parts run side by side with preparing; how soon each says so is theirs.
    assert eventually(lambda: len(served.lines()) == 6)
    first, *parts = served.lines()
    assert first == "migrated"
    assert parts.index("prepared") < parts.index("announced")
    assert sorted(parts) == ["announced", "prepared", "scheduler started 110", "web started 110", "worker started 110"]
    pids = list(served.launcher.services().values())
    served.launcher.signal(signal.SIGINT)
    printed = served.launcher.output()
    assert f"Serving at http://127.0.0.1:{served.port}" in printed
    assert served.lines()[6:] == [f"{name} stopped beside postgres valkey" for name in ("web", "worker", "scheduler")]
    valkey, postgres = (served.launcher.state / "logs" / f"{name}.log" for name in ("valkey", "postgres"))
    assert valkey.stat().st_mtime_ns < postgres.stat().st_mtime_ns
    assert served.launcher.ended()
    assert served.launcher.process
    assert served.launcher.process.returncode == 0
    assert not any(alive(pid) for pid in pids)


def test_parts_that_are_killed_come_back_one_by_one(served: Served) -> None:
    served.start()
    served.journal.write_text("")
    killed = {name: served.kill(name) for name in ("web", "worker")}
    assert eventually(lambda: all(served.is_back(name, pid) for name, pid in killed.items()))
    assert not any(session_members(pid) for pid in killed.values())
    assert [line for line in served.lines() if "child" in line] == ["child of web told"]
    assert not served.launcher.ended()


def test_a_second_serve_names_the_address_of_the_first(served: Served) -> None:
    served.start()
    second = served.launcher.run("true")
    assert second.returncode == 1
    assert f"Already running at http://127.0.0.1:{served.port} (process" in second.stderr


def test_a_killed_launcher_of_a_site_is_followed_by_a_clean_start(served: Served) -> None:
    served.start()
    pids = list(served.launcher.services().values())
    served.launcher.signal(signal.SIGKILL)
    served.launcher.output()
    served.start()
    assert not any(alive(pid) for pid in pids)


def test_a_port_that_is_taken_is_named_with_the_remedy(bare: Launcher, tmp_path: Path) -> None:
    served = Served(bare, tmp_path / "journal")
    with socket.socket() as other:
        other.bind(("127.0.0.1", served.port))
        other.listen()
        served.launcher.begin(
            [sys.executable, "-m", "tests.embedded.fake_site", served.launcher.state, str(served.port), served.journal]
        )
        printed = served.launcher.output()
    assert f"Port {served.port} cannot be used" in printed
    assert f"make demo PORT={served.port + 1}" in printed
    assert not (served.launcher.state / "postgres").exists()
