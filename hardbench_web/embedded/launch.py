"""The two ways to launch: one command beside the servers, or the whole site until somebody stops it."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hardbench_web.embedded.children import Ledger, stop_left_over
from hardbench_web.embedded.environment import start_stores
from hardbench_web.embedded.errors import EmbeddedError, Stopped
from hardbench_web.embedded.folders import StateFolder, held
from hardbench_web.embedded.programs import migrate, scheduler, worker
from hardbench_web.embedded.signals import Bell
from hardbench_web.embedded.supervisor import Supervisor


def complain(line: str) -> None:
    """On standard error: standard output belongs to the command."""
    print(line, file=sys.stderr, flush=True)


@contextmanager
def supervised(state: StateFolder) -> Iterator[Supervisor]:
    """A supervisor whose services are stopped in order, whatever happens in the block."""
    ledger = Ledger(state)
    stop_left_over(ledger)
    with Bell() as bell:
        supervisor = Supervisor(bell, ledger, complain)
        try:
            yield supervisor
        finally:
            supervisor.stop()


def run(options: argparse.Namespace) -> int:
    """Run one command beside the servers; its exit code, or 128 + signal as a shell would give it."""
    with held(options.state) as state, supervised(state) as supervisor:
        if options.fresh:
            state.wipe()
        try:
            env = start_stores(supervisor, state, for_tests=options.for_tests)
            if options.migrate:
                migrate(supervisor, state, env)
            if options.beside == "worker":
                supervisor.start(scheduler(state, env))
                supervisor.start(worker(state, env))
            code = supervisor.run(options.command, env=env)
        except Stopped as stopped:
            return 128 + stopped.signum
    return 128 - code if code < 0 else code
