"""Where the bytes are, how much there is, whether they can be used and are private; on demand, whether all are there."""

import sys
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotation.management import importing
from annotation.management.stored import differences
from annotation.management.verbs import ANSWER_IS_NO
from annotation.storage import Storage, StorageFault, store
from annotation.storage.blocks import WithBlocks
from annotation.storage.probing import probe

SHOWN = 20


class Command(BaseCommand):
    help = (
        "Say where stored bytes are, how many, and what is wrong with the place: it is tried out. Exit code 0: all is well; "
        "1: the storage cannot be used, is not private, or (with --verify) lacks something; 3: STORAGE_URL names none."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--verify", action="store_true", help="compare what is stored with what the tables name")
        parser.add_argument("--json", action="store_true", help="print the outcome as one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        storage = store()
        findings = probe(storage)
        outcome: dict[str, Any] = {
            "where": storage.where,
            "usable": all(finding.kind != "unusable" for finding in findings),
            "private": all(finding.kind not in ("public", "open") for finding in findings),
            "faults": [{"what": finding.what, "remedy": finding.remedy} for finding in findings],
        }
        if outcome["usable"]:
            outcome |= _looked_through(storage, verify=options["verify"])
        importing.say(self.stdout, outcome, as_json=options["json"])  # type: ignore[arg-type]
        if not outcome["usable"] or not outcome["private"] or outcome.get("missing"):
            sys.exit(ANSWER_IS_NO)


def _looked_through(storage: Storage, *, verify: bool) -> dict[str, Any]:
    try:
        return {**_amounts(storage), **_kept(storage), **(_compared(storage) if verify else {})}
    except StorageFault as fault:
        raise CommandError(str(fault), returncode=ANSWER_IS_NO) from fault


def _amounts(storage: Storage) -> dict[str, Any]:
    """Objects and bytes below each folder, and of all."""
    objects, sizes = Counter[str](), Counter[str]()
    with importing.Bar("objects") as bar:
        for done, one in enumerate(storage.entries(), 1):
            folder = one.key.partition("/")[0]
            objects[folder] += 1
            sizes[folder] += one.size
            if bar.is_due():
                bar(done, None)
    folders = [{"folder": name, "objects": objects[name], "bytes": sizes[name]} for name in sorted(objects)]
    return {"objects": objects.total(), "bytes": sizes.total(), "folders": folders}


def _kept(storage: Storage) -> dict[str, Any]:
    """How much of a bucket's pyramids this machine keeps."""
    if not isinstance(storage, WithBlocks):
        return {}
    return {"kept_here_bytes": storage.blocks.size(), "kept_here_at_most": settings.STORAGE_CACHE_BYTES}


def _compared(storage: Storage) -> dict[str, Any]:
    kinds, shown = Counter[str](), list[dict[str, str]]()
    for difference in differences(storage):
        kinds[difference.kind] += 1
        if difference.kind != "unnamed" and len(shown) < SHOWN:
            shown.append({"key": difference.key, "is": difference.kind})
    remedy = "Restore them from a backup, or take the pictures in again: fetch_images, import_images."
    lost = kinds["missing"] + kinds["other-size"]
    return {"missing": lost, "unnamed": kinds["unnamed"], "lost": shown, **({"remedy": remedy} if lost else {})}
