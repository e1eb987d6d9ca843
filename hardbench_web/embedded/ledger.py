"""The running services on paper, so that the next launcher finds what a killed one left over."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hardbench_web.embedded.children import Service, Stops, end
from hardbench_web.embedded.folders import write_privately
from hardbench_web.embedded.processes import look, session_members


class Entry(NamedTuple):
    """A started service: its pid and start time name one process for ever, `stops` is how it is ended."""

    pid: int
    start: int
    stops: Stops

    def ended(self) -> bool:
        seen = look(self.pid)
        return seen is None or not seen.alive or seen.start != self.start

    def left_over(self) -> bool:
        """Whether the main process or its children live.

        Linux gives out no pid that still names a session, so the members of a session without its leader are ours.
        """
        seen = look(self.pid)
        return (seen is None or seen.start == self.start) and bool(session_members(self.pid))


class Ledger:
    """One file in the state folder; every start and stop is written at once."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.entries: dict[str, Entry] = {}

    def add(self, service: Service, pid: int) -> None:
        seen = look(pid)
        self.entries[service.name] = Entry(pid, seen.start if seen else 0, service.stops)
        self.write()

    def remove(self, name: str) -> None:
        if self.entries.pop(name, None):
            self.write()

    def write(self) -> None:
        write_privately(self.file, json.dumps(self.entries))

    def read(self) -> Iterator[Entry]:
        rows = json.loads(self.file.read_text()) if self.file.exists() else {}
        return (Entry(*row) for row in rows.values())

    def settle(self) -> None:
        """End what an earlier launcher left running, the last started first."""
        for entry in reversed(list(self.read())):
            if entry.left_over():
                end(entry.pid, entry.stops, entry.ended)
        self.write()
