"""Let somebody in."""

import sys
from getpass import getpass
from typing import Any

from django.core.management.base import CommandParser

from annotation.management import verbs
from annotation.management.verbs import VerbCommand
from annotation.models import Role
from annotation.people.operations import add_person, made_up_password


class Command(VerbCommand):
    help = "Add a person who can log in. The password is made up and printed once, or read with --password-stdin."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("log_in", metavar="LOG_IN", help="the name to log in with")
        parser.add_argument(
            "--role", dest="roles", action="append", required=True, choices=Role.values, help="may be given several times"
        )
        parser.add_argument("--pseudonym", default="", help="the name that acts; made up if left out, and never the log-in")
        parser.add_argument("--password-stdin", action="store_true", help="read the password, the first line of standard input")
        verbs.add_person(parser, required=False)

    def perform(self, options: dict[str, Any]) -> dict[str, Any]:
        """Without --by the journal says that the system did it, as for the first person of an installation."""
        by = verbs.person(options) if options["by"] else None
        made_up = "" if options["password_stdin"] else made_up_password()
        added = add_person(
            log_in=options["log_in"],
            password=made_up or _read_password(),
            roles=options["roles"],
            pseudonym=options["pseudonym"],
            by=by,
        )
        known = {"log_in": options["log_in"], "pseudonym": added.pseudonym, "roles": sorted(set(options["roles"]))}
        return known | ({"password": made_up} if made_up else {})

    def lines(self, outcome: dict[str, Any]) -> list[str]:
        added = f"{outcome['log_in']} can log in as {', '.join(outcome['roles'])} and acts as {outcome['pseudonym']}."
        if "password" not in outcome:
            return [added]
        return [added, f"Password, shown this once: {outcome['password']}", "It is changed at /accounts/password/change/."]


def _read_password() -> str:
    return getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
