"""The two ways to launch: one command beside the servers, or a whole site until somebody stops it."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hardbench_web.embedded.children import ROOT, tail
from hardbench_web.embedded.environment import LOOPBACK, start_stores
from hardbench_web.embedded.errors import EmbeddedError, Stopped
from hardbench_web.embedded.folders import StateFolder, held
from hardbench_web.embedded.ledger import Ledger
from hardbench_web.embedded.programs import Site, refuse_taken
from hardbench_web.embedded.signals import Bell
from hardbench_web.embedded.supervisor import Say, Supervisor


@dataclass(frozen=True)
class Run:
    """One command beside the servers."""

    state: Path
    command: Sequence[str]
    fresh: bool = False
    for_tests: bool = False
    migrate: bool = False
    with_worker: bool = False


def say(line: str) -> None:
    print(line, flush=True)


def complain(line: str) -> None:
    """On standard error, where standard output belongs to the command."""
    print(line, file=sys.stderr, flush=True)


@contextmanager
def supervised(state: StateFolder, tell: Say) -> Iterator[Supervisor]:
    """A supervisor whose services are stopped in order, whatever happens in the block."""
    ledger = Ledger(state.path / "children.json")
    with Bell() as bell:
        supervisor = Supervisor(bell, ledger, tell)
        ledger.settle()
        try:
            yield supervisor
        finally:
            supervisor.stop()
            state.drop_sockets()


def run(options: Run) -> int:
    """Run the command to its end; its exit code, or 128 + signal as a shell gives it."""
    with held(options.state) as state, supervised(state, complain) as supervisor:
        if options.fresh:
            state.wipe()
        try:
            code = run_beside(supervisor, state, options)
        except Stopped as stopped:
            return 128 + stopped.signum
    return 128 - code if code < 0 else code


def run_beside(supervisor: Supervisor, state: StateFolder, options: Run) -> int:
    site = Site.standard(0, state)
    env = start_stores(supervisor, state, for_tests=options.for_tests)
    if options.migrate:
        migrate(supervisor, site, state, env)
    for service in site.background(state, env) if options.with_worker else []:
        supervisor.start(service)
    return supervisor.run(options.command, env=env)


def serve(folder: Path, port: int, plan: Callable[[int, StateFolder], Site] = Site.standard) -> int:
    """Serve the site that `plan` makes for a port and a state folder, until a signal stops it."""
    with held(folder, url=f"http://127.0.0.1:{port}") as state, supervised(state, say) as supervisor:
        refuse_taken(port)
        site = plan(port, state)
        try:
            env = bring_up(supervisor, site, state)
        except Stopped as stopped:
            return 128 + stopped.signum
        stay(supervisor, site, env)
    say("Stopped.")
    return 0


def bring_up(supervisor: Supervisor, site: Site, state: StateFolder) -> Mapping[str, str]:
    """Everything up to the first visitor: stores, migrations, worker, web, what `prepare` does. Gives their environment."""
    say(f"Starting Postgres and Valkey (everything is kept in {state.path})")
    env = start_stores(supervisor, state) | LOOPBACK
    say("Migrating")
    migrate(supervisor, site, state, env)
    say("Starting worker and web")
    for service in [*site.background(state, env), site.frontend(state, env)]:
        supervisor.start(service)
    for command in site.prepare:
        if code := supervisor.run(command, env=env, cwd=ROOT):
            raise EmbeddedError(f"{' '.join(command[1:])} failed with exit code {code}; the logs are in {state.path / 'logs'}")
    return env


def migrate(supervisor: Supervisor, site: Site, state: StateFolder, env: Mapping[str, str]) -> None:
    """Raises EmbeddedError with the end of the log if a migration fails."""
    log = state.log("migrate")
    if supervisor.run(site.migrate, env=env, cwd=ROOT, log=log):
        raise EmbeddedError(f"The migrations failed. {log} ends with\n{tail(log)}")


def stay(supervisor: Supervisor, site: Site, env: Mapping[str, str]) -> None:
    """Say where the site is, and tend the services until a signal asks to stop."""
    try:
        say(f"\nServing at {site.url}\n")
        if site.announce:
            supervisor.run(site.announce, env=env, cwd=ROOT)
        say("\nCtrl-C stops everything; the next start continues with the same data.")
        while True:
            supervisor.tend()
    except Stopped:
        say("\nStopping: running requests and tasks are finished first.")
