"""Starts services in order, restarts what dies, stops all in the opposite order."""

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardbench_web.embedded.children import Ledger, Service, kill_session, spawn, stop, tail, terminated, tied
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.processes import session_members
from hardbench_web.embedded.signals import Bell

FIRST_DELAY, LONGEST_DELAY = 0.2, 30.0  # seconds
STEADY = 30.0  # a service that lived this long starts again from the first delay
PULSE = 0.5  # how often the loop looks without being rung for

Say = Callable[[str], None]


def delay(deaths: int) -> float:
    """Seconds before the start after the n-th death in a row: 0.2, 0.4, 0.8 ... 30."""
    return min(FIRST_DELAY * 2.0 ** (deaths - 1), LONGEST_DELAY)


@dataclass
class Running:
    """A service and its process. `due` is when it starts again, None while it lives; `settled` once it was ready."""

    service: Service
    process: subprocess.Popen[bytes]
    started: float
    deaths: int = 0
    died: float = 0.0
    due: float | None = None
    settled: bool = False


class Supervisor:
    """One launcher's services. Everything happens in the thread that made it, for the kernel ties children to it."""

    def __init__(self, bell: Bell, ledger: Ledger, say: Say) -> None:
        self.bell, self.ledger, self.say = bell, ledger, say
        self.running: list[Running] = []

    def start(self, service: Service) -> None:
        """Start a service and wait until it is ready; raises EmbeddedError with the end of its log if it does not get so far."""
        service.prepare()
        process = self.spawn(service)
        running = Running(service, process, time.monotonic())
        self.running.append(running)
        while not service.ready():
            self.refuse_failure(running)
            self.tend(0.05)
        running.settled = True

    def refuse_failure(self, running: Running) -> None:
        code = running.process.poll()
        service = running.service
        if code is None and time.monotonic() - running.started < service.patience:
            return
        fate = f"was not ready within {service.patience:.0f} s" if code is None else f"ended with {outcome(code)}"
        raise EmbeddedError(f"{service.name} did not start: it {fate}. {service.log} ends with\n{tail(service.log)}")

    def spawn(self, service: Service) -> subprocess.Popen[bytes]:
        process = spawn(service)
        self.ledger.add(service.name, process.pid)
        return process

    def tend(self, seconds: float = PULSE) -> None:
        """Wait a moment, then restart what died; raises Stopped when a signal asks to stop."""
        self.bell.wait(seconds)
        for running in self.running:
            if running.settled:
                self.revive(running, time.monotonic())

    def revive(self, running: Running, now: float) -> None:
        if running.due is None:
            if running.process.poll() is not None:
                self.mourn(running, now)
        elif now >= running.due and self.is_cleared(running, now):
            running.service.prepare()
            running.process, running.started, running.due = self.spawn(running.service), now, None

    def mourn(self, running: Running, now: float) -> None:
        """Note a death and when the next start is due."""
        running.deaths = 1 if now - running.started > STEADY else running.deaths + 1
        running.died, running.due = now, now + delay(running.deaths)
        fate = outcome(running.process.returncode)
        self.say(
            f"{running.service.name} ended with {fate}; it starts again in {delay(running.deaths):.1f} s (see {running.service.log})"
        )

    def is_cleared(self, running: Running, now: float) -> bool:
        """Whether nothing of the dead main process is left; its children get their time and are then killed."""
        if not session_members(running.process.pid):
            return True
        if now - running.died > running.service.remains:
            kill_session(running.process.pid)
        return False

    def run(self, command: Sequence[str], *, env: Mapping[str, str], cwd: Path | None = None, log: Path | None = None) -> int:
        """Run a command in the foreground to its end and give its exit code; services are tended meanwhile."""
        output = open(log, "ab") if log else None
        try:
            process = subprocess.Popen(tied(command), env=env, cwd=cwd, stdout=output, stderr=output)
        except FileNotFoundError:
            raise EmbeddedError(f"There is no program {command[0]}") from None
        finally:
            if output:
                output.close()
        with terminated(process, grace=60):
            while process.poll() is None:
                self.tend()
        return process.returncode

    def stop(self) -> None:
        """In the opposite order of the starts, each one fully before the next."""
        while self.running:
            running = self.running.pop()
            stop(running.process, running.service.stops)
            self.ledger.remove(running.service.name)


def outcome(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
