"""Check a release's folder, or the stored files of one, against its manifest."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.management.verbs import VerbCommand
from annotation.releases import operations, queries
from annotation.releases.verify import verify


class Command(VerbCommand):
    help = "Check that a release is what its manifest says. Exit code 0 if nothing failed, 1 otherwise."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", nargs="?", type=Path, help="a release's folder")
        parser.add_argument("--stored", metavar="VERSION", help="check what is stored of this version instead")
        parser.add_argument("--expect", metavar="SHA256", help="the published sha256 of the manifest")

    def perform(self, options: dict[str, Any]) -> dict[str, Any]:
        if (options["folder"] is None) == (options["stored"] is None):
            raise CommandError("Name a folder, or a version with --stored.", returncode=2)
        if options["stored"]:
            report = operations.check_release(queries.release_by_version(options["stored"]), expect=options["expect"])
        else:
            if not options["folder"].is_dir():
                raise CommandError(f"{options['folder']} is no folder. Name that of a release.", returncode=3)
            report = verify(options["folder"], expect=options["expect"])
        return {"sound": report.sound, "checks": [asdict(check) for check in report.checks]}

    def lines(self, outcome: dict[str, Any]) -> list[str]:
        checks = [
            f"{check['state']:>11}  {check['name']}" + (f": {check['detail']}" if check["detail"] else "")
            for check in outcome["checks"]
        ]
        sound = "The release is what its manifest says." if outcome["sound"] else "This is NOT what the manifest describes."
        return [*checks, sound]

    def well(self, outcome: dict[str, Any]) -> bool:
        return bool(outcome["sound"])
