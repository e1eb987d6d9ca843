"""Starting and stopping single programs, each in a session of its own and tied to the launcher's life."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from hardbench_web.embedded.processes import session_members

ROOT = Path(__file__).resolve().parents[2]
ORPHANS_GRACE = 5.0  # seconds the children of a stopped main process get to follow it

Stops = Sequence[tuple[int, float]]


def nothing() -> None:
    """A service that needs no preparation."""


def at_once() -> bool:
    """A service that counts as ready when it has been started."""
    return True


@dataclass(frozen=True)
class Service:
    """A program that is kept running.

    `stops` are the signals that end it, each with the seconds it is given before the next; SIGKILL comes after the last.
    `orphans` is what its children are told when the main process died by itself (0: nothing), and the seconds they have.
    `death` is the signal it gets from the kernel when the launcher is killed.
    `prepare` runs before every start; `ready` says whether it serves; `patience` is how many seconds that may take.
    `socket` is a file that has to exist while it serves.
    `prefix` (a command that runs the command) and `user` change the identity it runs under.
    """

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str]
    cwd: Path = ROOT
    user: str | None = None
    prefix: Sequence[str] = ()
    death: str = "TERM"
    stops: Stops = ((signal.SIGTERM, 15.0),)
    orphans: tuple[int, float] = (0, ORPHANS_GRACE)
    prepare: Callable[[], None] = field(default=nothing)
    ready: Callable[[], bool] = field(default=at_once)
    patience: float = 30.0
    socket: Path | None = None


def tied(command: Sequence[str], death: str = "TERM") -> list[str]:
    """The command, told by the kernel with signal `death` when the thread that started it is gone.

    Without util-linux (on other systems) the command is only itself; the ledger still finds what was left over.
    """
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", death, *command] if setpriv else [*command]


def spawn(service: Service) -> subprocess.Popen[bytes]:
    """Start a service detached from the terminal: Ctrl-C reaches the launcher alone, which then stops all in order."""
    with open(service.log, "ab") as log:
        return subprocess.Popen(
            [*service.prefix, *tied(service.command, service.death)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=service.env,
            cwd=service.cwd,
            user=service.user,
            group=pwd.getpwnam(service.user).pw_gid if service.user else None,
            extra_groups=[] if service.user else None,
            start_new_session=True,
        )


def end(pid: int, stops: Stops, ended: Callable[[], bool]) -> None:
    """Tell the main process alone, for a worker's children must finish their tasks; kill what outlives its grace."""
    for signum, seconds in stops:
        if not ended():
            with suppress(ProcessLookupError):
                os.kill(pid, signum)
            wait_until(ended, seconds)
    if ended():
        wait_until(lambda: not session_members(pid), ORPHANS_GRACE)
    tell_session(pid, signal.SIGKILL)
    wait_until(ended, ORPHANS_GRACE)


def tell_session(session: int, signum: int) -> None:
    """Send a signal to every process of a session; signal 0 tells nothing."""
    for pid in session_members(session):
        with suppress(ProcessLookupError):
            os.kill(pid, signum)


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Poll a condition that no signal announces; False if it does not hold in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def outcome(code: int) -> str:
    """How a process ended, in words."""
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def tail(log: Path, lines: int = 20) -> str:
    """The last lines of a log file, indented; they follow the words "ends with"."""
    text = log.read_text(errors="replace").splitlines()[-lines:] if log.exists() else []
    return "\n".join(f"    {line}" for line in text)
