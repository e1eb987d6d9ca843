"""Draft and build a release; publish it and write it to a folder where that is asked for."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.management.verbs import EXIT_CODES, VerbCommand, add_person, person
from annotation.models import Person, Release, ReleaseState
from annotation.releases import operations, queries
from annotation.releases.plans import DEFAULT_PLAN, DEMO_PLAN, arithmetic, plan_from_json, plan_to_json
from annotation.wording import counted

NAMED_PLANS = {"default": DEFAULT_PLAN, "demo": DEMO_PLAN}


class Command(VerbCommand):
    help = "Build a release from current decisions. A draft of that version that fell short before is tried again."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("version", help="the release's version, such as 1.0")
        parser.add_argument("--plan", help="default, demo, or a JSON file (a draft keeps the plan that it has)")
        parser.add_argument("--publish", action="store_true", help="publish it after its own check")
        parser.add_argument("--to", type=Path, metavar="FOLDER", help="write the release into this new folder")
        add_person(parser)

    def perform(self, options: dict[str, Any]) -> dict[str, Any]:
        by = person(options)
        if options["to"]:
            operations.require_new_folder(options["to"])
        release = _built(options["version"], options["plan"], by)
        if options["publish"]:
            release = operations.publish_release(release_key=release.key, by=by)
        if options["to"]:
            operations.export_release(release=release, folder=options["to"])
        return {
            "version": release.version,
            "state": str(release.state),
            "manifest_sha256": release.manifest_sha256,
            "plan": arithmetic(plan_from_json(release.plan)),
            "counts": queries.counts_of(release),
            "left_out": release.cut["left_out"] if release.cut else {},
            "folder": str(options["to"]) if options["to"] else None,
        }

    def lines(self, outcome: dict[str, Any]) -> list[str]:
        roles = [(split, role, number) for split, by_role in outcome["counts"].items() for role, number in by_role.items()]
        rows = [f"{split}: {counted(number, role)}" for split, role, number in roles]
        left_out = [f"left out, {reason}: {number}" for reason, number in outcome["left_out"].items() if number]
        written = [f"written to {outcome['folder']}"] if outcome["folder"] else []
        return [
            *(f"plan: {line}" for line in outcome["plan"]),
            *rows,
            *left_out,
            *written,
            f"release {outcome['version']} is {outcome['state']}; manifest sha256 {outcome['manifest_sha256']}",
        ]


def _built(version: str, plan: str | None, by: Person) -> Release:
    release = Release.objects.filter(version=version, state__in=[ReleaseState.DRAFT, ReleaseState.BUILDING]).first()
    if release is None:
        release = operations.draft_release(version=version, plan=_plan(plan or "default"), by=by)
    elif plan and plan_to_json(plan_from_json(_plan(plan))) != release.plan:
        named = release.plan["name"]
        message = f"There is a draft {version} with another plan ({named}). Choose another version, or leave out --plan."
        raise CommandError(message, returncode=EXIT_CODES["conflict"])
    operations.request_build(release_key=release.key, by=by)
    return operations.build_release(release_id=release.pk)


def _plan(name: str) -> object:
    if name in NAMED_PLANS:
        return plan_to_json(NAMED_PLANS[name])
    try:
        return json.loads(Path(name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise CommandError(
            f"The plan {name!r} cannot be read: {fault}. Name default, demo, or a JSON file.", returncode=2
        ) from fault
