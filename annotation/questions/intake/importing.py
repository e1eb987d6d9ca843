"""Importing a file of rows. First all of it is read into the table of waiting rows, or nothing stays; then the pictures
that were given are taken in, and the rows whose pictures are here become questions. The others wait for theirs.

A fault of the file aborts the import; a problem of a row rejects that row, with its line. The same file in the same way
again goes on where it was, or changes nothing.
"""

import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from annotation.errors import Invalid
from annotation.images import operations as image_operations
from annotation.models import Acquisition, AcquisitionState, ImportBatch, ImportState, Person, Source
from annotation.questions.intake.promoting import Promotion, promote_rows
from annotation.questions.intake.staging import Staging
from annotation.sources import operations as source_operations
from annotation.sources.choices import choices
from annotation.sources.faults import FileFault
from annotation.sources.fingerprints import fingerprint
from annotation.sources.layouts import LAYOUTS, Options, reading
from annotation.sources.licences import Licence
from annotation.sources.operations import AlreadyImported
from annotation.sources.records import described

READING, PICTURES, QUESTIONS = "reading", "pictures", "questions"
Progress = Callable[[str, int, int], None]


class UnknownFolder(Invalid):
    """The place of the pictures is neither a folder nor a zip archive."""

    code = "unknown-image-folder"


@dataclass(frozen=True, slots=True)
class Plan:
    """What one import was asked to do."""

    path: Path
    layout: str
    options: Options
    images: Path | None
    licences: Mapping[str, Licence]
    progress: Progress


def import_rows(
    *,
    source: Source,
    path: Path,
    layout: str,
    by: Person,
    images_dir: Path | None = None,
    options: Options | None = None,
    licences: Mapping[str, Licence] | None = None,
    progress: Progress | None = None,
    file_name: str = "",
) -> ImportBatch:
    """Import a file in one of the layouts of `sources.layouts`; the batch with its counts and problems.

    `file_name` is how people call the file, where its path says something else. `images_dir` is the folder, or the zip
    archive, that the rows' image paths start from; without it rows wait for pictures that are not here. `progress` hears
    (what is being done, done, all), where all is 0 if nobody knows.
    Raises FileFault (the aborted batch is kept), AlreadyImported, ImportUnderWay, UnknownFolder.
    """
    if images_dir is not None and not (images_dir.is_dir() or zipfile.is_zipfile(images_dir)):
        raise UnknownFolder(
            f"{images_dir.name} is no folder and no zip archive: name the one that the image paths start from.", field="images"
        )
    plan = Plan(path, layout, options or Options(), images_dir, licences or {}, progress or _unheard)
    reading(path, layout, plan.options)  # refuses a layout that there is not, before anything is written
    batch = source_operations.open_batch(
        source=source,
        file=replace(fingerprint(path), name=file_name or path.name),
        importer=layout,
        version=LAYOUTS[layout].version,
        options=choices(plan.options),
        by=by,
    )
    with source_operations.held(batch):
        return _gone_on_with(batch, plan)


def _unheard(doing: str, done: int, all_: int) -> None:
    """Nobody asked how far it is."""


def _gone_on_with(batch: ImportBatch, plan: Plan) -> ImportBatch:
    """Whatever is left to do, from wherever the batch stands."""
    done_before = batch.state == ImportState.DONE
    if batch.state == ImportState.READING:
        _read(batch, plan)
    if plan.images is not None and batch.rows_waiting:
        _take_in_pictures(batch, plan.images, plan)
    settled = _promote(batch, plan)
    if done_before and not settled.rows:
        raise AlreadyImported(batch)
    return source_operations.finish_batch(batch=batch)


def _read(batch: ImportBatch, plan: Plan) -> None:
    def told(line: int) -> None:
        plan.progress(READING, line, max(line, batch.file_lines) if batch.file_lines > 1 else 0)

    try:
        options = _settled_options(batch, plan)
        file = reading(plan.path, plan.layout, options, after=max(0, batch.staged_line - 1))
        Staging(batch, told).take_all(file)
    except FileFault as fault:
        named = type(fault)(fault.message.replace(plan.path.name, batch.file_name), field=fault.field)
        source_operations.abort_batch(batch=batch, fault=named)
        raise named from fault
    source_operations.read_whole(batch=batch)


def _settled_options(batch: ImportBatch, plan: Plan) -> Options:
    """The options with the form and the encoding that the file was found to have: looked for once, and kept."""
    if LAYOUTS[plan.layout].opening is not None or plan.path.is_dir():
        return plan.options
    if batch.staged_line and batch.encoding:
        return replace(plan.options, encoding=batch.encoding)
    found = described(plan.path, form=plan.options.form, encoding=plan.options.encoding)
    ImportBatch.objects.filter(pk=batch.pk).update(encoding=found.encoding)
    batch.encoding = found.encoding
    return replace(plan.options, form=found.form, encoding=found.encoding or None)


def _take_in_pictures(batch: ImportBatch, images: Path, plan: Plan) -> None:
    """Take from a folder or an archive what the batch's rows wait for, whosever pictures these are."""
    waiting = Acquisition.objects.filter(waiting__batch=batch, state=AcquisitionState.WANTED, host="")
    for source in Source.objects.filter(pk__in=set(waiting.values_list("source_id", flat=True))).order_by("pk"):
        count = waiting.filter(source=source).values("pk").distinct().count()
        for done, _ in enumerate(_arrivals(source, images, batch.by, plan.licences)):
            plan.progress(PICTURES, done, max(count, done))


def _arrivals(source: Source, images: Path, by: Person, licences: Mapping[str, Licence]) -> Iterator[image_operations.Arrival]:
    if images.is_dir():
        return image_operations.acquire_from_folder(source=source, folder=images, by=by, licences=licences)
    return image_operations.acquire_from_zip(source=source, archive=images, by=by, licences=licences)


def _promote(batch: ImportBatch, plan: Plan) -> Promotion:
    done, waiting = 0, ImportBatch.objects.values_list("rows_waiting", flat=True).get(pk=batch.pk)

    def told(rows: int) -> None:
        nonlocal done
        done += rows
        plan.progress(QUESTIONS, done, waiting)

    return promote_rows(batch=batch, told=told)
