"""Starts services in order, restarts what dies, stops all in the opposite order."""

import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from hardbench_web.embedded.children import Service, Stops, end, outcome, spawn, tail, tell_session, tied
from hardbench_web.embedded.errors import EmbeddedError, Stopped
from hardbench_web.embedded.ledger import Ledger
from hardbench_web.embedded.processes import session_members
from hardbench_web.embedded.signals import Bell

FIRST_DELAY, LONGEST_DELAY = 0.2, 30.0  # seconds
STEADY = 30.0  # a service that lived this long starts again from the first delay
PULSE = 0.5  # how often the loop looks without being rung for
INTERRUPT_GRACE, COMMAND_GRACE = 30.0, 60.0  # seconds a foreground command gets after Ctrl-C and after SIGTERM

Say = Callable[[str], None]


def delay(deaths: int) -> float:
    """Seconds before the start after the n-th death in a row: 0.2, 0.4, 0.8 ... 30."""
    return min(FIRST_DELAY * 2.0 ** min(deaths - 1, 20), LONGEST_DELAY)


@dataclass
class Running:
    """A service and its process.

    `settled` once it was ready, `reachable` while its socket is there, `due` when it starts again (None while it lives).
    """

    service: Service
    process: subprocess.Popen[bytes]
    started: float
    settled: bool = False
    reachable: bool = False
    deaths: int = 0
    died: float = 0.0
    due: float | None = None

    def ended(self) -> bool:
        return self.process.poll() is not None

    def lost_its_socket(self, now: float) -> bool:
        """Whether the socket was wiped from under it, as cleaners of temporary folders do."""
        there = self.service.socket is None or self.service.socket.exists()
        lost = not there and (self.reachable or now - self.started > self.service.patience)
        self.reachable = there
        return lost


class Supervisor:
    """One launcher's services. Everything happens in the thread that made it, for the kernel ties children to it."""

    def __init__(self, bell: Bell, ledger: Ledger, say: Say) -> None:
        self.bell, self.ledger, self.say = bell, ledger, say
        self.running: list[Running] = []

    def start(self, service: Service) -> None:
        """Start a service and wait until it is ready; raises EmbeddedError with the end of its log if it never is."""
        service.prepare()
        running = Running(service, self.spawn(service), time.monotonic())
        self.running.append(running)
        while not service.ready():
            refuse_failure(running)
            self.tend(0.05)
        running.settled = running.reachable = True

    def spawn(self, service: Service) -> subprocess.Popen[bytes]:
        process = spawn(service)
        self.ledger.add(service, process.pid)
        return process

    def tend(self, seconds: float = PULSE) -> None:
        """Wait a moment, then restart what died; raises Stopped when a signal asks to stop."""
        self.bell.wait(seconds)
        for running in self.running:
            if running.settled:
                self.revive(running, time.monotonic())

    def revive(self, running: Running, now: float) -> None:
        if running.due is None:
            self.examine(running, now)
        elif now >= running.due and is_cleared(running, now):
            running.service.prepare()
            running.process, running.started = self.spawn(running.service), now
            running.due, running.reachable = None, False

    def examine(self, running: Running, now: float) -> None:
        if running.lost_its_socket(now) and not running.ended():
            end(running.process.pid, running.service.stops, running.ended)
        if running.ended():
            self.mourn(running, now)

    def mourn(self, running: Running, now: float) -> None:
        """Note a death and when the next start is due; tell the children, if they are to be told."""
        tell_session(running.process.pid, running.service.orphans[0])
        running.deaths = 1 if now - running.started > STEADY else running.deaths + 1
        running.died, running.due = now, now + delay(running.deaths)
        name, log, code = running.service.name, running.service.log, running.process.returncode
        self.say(f"{name} ended with {outcome(code)} and starts again in {delay(running.deaths):.1f} s, see {log}")
        if code > 0:
            self.say(tail(log, 5))

    def run(self, command: Sequence[str], *, env: Mapping[str, str], cwd: Path | None = None, log: Path | None = None) -> int:
        """Run a command in the foreground to its end and give its exit code; services are tended meanwhile.

        Its output goes to the terminal, or to `log`. Raises EmbeddedError if there is no such program.
        """
        with open(log, "ab") if log else nullcontext() as output:
            try:
                process = subprocess.Popen(tied(command), env=env, cwd=cwd, stdout=output, stderr=output)
            except FileNotFoundError:
                raise EmbeddedError(f"There is no program {command[0]}") from None
        try:
            while process.poll() is None:
                self.tend()
        except Stopped as stopped:
            end(process.pid, graces(stopped.signum), lambda: process.poll() is not None)
            raise
        return process.returncode

    def stop(self) -> None:
        """In the opposite order of the starts, each one fully before the next."""
        while self.running:
            running = self.running.pop()
            end(running.process.pid, running.service.stops, running.ended)
            self.ledger.remove(running.service.name)


def refuse_failure(running: Running) -> None:
    """Raises EmbeddedError if a service that is being started has died or takes too long."""
    service, code = running.service, running.process.poll()
    if code is None and time.monotonic() - running.started < service.patience:
        return
    fate = f"was not ready within {service.patience:.0f} s" if code is None else f"ended with {outcome(code)}"
    raise EmbeddedError(f"{service.name} did not start: it {fate}. {service.log} ends with\n{tail(service.log)}")


def is_cleared(running: Running, now: float) -> bool:
    """Whether nothing of the dead main process is left; its children get their time and are then killed."""
    if not session_members(running.process.pid):
        return True
    if now - running.died > running.service.orphans[1]:
        tell_session(running.process.pid, signal.SIGKILL)
    return False


def graces(signum: int) -> Stops:
    """How a foreground command is ended: Ctrl-C has reached it already, for it shares the terminal; the rest is passed on."""
    waited = ((0, INTERRUPT_GRACE),) if signum == signal.SIGINT else ()
    return (*waited, (signal.SIGTERM, COMMAND_GRACE), (signal.SIGKILL, COMMAND_GRACE))
