"""Get the pictures that a source's rows name: from their addresses, a folder, a zip archive, or a bucket."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.images import queries
from annotation.images.operations import (
    AGAIN,
    FETCH_KIND,
    Arrival,
    acquire_by_address,
    acquire_from_folder,
    acquire_from_prefix,
    acquire_from_zip,
    ask_again,
)
from annotation.management import importing
from annotation.management.verbs import add_person, person, refused
from annotation.models import Person, Source
from annotation.questions.intake import promote_rows
from annotation.storage import StorageFault
from annotation.storage.shelves import shelf_at
from annotation.tasks.draining import drain

SHOWN = 20
PATIENCE_SECONDS = 600


class Command(BaseCommand):
    help = (
        "Get the pictures that the rows of a source name and that are not here yet; run it again and it goes on where it "
        "stopped. Without --folder, --zip or --prefix the addresses are asked. Exit code 0: all that were found came in; 1: none "
        "could be taken; 6: some were refused, gone or not handed out; 2 to 5: nothing was tried."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--source", required=True, metavar="KEY", help="the source whose pictures are wanted")
        add_person(parser)
        place = parser.add_mutually_exclusive_group()
        place.add_argument("--folder", type=Path, help="look below this folder for the names")
        place.add_argument("--zip", type=Path, metavar="FILE", help="look in this archive for the names")
        place.add_argument("--prefix", metavar="S3-URL", help="look below s3://bucket/folder/ on the storage's own server")
        parser.add_argument("--below", default="", metavar="PREFIX", help="the archive's folder that names begin in, with its /")
        parser.add_argument("--licences", type=Path, metavar="TSV", help="table of the pictures' authors and licences")
        parser.add_argument("--retry", default="", metavar="STATES", help=f"ask again for these: {','.join(sorted(AGAIN))}")
        parser.add_argument("--jobs", type=int, default=4, help="addresses asked at the same time (default: 4)")
        parser.add_argument("--queue-only", action="store_true", help="leave the addresses to the workers")
        parser.add_argument(
            "--patience", type=float, default=PATIENCE_SECONDS, metavar="SECONDS", help="how long to wait for hosts"
        )
        parser.add_argument("--json", action="store_true", help="print the outcome as one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            outcome = self._get(options)
        except DomainError as refusal:
            raise refused(refusal) from refusal
        except StorageFault as fault:
            raise CommandError(f"{fault} What came in is kept; run it again, and it goes on.", returncode=6) from fault
        importing.say(self.stdout, outcome, as_json=options["json"])  # type: ignore[arg-type]
        importing.end(taken=outcome["stored"], rejected=sum(outcome[state] for state in AGAIN))

    def _get(self, options: dict[str, Any]) -> dict[str, Any]:
        by, source = person(options), _source(options["source"])
        if options["retry"]:
            ask_again(by=by, states=options["retry"].split(","), source=source)
        arrivals = _arrivals(source, by, options)
        outcome = _fetched(source, by, options) if arrivals is None else _taken(source, arrivals)
        return {**outcome, "questions": promote_rows(source=source).accepted}


def _source(key: str) -> Source:
    found = Source.objects.filter(key=key).first()
    if found is None:
        raise CommandError(f"There is no source {key!r}: import its rows first, with import_source.", returncode=3)
    return found


def _arrivals(source: Source, by: Person, options: dict[str, Any]) -> Iterator[Arrival] | None:
    """The pictures of the place that was named; None where none was."""
    licences = importing.licences_of(options)
    if options["prefix"]:
        shelf, prefix = shelf_at(options["prefix"])
        return acquire_from_prefix(source=source, shelf=shelf, prefix=prefix, by=by, licences=licences)
    if options["folder"]:
        folder = _found(options["folder"], "folder", options["folder"].is_dir())
        return acquire_from_folder(source=source, folder=folder, by=by, licences=licences)
    if options["zip"]:
        archive = _found(options["zip"], "file", options["zip"].is_file())
        return acquire_from_zip(source=source, archive=archive, by=by, below=options["below"], licences=licences)
    return None


def _found(place: Path, kind: str, is_there: bool) -> Path:
    if not is_there:
        raise CommandError(f"{place} is no {kind}. Name the one with the pictures.", returncode=3)
    return place


def _taken(source: Source, arrivals: Iterable[Arrival]) -> dict[str, Any]:
    """What came of a folder or an archive."""
    counts, refusals = Counter[str](), list[dict[str, str]]()
    wanted = queries.progress(source=source).left
    with importing.Bar("pictures") as bar:
        for done, arrival in enumerate(arrivals, 1):
            counts[arrival.state] += 1
            if arrival.reason and len(refusals) < SHOWN:
                refusals.append({"name": arrival.name, "reason": arrival.reason})
            bar(done, max(done, wanted))
    return _outcome(counts, source, refusals)


def _fetched(source: Source, by: Person, options: dict[str, Any]) -> dict[str, Any]:
    """What came of the addresses by now, by the difference in the counts: workers may do part of it."""
    before = queries.progress(source=source)
    queued, waits = acquire_by_address(by=by, source=source), None
    if not options["queue_only"]:
        payload = {"source_id": source.pk}
        with importing.Bar("pictures") as bar, suppress(KeyboardInterrupt):
            tick = partial(_show, bar, source, before.left)
            waits = drain(kind=FETCH_KIND, payload=payload, jobs=options["jobs"], patience=options["patience"], tick=tick)
    after = queries.progress(source=source)
    counts = Counter({state: max(0, count - before.counts[state]) for state, count in after.counts.items()})
    later = {} if waits is None else {"next_attempt_in_seconds": round(waits)}
    return {"queued": queued, **_outcome(counts, source, _refusals(source)), **later}


def _show(bar: importing.Bar, source: Source, all_: int) -> None:
    if bar.is_due():
        bar(all_ - queries.progress(source=source).left, all_)


def _outcome(counts: Counter[str], source: Source, refusals: list[dict[str, str]]) -> dict[str, Any]:
    states = ("stored", "gone", "mismatch", "refused", "throttled", "absent")
    left = queries.progress(source=source).left
    return {**{state: counts[state] for state in states}, "still_wanted": left, "refusals": refusals}


def _refusals(source: Source) -> list[dict[str, str]]:
    rows = queries.acquisitions(source=source).filter(state__in=AGAIN).order_by("-pk")[:SHOWN]
    return [{"name": row.name, "reason": row.reason} for row in rows]
