"""Starting and stopping single programs, each in a session of its own and tied to the launcher's life."""

import json
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from hardbench_web.embedded.folders import StateFolder, write_privately
from hardbench_web.embedded.processes import look, session_members

ROOT = Path(__file__).resolve().parents[2]


def nothing() -> None:
    """A service that needs no preparation."""


def at_once() -> bool:
    """A service that counts as ready when it has been started."""
    return True


@dataclass(frozen=True)
class Service:
    """A program that is kept running.

    `stops` are the signals that end it, each with the seconds it is given before the next one; SIGKILL comes after the last.
    `remains` is how many seconds its children may outlive a main process that died by itself.
    `prepare` runs before every start; `ready` says whether it serves; `patience` is how many seconds that may take.
    """

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str]
    cwd: Path = ROOT
    user: str | None = None
    death: str = "TERM"
    prefix: Sequence[str] = ()
    stops: Sequence[tuple[signal.Signals, float]] = ((signal.SIGTERM, 15.0),)
    remains: float = 1.0
    prepare: Callable[[], None] = field(default=nothing)
    ready: Callable[[], bool] = field(default=at_once)
    patience: float = 30.0


def tied(command: Sequence[str], death: str = "TERM") -> list[str]:
    """The command, told by the kernel with signal `death` when the thread that started it is gone.

    Without util-linux (on other systems) the command is only itself; the ledger still finds what was left over.
    """
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", death, *command] if setpriv else [*command]


def spawn(service: Service) -> subprocess.Popen[bytes]:
    """Start a service detached from the terminal: Ctrl-C reaches the launcher alone, which then stops all in order."""
    group = pwd.getpwnam(service.user).pw_gid if service.user else None
    with open(service.log, "ab") as log:
        return subprocess.Popen(
            [*service.prefix, *tied(service.command, service.death)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=service.env,
            cwd=service.cwd,
            user=service.user,
            group=group,
            extra_groups=[] if service.user else None,
            start_new_session=True,
        )


def tail(log: Path, lines: int = 20) -> str:
    """The last lines of a log file, indented."""
    if not log.exists():
        return ""
    text = log.read_text(errors="replace").splitlines()[-lines:]
    return "\n".join(f"    {line}" for line in text)


def stop(process: subprocess.Popen[bytes], stops: Sequence[tuple[signal.Signals, float]]) -> None:
    """Tell the main process alone (a worker's children must finish their tasks); what is left after the grace is killed."""
    for signum, seconds in stops:
        if process.poll() is None:
            process.send_signal(signum)
            with suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
    kill_session(process.pid)
    process.wait()


def kill_session(session: int) -> None:
    for pid in session_members(session):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Poll a condition that no signal announces; False if it does not hold in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


class Ledger:
    """The running services by pid and start time, so that the next launcher finds what a killed one left over."""

    def __init__(self, state: StateFolder) -> None:
        self.file = state.path / "children.json"
        self.rows: dict[str, tuple[int, int]] = {}

    def add(self, name: str, pid: int) -> None:
        seen = look(pid)
        self.rows[name] = (pid, seen.start if seen else 0)
        self.write()

    def remove(self, name: str) -> None:
        if self.rows.pop(name, None):
            self.write()

    def write(self) -> None:
        write_privately(self.file, json.dumps(self.rows))

    def left_over(self) -> Iterator[tuple[str, int]]:
        """Names and pids of a former launcher's services whose main process or its children still live.

        Linux gives out no pid that still names a session, so members of a session without its leader are ours.
        """
        rows = json.loads(self.file.read_text()) if self.file.exists() else {}
        for name, (pid, start) in rows.items():
            seen = look(pid)
            if session_members(pid) and (seen is None or seen.start == start):
                yield name, pid


@contextmanager
def terminated(process: subprocess.Popen[bytes], grace: float) -> Iterator[None]:
    """A foreground program does not outlive its block."""
    try:
        yield
    finally:
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(grace)
        if process.poll() is None:
            process.kill()
            process.wait()


def stop_left_over(ledger: Ledger) -> None:
    """End what a killed launcher left running, last started first."""
    for _, pid in reversed(list(ledger.left_over())):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        wait_until(lambda pid=pid: not session_members(pid), 30)
        kill_session(pid)
    ledger.write()
