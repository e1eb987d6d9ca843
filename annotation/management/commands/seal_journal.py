"""Seal the journal now."""

from typing import Any

from django.core.management.base import CommandParser

from annotation import journal
from annotation.management.verbs import VerbCommand
from annotation.wording import counted


class Command(VerbCommand):
    help = "Seal what the journal has had since its last checkpoint. Exit code 1 if --check finds a checkpoint that is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--check", action="store_true", help="read the whole journal and compare it with every checkpoint")

    def perform(self, options: dict[str, Any]) -> dict[str, Any]:
        sealed = 0
        while (checkpoint := journal.seal()) is not None:
            sealed += checkpoint.entries
        broken = journal.first_broken_checkpoint() if options["check"] else None
        return {"sealed": sealed, "checked": options["check"], "broken_at_entry": broken.last_entry if broken else None}

    def lines(self, outcome: dict[str, Any]) -> list[str]:
        said = [f"{counted(outcome['sealed'], 'entry', 'entries')} sealed"]
        if outcome["broken_at_entry"] is not None:
            return [*said, f"The journal no longer supports the checkpoint at entry {outcome['broken_at_entry']}."]
        return [*said, *(["all checkpoints hold"] if outcome["checked"] else [])]

    def well(self, outcome: dict[str, Any]) -> bool:
        return outcome["broken_at_entry"] is None
