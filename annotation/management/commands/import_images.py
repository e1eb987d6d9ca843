"""Take in a folder of pictures."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.images.operations import OtherBytes, Refused, take_in
from annotation.management import importing
from annotation.management.verbs import person, refused
from annotation.questions.intake import promote_rows
from annotation.sources.faults import shown
from annotation.sources.layouts.naming import image_path
from annotation.sources.layouts.shape import Unfit

SHOWN = 20


class Command(BaseCommand):
    help = (
        "Take in all pictures of a folder and those below it, and queue them for tiling. "
        "Exit code 0: all were taken; 1: none could be; 6: some were refused; 2 to 5: the folder was not looked at."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        importing.add_shared_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            taken, rejected = self._take(options)
        except DomainError as refusal:
            raise refused(refusal) from refusal
        outcome = {"pictures": len(taken), "refused": len(rejected), "refusals": rejected[:SHOWN]}
        importing.say(self.stdout, outcome, as_json=options["json"])  # type: ignore[arg-type]
        importing.end(taken=len(taken), rejected=len(rejected))

    def _take(self, options: dict[str, Any]) -> tuple[set[int], list[dict[str, str]]]:
        """The ids of the images, and the files that are none."""
        folder: Path = options["folder"]
        by = person(options)
        names = _names(folder)
        source, licences = importing.source_named(options, by), importing.licences_of(options)
        taken: set[int] = set()
        rejected: list[dict[str, str]] = []
        with importing.Bar("pictures") as bar:
            for done, name in enumerate(names):
                bar(done, len(names))
                licence = licences.get(name) or licences.get(Path(name).name)
                try:
                    image_path(name)
                    taken.add(take_in(path=folder / name, by=by, source=source, name=name, licence=licence).pk)
                except (Refused, OtherBytes) as refusal:
                    rejected.append({"file": name, "reason": refusal.message})
                except Unfit as unfit:
                    rejected.append({"file": shown(name), "reason": str(unfit)})
        promote_rows(source=source)
        return taken, rejected


def _names(folder: Path) -> list[str]:
    """The files below a folder by path, without links and hidden files; raises CommandError where there are none."""
    if not folder.is_dir():
        raise CommandError(f"{folder} is no folder. Name the one that holds the pictures.", returncode=3)
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    names = [path.relative_to(folder).as_posix() for path in found]
    names = [name for name in names if not any(part.startswith(".") for part in name.split("/"))]
    if not names:
        raise CommandError(f"There is no file in {folder}. Name the folder that holds the pictures.", returncode=2)
    return names
