"""The product with its own Postgres and Valkey, on a machine that has neither."""

import argparse
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.folders import StateFolder
from hardbench_web.embedded.launch import Run, run, serve
from hardbench_web.embedded.programs import Site


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m hardbench_web.embedded", description=__doc__)
    verbs = top.add_subparsers(dest="verb", required=True)
    add_run(verbs.add_parser("run", help="run one command beside the servers and pass its exit code on"))
    add_serve(verbs.add_parser("serve", help="serve the whole site on 127.0.0.1 until Ctrl-C"))
    for verb in verbs.choices.values():
        verb.add_argument("--state", type=Path, required=True, help="the folder that keeps everything; made if missing")
    return top


def add_run(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--fresh", action="store_true", help="empty the state folder first")
    verb.add_argument("--for-tests", action="store_true", help="let a flush empty append-only tables; never for real data")
    verb.add_argument("--migrate", action="store_true", help="migrate before the command runs")
    verb.add_argument("--with", dest="beside", choices=["worker"], help="start worker and scheduler too")
    verb.add_argument("command", nargs="+", help="the command, after --")


def add_serve(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--port", type=int, default=8000)
    verb.add_argument("--prepare", action="append", metavar="COMMAND", help="run this when all serves, not seed_demo")


def launch(options: argparse.Namespace) -> int:
    if options.verb == "run":
        worker = options.beside == "worker"
        return run(Run(options.state, options.command, options.fresh, options.for_tests, options.migrate, worker))

    def plan(port: int, state: StateFolder) -> Site:
        standard = Site.standard(port, state)
        commands = [shlex.split(command) for command in options.prepare or []]
        return replace(standard, prepare=commands, announce=()) if commands else standard

    return serve(options.state, options.port, plan)


def guarded(launching: Callable[[], int]) -> int:
    """The exit code; what went wrong is printed for a person, without a traceback."""
    try:
        return launching()
    except EmbeddedError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(guarded(lambda: launch(parser().parse_args())))
