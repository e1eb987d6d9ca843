"""Walk the whole pipeline once and say what each step did; exit 1 with the step that failed."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.demo.walk import Walk, walk
from annotation.errors import DomainError


class Command(BaseCommand):
    help = "Import, tile, generate, vote, decide, adjudicate, release, verify, score. Needs a worker and an empty database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--stop-after", metavar="STEP", help="end after this step")

    def handle(self, *args: Any, **options: Any) -> None:
        state = Walk()
        for name, step in walk():
            said = ""
            try:
                said = step(state)
            except DomainError as refusal:
                raise CommandError(f"{name} failed: {refusal.message}") from refusal
            finally:
                self.stdout.write(f"{name:<13} {said or 'failed'}")
            if name == options["stop_after"]:
                return
        self.stdout.write("demo-check    everything held")
