"""Take a picture down from the command line, or destroy again what a restored backup brought back."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation import work
from annotation.management.verbs import VerbCommand, add_person, person
from annotation.models import Takedown
from annotation.releases import operations


class Command(VerbCommand):
    help = "Take a picture down for good. With --again: destroy the bytes of all that was taken down before once more."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("key", nargs="?", help="the picture's key, as on its page")
        parser.add_argument("--asked-by", default="", help="who asks for it")
        parser.add_argument("--reason", default="", help="why")
        parser.add_argument("--again", action="store_true", help="after a backup was restored")
        add_person(parser)

    def perform(self, options: dict[str, Any]) -> dict[str, Any]:
        by = person(options)
        if options["again"] == bool(options["key"]):
            raise CommandError("Name the key of one picture, or --again for all that were taken down before.", returncode=2)
        if options["again"]:
            return {"pictures": [_finished(one) for one in Takedown.objects.select_related("image", "by").order_by("pk")]}
        told = {"reason": options["reason"], "asked_by": options["asked_by"]}
        takedown, _unit = operations.take_down(image_key=options["key"], by=by, **told)
        return {"pictures": [_finished(takedown)]}

    def lines(self, outcome: dict[str, Any]) -> list[str]:
        lines = [f"{one['image']}: {one['waits'] or 'bytes destroyed'}" for one in outcome["pictures"]]
        return lines or ["No picture was taken down before."]

    def well(self, outcome: dict[str, Any]) -> bool:
        return not any(one["waits"] for one in outcome["pictures"])


def _finished(takedown: Takedown) -> dict[str, Any]:
    """The outcome for one picture; `waits` says why its bytes are still there. A worker is sent to them in any case."""
    told = {"image": takedown.image.key, "takedown": takedown.key, "erased": 0, "waits": ""}
    try:
        return {**told, **operations.finish_takedown(takedown=takedown)}
    except (work.NotYet, work.PassingFailure) as early:
        return {**told, "waits": f"not yet: {early}"}
