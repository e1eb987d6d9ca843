"""Max starts the embedded servers from a shell: real launchers, real Postgres and Valkey, nothing from this run's own."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg

from hardbench_web.embedded.children import ROOT, wait_until
from hardbench_web.embedded.processes import look, session_members

GIVEN = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "STATE_DIR",
    "HARDBENCH_TEST_CLUSTER",
    "DJANGO_SETTINGS_MODULE",
)
PATIENCE = 20  # seconds until a condition has to hold
VISIT = """
import json, os, signal, sys
with open(sys.argv[1] + ".new", "w") as file: json.dump(dict(os.environ), file)
os.rename(sys.argv[1] + ".new", sys.argv[1])
signal.pause()
"""


def eventually(condition: Any) -> bool:
    return wait_until(condition, PATIENCE)


class Launcher:
    """One state folder, and the launchers that were started on it."""

    def __init__(self, state: Path, stack: ExitStack) -> None:
        self.state, self.stack = state, stack
        self.process: subprocess.Popen[str] | None = None
        self.printed = ""

    def run(self, *command: str, flags: Sequence[str] = (), **given: str) -> subprocess.CompletedProcess[str]:
        """Run a command beside the servers to its end."""
        return subprocess.run(
            [*launch("run"), "--state", self.state, *flags, "--", *command],
            capture_output=True, text=True, timeout=60, env=environment(given), cwd=ROOT, check=False,
        )  # fmt: skip

    def python(self, code: str, flags: Sequence[str] = (), **given: str) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-c", code, flags=flags, **given)

    def sql(self, statement: str, role: str = "owner", flags: Sequence[str] = ()) -> list[Any]:
        """One statement as one role, in a start of its own; raises AssertionError with the database's words."""
        url = "DATABASE_OWNER_URL" if role == "owner" else "DATABASE_URL"
        done = self.python(
            "import json, os, psycopg\n"
            f"with psycopg.connect(os.environ[{url!r}], autocommit=True) as c:\n"
            f"    done = c.execute({statement!r})\n"
            "    print(json.dumps(done.fetchall() if done.description else []))",
            flags=flags,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def stay(self, flags: Sequence[str] = (), **given: str) -> dict[str, str]:
        """Start a launcher that stays; gives the environment of its command."""
        visited = self.state.parent / "visited.json"
        visited.unlink(missing_ok=True)
        command = [*launch("run"), "--state", self.state, *flags, "--", sys.executable, "-c", VISIT, visited]
        self.begin(command, given)
        assert eventually(lambda: visited.exists() or self.ended()), "the launcher did not start"
        assert visited.exists(), self.output()
        return json.loads(visited.read_text())

    def begin(self, command: Sequence[str | Path], given: dict[str, str] | None = None) -> subprocess.Popen[str]:
        """Start a launcher in the background; it does not outlive the test."""
        self.printed = ""
        self.process = subprocess.Popen(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=environment(given or {}), cwd=ROOT, start_new_session=True,
        )  # fmt: skip
        self.stack.callback(finish, self.process)
        return self.process

    def ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def output(self) -> str:
        """All that the launcher printed, once it has ended."""
        assert self.process
        if not self.printed:
            self.printed = self.process.communicate(timeout=PATIENCE)[0]
        return self.printed

    def signal(self, signum: int) -> None:
        assert self.process
        self.process.send_signal(signum)

    def services(self) -> dict[str, int]:
        """Name and pid of every service the launcher has written down."""
        return {name: row[0] for name, row in json.loads((self.state / "children.json").read_text()).items()}


def finish(process: subprocess.Popen[str]) -> None:
    with process:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()


def launch(verb: str) -> list[str]:
    return [sys.executable, "-m", "hardbench_web.embedded", verb]


def environment(given: dict[str, str]) -> dict[str, str]:
    """A shell that knows nothing of the servers this test run itself uses."""
    return {name: value for name, value in os.environ.items() if name not in GIVEN} | given


def alive(pid: int) -> bool:
    seen = look(pid)
    return (seen is not None and seen.alive) or bool(session_members(pid))


def answers(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=2):
            return True
    except psycopg.OperationalError:
        return False
