"""Compare pictures by the rule as it is now, and gather copies into clusters."""

from typing import Any

from django.core.management.base import CommandParser

from annotation.errors import DomainError
from annotation.images import operations
from annotation.images.looks import VERSION
from annotation.management import importing
from annotation.management.verbs import VerbCommand, add_person, person
from annotation.models import Image

SHOWN = 20


class Command(VerbCommand):
    help = (
        "Make the looks of tiled pictures that have none by the present rule, find their copies, and derive all clusters "
        "anew; what people ruled stays. It may be stopped and run again. Exit code 1: some pictures could not be looked at."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_person(parser)

    def perform(self, options: dict[str, Any]) -> dict[str, Any]:
        by, failures, made = person(options), list[dict[str, str]](), 0
        waiting = list(operations.unlooked().values_list("pk", flat=True))
        with importing.Bar("pictures") as bar:
            for done, pk in enumerate(waiting, 1):
                image = Image.objects.get(pk=pk)
                try:
                    operations.relook(image=image)
                    made += 1
                except DomainError as refusal:
                    failures.append({"image": image.key, "reason": refusal.message})
                bar(done, len(waiting))
        changed = operations.settle_all(by=by, made=made)
        return {"rule": VERSION, "looks": made, "failed": len(failures), "changed": changed, "failures": failures[:SHOWN]}

    def lines(self, outcome: dict[str, Any]) -> list[str]:
        counts = [f"{name}: {outcome[name]}" for name in ("rule", "looks", "failed", "changed")]
        return counts + [f"  {one['image']}: {one['reason']}" for one in outcome["failures"]]

    def well(self, outcome: dict[str, Any]) -> bool:
        return not outcome["failed"]
