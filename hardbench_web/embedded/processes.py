"""What /proc says about a process. Where there is no /proc, nothing is known and the answers are empty."""

from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class Sighting(NamedTuple):
    """One look at a process: `start` (clock ticks since boot) tells a reused pid from the old one."""

    pid: int
    state: str
    session: int
    start: int

    @property
    def alive(self) -> bool:
        return self.state not in "ZX"


def look(pid: int) -> Sighting | None:
    """The process with this pid, or None if there is none (any more)."""
    try:
        # The command's name stands in parentheses and may hold blanks and parentheses itself.
        fields = (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return Sighting(pid=pid, state=fields[0], session=int(fields[3]), start=int(fields[19]))


def arguments(pid: int) -> list[str]:
    """The command line of a process, empty for zombies and for pids that are gone."""
    try:
        return (PROC / str(pid) / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return []


def session_members(session: int) -> list[int]:
    """Pids of the live processes in one session, its leader included."""
    pids = [int(folder.name) for folder in PROC.glob("[0-9]*")]
    return [seen.pid for pid in pids if (seen := look(pid)) and seen.session == session and seen.alive]
