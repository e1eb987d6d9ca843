"""Signals become wake-ups of one loop, so that nothing happens inside a signal handler."""

import os
import select
import signal
from types import FrameType
from typing import Self

from hardbench_web.embedded.errors import Stopped

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Bell:
    """Rings when a child ends or when somebody asks to stop. A context manager, for the main thread only."""

    def __init__(self) -> None:
        self.asked: int | None = None
        self.former: dict[int, object] = {}

    def __enter__(self) -> Self:
        self.heard, self.rung = os.pipe()
        os.set_blocking(self.heard, False)
        os.set_blocking(self.rung, False)
        signal.set_wakeup_fd(self.rung, warn_on_full_buffer=False)
        for signum in (*STOPPING, signal.SIGCHLD):
            self.former[signum] = signal.signal(signum, self.note)
        return self

    def __exit__(self, *error: object) -> None:
        for signum, handler in self.former.items():
            signal.signal(signum, handler)  # type: ignore[arg-type]
        signal.set_wakeup_fd(-1)
        os.close(self.heard)
        os.close(self.rung)

    def note(self, signum: int, frame: FrameType | None) -> None:
        if signum in STOPPING and self.asked is None:
            self.asked = signum

    def wait(self, seconds: float) -> None:
        """Wait for a ring; raises Stopped as soon as somebody has asked to stop."""
        if self.asked is None:
            select.select([self.heard], [], [], seconds)
            self.drain()
        if self.asked is not None:
            raise Stopped(self.asked)

    def drain(self) -> None:
        try:
            os.read(self.heard, 4096)
        except BlockingIOError:
            return
