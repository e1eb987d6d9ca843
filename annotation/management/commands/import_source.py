"""Import a file of questions with their pictures."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from annotation.errors import DomainError
from annotation.management import importing
from annotation.management.verbs import person, refused
from annotation.models import ImportBatch
from annotation.questions.intake import import_rows
from annotation.sources import queries
from annotation.sources.layouts import LAYOUTS
from annotation.sources.operations import AlreadyImported

SHOWN = 20


class Command(BaseCommand):
    help = (
        "Import a file of questions with their pictures: JSON lines or a JSON list. Bad rows are rejected with their line. "
        "Exit code 0: all rows came in; 1: every row was rejected; 6: some rows were rejected; 2 to 5: nothing was read."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--images", type=Path, required=True, metavar="FOLDER", help="where the rows' image paths start")
        parser.add_argument("--layout", choices=sorted(LAYOUTS), default="generic")
        importing.add_shared_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            batch, repeated = self._imported(options)
        except DomainError as refusal:
            raise refused(refusal) from refusal
        importing.say(self.stdout, _outcome(batch, repeated), as_json=options["json"])  # type: ignore[arg-type]
        if repeated and batch.rows_rejected:
            self.stderr.write("This very file is read only once. Save the rows that were rejected as a file of their own.")
        importing.end(taken=batch.rows_accepted + batch.rows_known, rejected=batch.rows_rejected)

    def _imported(self, options: dict[str, Any]) -> tuple[ImportBatch, bool]:
        by = person(options)
        source = importing.source_named(options, by)
        try:
            with importing.Bar("pictures") as bar:
                batch = import_rows(
                    source=source,
                    path=options["file"],
                    layout=options["layout"],
                    images_dir=options["images"],
                    by=by,
                    licences=importing.licences_of(options),
                    progress=bar,
                )
        except AlreadyImported as known:
            return known.batch, True
        return batch, False


def _outcome(batch: ImportBatch, repeated: bool) -> dict[str, Any]:
    problems = queries.problems(batch).values("line", "field", "value", "reason")[:SHOWN]
    return {
        "imported before": repeated,
        "rows read": batch.rows_read,
        "accepted": batch.rows_accepted,
        "known": batch.rows_known,
        "rejected": batch.rows_rejected,
        "problems": list(problems),
    }
