"""Import a file of questions, with or without their pictures."""

import json
from argparse import ArgumentParser, BooleanOptionalAction
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.management import importing
from annotation.management.verbs import person, refused
from annotation.models import ImportBatch, Source
from annotation.questions.intake import FAILED, Trial, import_rows, pictures_waited_for, waiting_rows
from annotation.sources import queries
from annotation.sources.layouts import LAYOUTS, Options
from annotation.sources.operations import AlreadyImported
from annotation.sources.previews import preview

SHOWN = 20
PREVIEWED = 5
MOST_IDS_BYTES = 64 << 20
MAPPED, GENERIC = "mapped", "generic"
MAPPING_PARTS = ("mapping", "constants", "split")


class Command(BaseCommand):
    help = (
        "Import a file of questions: JSON lines, a JSON list, CSV, Parquet, or a Hugging Face dataset folder. Bad rows are "
        "rejected with their line; rows whose pictures are not here wait for them. A run that was stopped goes on when it is "
        "started again. Exit code 0: all rows came in or wait; 1: every row was rejected; 6: some rows were rejected, or "
        "have no picture; 2 to 5: nothing was read; 130: stopped, and can go on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("places", nargs="+", metavar="SOURCE FILE", help="the source's key, and the file or folder")
        importing.add_shared_arguments(parser, required=False)
        parser.add_argument("--images", type=Path, metavar="FOLDER|ZIP", help="where the rows' image paths start")
        parser.add_argument("--layout", choices=sorted(LAYOUTS), help="default: the source's own, else generic")
        parser.add_argument("--form", metavar="FORM", help="jsonl, json, csv, tsv, parquet or dataset, if not by content")
        parser.add_argument("--encoding", help="of a text, if not by content")
        parser.add_argument("--mapping", metavar="JSON|FILE", help='columns by hand: {"column": "field", ...}')
        parser.add_argument("--ids", type=Path, metavar="FILE", help="only the rows with these ids, one a line")
        parser.add_argument("--templates", default="", metavar="IDS", help="wordings of a source without questions")
        parser.add_argument("--root", type=Path, metavar="FOLDER", help="files beside the pictures (default: --images)")
        parser.add_argument(
            "--only-without-search",
            action=BooleanOptionalAction,
            default=True,
            help="leave out rows that need a web search",
        )
        parser.add_argument("--dry-run", action="store_true", help="read, say what would come in, and write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        key, path = _places(options)
        options["source"] = key
        layout = options["layout"] or (MAPPED if options["mapping"] else _layout_of(key))
        try:
            chosen = _chosen(options)
            if options["dry_run"]:
                self._preview(path, layout, chosen, options)
            else:
                self._import(path, layout, chosen, options)
        except DomainError as refusal:
            raise refused(refusal) from refusal

    def _preview(self, path: Path, layout: str, chosen: Options, options: dict[str, Any]) -> None:
        source = Source.objects.filter(key=options["source"]).first()
        found = preview(path, layout, chosen, rows=PREVIEWED, judge=Trial(source))
        importing.say(self.stdout, found.as_json(), as_json=options["json"])  # type: ignore[arg-type]
        importing.end(taken=found.accepted + found.known, rejected=found.rejected)

    def _import(self, path: Path, layout: str, chosen: Options, options: dict[str, Any]) -> None:
        try:
            batch, repeated = self._imported(path, layout, chosen, options)
        except KeyboardInterrupt as stop:
            raise CommandError(
                "Stopped. Nothing is lost: run the same command again and it goes on where it was.",
                returncode=importing.STOPPED,
            ) from stop
        waiting = pictures_waited_for(batch)
        importing.say(self.stdout, _outcome(batch, repeated, waiting), as_json=options["json"])  # type: ignore[arg-type]
        if repeated and batch.rows_rejected:
            self.stderr.write("This very file is read only once. Save the rows that were rejected as a file of their own.")
        lost = sum(count for state, count in waiting.items() if options["images"] or state in FAILED)
        taken = batch.rows_accepted + batch.rows_known + batch.rows_left_out + batch.rows_waiting - lost
        importing.end(taken=taken, rejected=batch.rows_rejected + lost)

    def _imported(self, path: Path, layout: str, chosen: Options, options: dict[str, Any]) -> tuple[ImportBatch, bool]:
        if options["by"] is None:
            raise CommandError("Name the maintainer who imports, with --by.", returncode=2)
        by = person(options)
        source = importing.source_named(options, by)
        try:
            with importing.Stages(self.stderr) as stages:  # type: ignore[arg-type]
                batch = import_rows(
                    source=source,
                    path=path,
                    layout=layout,
                    images_dir=options["images"],
                    by=by,
                    options=chosen,
                    licences=importing.licences_of(options),
                    progress=stages,
                )
        except AlreadyImported as known:
            return known.batch, True
        return batch, False


def _places(options: dict[str, Any]) -> tuple[str, Path]:
    """SOURCE FILE, or FILE alone where --source names the source."""
    places = options["places"] if options["source"] is None else [options["source"], *options["places"]]
    if len(places) != 2:
        raise CommandError("Name the source and the file: import_source SOURCE FILE.", returncode=2)
    return places[0], Path(places[1])


def _layout_of(source: str) -> str:
    return next((layout.key for layout in LAYOUTS.values() if layout.source_key == source), GENERIC)


def _chosen(options: dict[str, Any]) -> Options:
    ids = frozenset(line.strip() for line in _text(options["ids"]).splitlines() if line.strip()) if options["ids"] else ()
    if options["ids"] and not ids:
        raise CommandError(f"There is no id in {options['ids']}.", returncode=2)
    return Options(
        ids=frozenset(ids),
        only_without_search=options["only_without_search"],
        templates=tuple(one.strip() for one in options["templates"].split(",") if one.strip()),
        root=options["root"] or (options["images"] if options["images"] and options["images"].is_dir() else None),
        form=options["form"],
        encoding=options["encoding"],
        **(_mapping(options["mapping"]) if options["mapping"] else {}),
    )


def _mapping(given: str) -> dict[str, dict[str, str]]:
    """{"column": "field"}, or an object with `mapping`, `constants` and `split`; as it stands or in a file."""
    text = given if given.lstrip().startswith("{") else _text(Path(given))
    try:
        found = json.loads(text)
    except ValueError as error:
        raise CommandError(f"The mapping is no JSON object: {error}.", returncode=2) from error
    parts = found if isinstance(found, dict) and isinstance(found.get("mapping"), dict) else {"mapping": found}
    flat = all(isinstance(part, dict) and all(isinstance(one, str) for one in part.values()) for part in parts.values())
    if not flat or not parts.keys() <= set(MAPPING_PARTS):
        raise CommandError('The mapping is no JSON object such as {"column": "field"}.', returncode=2)
    return parts


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_IDS_BYTES:
            raise CommandError(f"{path} is too large.", returncode=2)
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read as UTF-8.", returncode=2) from error


def _outcome(batch: ImportBatch, repeated: bool, waiting: dict[str, int]) -> dict[str, Any]:
    lost = waiting_rows(batch).filter(acquisition__state__in=FAILED)[:SHOWN] if FAILED & waiting.keys() else []
    return {
        "imported_before": repeated,
        "layout": batch.importer,
        "encoding": batch.encoding,
        "read": batch.rows_read,
        "accepted": batch.rows_accepted,
        "known": batch.rows_known,
        "waiting": batch.rows_waiting,
        "left_out": batch.rows_left_out,
        "rejected": batch.rows_rejected,
        "problems": list(queries.problems(batch).values("line", "field", "value", "reason")[:SHOWN]),
        "pictures": [
            {"line": row.line, "image": row.acquisition.name, "state": row.acquisition.state, "reason": row.acquisition.reason}
            for row in lost
        ],
    }
