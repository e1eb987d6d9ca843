"""A postmaster.pid that a crash left behind: whom it names, and when it may go."""

import os
import signal
from pathlib import Path
from typing import Literal

from hardbench_web.embedded.children import wait_until
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.processes import arguments, look

PidFileState = Literal["none", "gone", "zombie", "foreign", "ours"]


def pid_file_state(data: Path) -> tuple[PidFileState, int]:
    """Whom the file names: nobody any more, a zombie, a process that is no postgres of ours, or a live orphan."""
    try:
        pid = int((data / "postmaster.pid").read_text().split()[0])
    except FileNotFoundError:
        return "none", 0
    except (IndexError, ValueError):  # a crash of the machine left it empty
        return "gone", 0
    seen = look(pid)
    if seen is None:
        return "gone", pid
    if not seen.alive:
        return "zombie", pid
    return ("ours" if str(data) in arguments(pid) else "foreign"), pid


def clear_pid_file(data: Path, patience: float = 60.0) -> None:
    """Postgres itself refuses to start on a pid that is a zombie or was given to somebody else, so the file goes first.

    A live orphan is asked to stop; raises EmbeddedError if it does not within `patience` seconds.
    """
    state, pid = pid_file_state(data)
    if state == "ours":
        os.kill(pid, signal.SIGINT)
        if not wait_until(lambda: pid_file_state(data)[0] != "ours", patience):
            raise EmbeddedError(f"A Postgres of an earlier start does not stop. End it with: kill -QUIT {pid}")
    (data / "postmaster.pid").unlink(missing_ok=True)
