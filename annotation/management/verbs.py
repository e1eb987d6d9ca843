"""What every command has in common: one verb, plain lines or JSON, and an exit code that says how it went.

Exit codes: 0 done; 1 the answer is no (a check failed); 2 the input is wrong; 3 there is no such thing; 4 it is in another
state; 5 not allowed.
"""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import DomainError
from annotation.models import Person

EXIT_CODES = {"invalid": 2, "mismatch": 2, "missing": 3, "conflict": 4, "forbidden": 5}
ANSWER_IS_NO = 1


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
            raise CommandError(refusal.message, returncode=EXIT_CODES[refusal.kind]) from refusal
        text = json.dumps(outcome, ensure_ascii=False) if options["json"] else "\n".join(self.lines(outcome))
        self.stdout.write(text)
        if not self.well(outcome):
            raise SystemExit(ANSWER_IS_NO)


def add_person(parser: CommandParser) -> None:
    """The option that names who acts."""
    parser.add_argument("--by", required=True, metavar="PSEUDONYM", help="the person who acts, by pseudonym")


def person(options: dict[str, Any]) -> Person:
    """Who acts; ends the command if there is no such person."""
    found = Person.objects.filter(pseudonym=options["by"]).first()
    if found is None:
        raise CommandError(f"There is no person {options['by']!r}. See the people page for pseudonyms.", returncode=3)
    return found
