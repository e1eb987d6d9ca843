"""Fill an empty installation with the demonstration; doing it again adds nothing."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.demo import people, seeding, voting


class Command(BaseCommand):
    help = "Import the demonstration, tile, generate, seed people and campaigns. Needs a worker."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--print-logins", action="store_true", help="only print who can log in, with the password")

    def handle(self, *args: Any, **options: Any) -> None:
        cast = people.seed_people()
        if options["print_logins"]:
            self.stdout.write(f"Log in as {', '.join(people.CAST)} with the password {people.password()}")
            return
        for line in steps(cast):
            self.stdout.write(line)


def steps(cast: dict[str, Any]) -> Any:
    """Each step of seeding, said when it is done."""
    maintainer = cast["max"]
    batch = seeding.import_demo(by=maintainer)
    yield f"questions imported: {batch.rows_accepted} of {batch.rows_read}"
    yield f"pictures tiled: {seeding.tile_pictures()}"
    edits = seeding.add_hand_edits(by=maintainer)
    run = seeding.generate(by=maintainer)
    yield f"candidates: {len(edits)} by hand, {run.questions.filter(state='candidate').count()} by the offline engine"
    simulated = [cast[name] for name in people.SIMULATED]
    practice = seeding.open_practice(by=maintainer, people=simulated, edits=edits)
    truths = voting.truths_of(practice, {pk: hand.truth for pk, hand in edits.items()})
    yield f"practice votes by simulated annotators: {voting.vote_all(campaign=practice, people=simulated, truths=truths)}"
    seeding.open_first_look(by=maintainer, people=[cast["ann"], cast["ben"], cast["cleo"]])
    yield "a campaign is open for ann, ben and cleo"
