"""Copy all that is stored to another storage; run it again after anything, and it goes on."""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from annotation.management import importing
from annotation.management.verbs import DONE_IN_PART
from annotation.storage import Storage, StorageFault, storage_at, store
from annotation.storage.moving import Moved, move
from annotation.storage.probing import probe

SHOWN = 20


class Command(BaseCommand):
    help = (
        "Copy everything from STORAGE_URL to another storage, compared as it arrives; nothing is deleted. What came "
        "meanwhile is copied by running it again. Exit code 0: all is there; 6: some is not, or it broke off; 2: bad URL; "
        "4: the other storage cannot be used or is not private."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", required=True, metavar="URL", help="the other storage, written as STORAGE_URL is")
        parser.add_argument("--compare", action="store_true", help="compare every byte of what is there already")
        parser.add_argument("--json", action="store_true", help="print the outcome as one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        source, target = store(), _target(options["to"])
        if source.where == target.where:
            raise CommandError("--to names the storage that is in use: there is nothing to move.", returncode=2)
        if faults := [finding for finding in probe(target) if finding.kind in ("unusable", "public")]:
            raise CommandError(f"{faults[0].what} {faults[0].remedy}", returncode=4)
        outcome = self._moved(move(source, target, compare=options["compare"]))
        importing.say(self.stdout, {"from": source.where, "to": target.where, **outcome}, as_json=options["json"])  # type: ignore[arg-type]
        if outcome["refused"] or outcome["broke_off"]:
            sys.exit(DONE_IN_PART)

    def _moved(self, steps: Iterator[Moved]) -> dict[str, Any]:
        counts, refusals, copied, broke_off = Counter[str](), list[dict[str, str]](), 0, ""
        try:
            with importing.Bar("objects") as bar:
                for done, one in enumerate(steps, 1):
                    counts[one.state] += 1
                    copied += one.size if one.state == "copied" else 0
                    if one.reason and len(refusals) < SHOWN:
                        refusals.append({"key": one.key, "reason": one.reason})
                    bar(done, None)
        except StorageFault as fault:
            broke_off = str(fault)
        states = ("copied", "there", "foreign", "refused")
        return {**{name: counts[name] for name in states}, "bytes": copied, "refusals": refusals, "broke_off": broke_off}


def _target(url: str) -> Storage:
    try:
        return storage_at(url)
    except ImproperlyConfigured as refusal:
        raise CommandError(str(refusal).replace("STORAGE_URL", "--to"), returncode=2) from refusal
