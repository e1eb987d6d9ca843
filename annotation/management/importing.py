"""What the import commands share: naming person and source, reading licences, and saying how it went.

Exit codes: 0 all came in (or was here already), 1 nothing could be taken, 6 some rows or pictures were rejected; what
keeps an import from beginning has the codes of all commands, see `verbs`. 130 it was stopped with Ctrl-C and can go on.
"""

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from annotation.management.verbs import ANSWER_IS_NO, DONE_IN_PART, add_person
from annotation.models import Person, Source
from annotation.sources.licences import Licence, read_table
from annotation.sources.operations import add_source

STOPPED = 130
SAY_AGAIN_SECONDS = 10


def add_shared_arguments(parser: ArgumentParser, *, required: bool = True) -> None:
    parser.add_argument("--source", required=required, metavar="KEY", help="the source that the file or folder belongs to")
    add_person(parser, required=required)
    parser.add_argument("--new-source", metavar="NAME", help="add the source, under this name, if there is none of the key")
    parser.add_argument("--licence", default="", help="SPDX identifier of a new source (default: that of its card, else unknown)")
    parser.add_argument("--licences", type=Path, metavar="TSV", help="table of the pictures' authors and licences")
    parser.add_argument("--json", action="store_true", help="print the outcome as one line of JSON")


def source_named(options: Mapping[str, Any], by: Person) -> Source:
    """The source of --source, added where --new-source allows; raises CommandError."""
    found = Source.objects.filter(key=options["source"]).first()
    if found is not None:
        return found
    if not options["new_source"]:
        raise CommandError(f"There is no source {options['source']!r}: add it with --new-source NAME.", returncode=3)
    return add_source(key=options["source"], name=options["new_source"], licence=options["licence"], by=by)


def licences_of(options: Mapping[str, Any]) -> dict[str, Licence]:
    """The table of --licences; none without it."""
    return read_table(options["licences"]) if options["licences"] else {}


def end(*, taken: int, rejected: int) -> None:
    """End the command with the exit code that says how much came in; go on if all did."""
    if rejected:
        sys.exit(DONE_IN_PART if taken else ANSWER_IS_NO)


def say(out: TextIO, outcome: Mapping[str, Any], *, as_json: bool) -> None:
    """The outcome as one line of JSON, or one line per fact."""
    if as_json:
        out.write(json.dumps(outcome, ensure_ascii=False))
        return
    for name, value in outcome.items():
        if not isinstance(value, list):
            out.write(f"{name}: {value}")
        for one in value if isinstance(value, list) else []:
            out.write("  " + ", ".join(f"{field} {inner}" for field, inner in one.items() if inner != ""))


class Bar:
    """A progress bar on a terminal, nothing in a pipe. Call it with (done, all)."""

    def __init__(self, title: str) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        console = Console(stderr=True)
        self._progress = Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
        self._task = self._progress.add_task(title, total=None)
        self._next = 0.0

    def __enter__(self) -> "Bar":
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def is_due(self) -> bool:
        """Whether anybody would see it move, for callers that must ask how far it is; once a second."""
        if self._progress.disable or time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + 1
        return True

    @property
    def is_seen(self) -> bool:
        return not self._progress.disable

    def __call__(self, done: int, all_: int | None) -> None:
        self._progress.update(self._task, completed=done, total=all_)

    def title(self, text: str) -> None:
        self._progress.update(self._task, description=text, completed=0, total=None)


class Stages:
    """How far an import is: a bar with the expected time on a terminal, now and then a plain line in a pipe.

    Call it with (what is being done, done, all), where all is 0 if nobody knows.
    """

    def __init__(self, out: TextIO) -> None:
        self._bar = Bar("")
        self._out = out
        self._doing = ""
        self._next = 0.0

    def __enter__(self) -> "Stages":
        self._bar.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(*error)

    def __call__(self, doing: str, done: int, all_: int) -> None:
        if doing != self._doing:
            self._doing, self._next = doing, time.monotonic() + SAY_AGAIN_SECONDS
            self._bar.title(doing)
        if not self._bar.is_seen and time.monotonic() >= self._next:
            self._next = time.monotonic() + SAY_AGAIN_SECONDS
            self._out.write(f"{doing}: {done}{f' of {all_}' if all_ else ''}")
        self._bar(done, all_ or None)
