"""Score a model's predictions on a release of this site, or on a release's folder without touching the database."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.evaluation import operations, queries, scoring
from annotation.evaluation.submissions import read_predictions
from annotation.management.verbs import VerbCommand, add_person, person
from annotation.releases.queries import release_by_version


class Command(VerbCommand):
    help = "Score predictions (JSONL: row_id, prediction, refused?, confidence?) on a release."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("predictions", type=Path, help="the JSONL file")
        parser.add_argument("--release", metavar="VERSION", help="submit on this release of the site")
        parser.add_argument("--folder", type=Path, help="or: a release's folder; nothing is stored")
        parser.add_argument("--model", default="", help="the model's name, for --release")
        add_person(parser, required=False)

    def perform(self, options: dict[str, Any]) -> dict[str, Any]:
        if (options["release"] is None) == (options["folder"] is None):
            raise CommandError("Name a release with --release, or its folder with --folder.", returncode=2)
        content = _read(options["predictions"])
        return _score_folder(options["folder"], content) if options["folder"] else _submit(options, content)

    def lines(self, outcome: dict[str, Any]) -> list[str]:
        overall = outcome["overall"]
        counts = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in overall["counts"].items())
        return [counts, *(_line(name, figure) for name, figure in overall["figures"].items())]


def _line(name: str, figure: dict[str, Any]) -> str:
    if figure["value"] is None:
        return f"{name:>20}  {figure['undefined']}"
    between = f"  ({figure['low']:.3f} to {figure['high']:.3f})" if figure["low"] is not None else ""
    return f"{name:>20}  {figure['value']:.3f}{between}  n={figure['items']}"


def _submit(options: dict[str, Any], content: bytes) -> dict[str, Any]:
    if not options["by"]:
        raise CommandError("Say who submits with --by.", returncode=2)
    release = release_by_version(options["release"])
    submission = operations.submit(release_key=release.key, model=options["model"], predictions=content, by=person(options))
    asked = operations.request_score(submission=submission)
    metrics: dict[str, Any] = operations.score(score_id=asked.pk).metrics
    return metrics


def _score_folder(folder: Path, content: bytes) -> dict[str, Any]:
    try:
        lines = [line for path in sorted(folder.glob("data/*.jsonl")) for line in path.read_bytes().splitlines()]
        golds = [queries.gold_of(json.loads(line)) for line in lines]
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise CommandError(f"{folder} is no release's folder: {fault!r}. Run verify_release on it.", returncode=2) from fault
    if not golds:
        raise CommandError(f"{folder} holds no data/*.jsonl. Name a release's folder.", returncode=3)
    return scoring.score(golds, read_predictions(content, {gold.row_id for gold in golds}))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise CommandError(f"The predictions cannot be read: {fault}.", returncode=2) from fault
