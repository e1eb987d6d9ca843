"""`python -m hardbench_web.embedded run|serve`: the product with its own Postgres and Valkey."""

import argparse
import sys
from pathlib import Path

from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.launch import run


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m hardbench_web.embedded", description=__doc__)
    verbs = top.add_subparsers(dest="verb", required=True)
    add_run(verbs.add_parser("run", help="run one command beside the servers and pass its exit code on"))
    return top


def add_run(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--state", type=Path, required=True, help="folder that keeps everything; made if missing")
    verb.add_argument("--fresh", action="store_true", help="empty the folder first")
    verb.add_argument(
        "--for-tests", action="store_true", help="let the tests' flush empty append-only tables; never for real data"
    )
    verb.add_argument("--migrate", action="store_true", help="migrate before the command runs")
    verb.add_argument("--with", dest="beside", choices=["worker"], help="start a worker and the scheduler too")
    verb.add_argument("command", nargs="+", help="the command, after --")


def main() -> int:
    options = parser().parse_args()
    try:
        return run(options)
    except EmbeddedError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
