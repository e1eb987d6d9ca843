"""What every command has in common: one verb, plain lines or JSON, and an exit code that says how it went.

Exit codes: 0 done; 1 the answer is no (a check failed, nothing of an import could be taken); 2 the input is wrong; 3 there
is no such thing; 4 it is in another state; 5 not allowed; 6 done in part (some rows or pictures of an import were rejected).
"""

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation import access
from annotation.errors import DomainError
from annotation.models import Person

EXIT_CODES = {"invalid": 2, "mismatch": 2, "missing": 3, "conflict": 4, "forbidden": 5}
ANSWER_IS_NO, DONE_IN_PART = 1, 6


class VerbCommand(BaseCommand):
    """A command that calls one verb (`perform`) and shows what came of it, as `lines` or as JSON."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the outcome as one JSON object")

    def perform(self, options: dict[str, Any]) -> dict[str, Any]:
        """Call the verb; the outcome as JSON. A DomainError ends the command with its message and exit code."""
        raise NotImplementedError

    def lines(self, outcome: dict[str, Any]) -> list[str]:
        """The outcome for people."""
        raise NotImplementedError

    def well(self, outcome: dict[str, Any]) -> bool:
        """Whether the exit code is 0."""
        return True

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            outcome = self.perform(options)
        except DomainError as refusal:
            raise refused(refusal) from refusal
        text = json.dumps(outcome, ensure_ascii=False) if options["json"] else "\n".join(self.lines(outcome))
        self.stdout.write(text)
        if not self.well(outcome):
            raise SystemExit(ANSWER_IS_NO)


def refused(refusal: DomainError) -> CommandError:
    """The end of a command whose verb refused."""
    return CommandError(refusal.message, returncode=EXIT_CODES[refusal.kind])


def add_person(parser: ArgumentParser, *, required: bool = True) -> None:
    """The option that names who acts."""
    help_ = "the maintainer who acts, by log-in or pseudonym"
    parser.add_argument("--by", "--as", dest="by", required=required, metavar="PERSON", help=help_)


def person(options: Mapping[str, Any]) -> Person:
    """Who acts; ends the command if there is no such person, or if their roles do not include it."""
    named = options["by"]
    people = Person.objects.select_related("user")
    found = people.filter(pseudonym=named).first() or people.filter(user__username=named).first()
    if found is None:
        raise CommandError(f"There is no person {named!r}. Name a maintainer by log-in or pseudonym.", returncode=3)
    try:
        return access.require(found.user or AnonymousUser(), "maintain")
    except DomainError as refusal:
        raise CommandError(f"{named} may not do this. Name a maintainer.", returncode=EXIT_CODES[refusal.kind]) from refusal
