"""Reading a file into the table of waiting rows: a chunk at a time, each committed together with how far it goes.

Memory stays that of a few chunks. A reading that was cut off, by whatever, goes on behind the last chunk.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress

from django.db import connection, transaction

from annotation.errors import Invalid
from annotation.images import operations as image_operations
from annotation.models import Acquisition, AcquisitionState, ImportBatch, Source
from annotation.questions.intake import copying
from annotation.questions.intake.chunks import Chunk, ahead, chunks
from annotation.sources.layouts import Reading
from annotation.sources.rows import Wanted

MOST_REASONS = 50
COPY_ROWS = f"COPY imported_row ({', '.join(copying.ROW_COLUMNS)}) FROM STDIN"
COPY_PROBLEMS = f"COPY import_problem ({', '.join(copying.PROBLEM_COLUMNS)}) FROM STDIN"
COUNTS = ("rows_read", "rows_waiting", "rows_rejected", "rows_left_out", "left_out", "ignored")
ADVANCED = ("staged_line", "staged_on_line", *COUNTS)

Told = Callable[[int], None]
MOST_NAMES = 100_000
Place = tuple[int, str]  # key of a source, name of a picture


class Staging:
    """Writes down what a reading finds. `told` hears the line after every chunk."""

    def __init__(self, batch: ImportBatch, told: Told) -> None:
        self.batch = batch
        self._told = told
        self._ids: dict[Place, int] = {}
        self._known = dict(Source.objects.values_list("key", "pk"))
        self._left_out, self._ignored = Counter(batch.left_out), Counter(batch.ignored)

    def take_all(self, reading: Reading) -> None:
        """Everything that a reading finds behind the batch's place. Raises FileFault as the reading does."""
        place = (self.batch.staged_line, self.batch.staged_on_line)
        with closing(ahead(chunks(reading, *place))) as found:
            for chunk in found:
                self._commit(chunk)
                self._told(chunk.line)

    def _commit(self, chunk: Chunk) -> None:
        """Write a chunk down, and how far it goes."""
        self._want(chunk)
        lines = list(self._lines(chunk))
        with transaction.atomic():
            _copy(COPY_ROWS, lines)
            _copy(COPY_PROBLEMS, [copying.problem_line(self.batch.pk, one) for one in chunk.problems])
            self._advance(chunk, len(lines))

    def _want(self, chunk: Chunk) -> None:
        """Write down which pictures the rows are about; those that the file carries are taken in."""
        if len(self._ids) > MOST_NAMES:
            self._ids.clear()
        fresh: dict[int, dict[str, Wanted]] = {}
        for tag, wanted, _ in chunk.rows:
            source, promised = self._source_of(tag), bool(wanted.sha256) or wanted.size is not None
            if wanted.content is not None:
                wanted = self._with_content_taken(source, wanted)
            if promised or (source, wanted.name) not in self._ids:
                names = fresh.setdefault(source, {})
                if promised or wanted.name not in names:
                    names[wanted.name] = wanted
        for source, names in fresh.items():
            found = image_operations.want(source=Source(pk=source), wanted=names.values())
            self._ids.update(((source, name), pk) for name, pk in found.items())

    def _source_of(self, tag: str) -> int:
        return owner_of(tag, self._known, self.batch.source_id)

    def _with_content_taken(self, source: int, wanted: Wanted) -> Wanted:
        stored = Acquisition.objects.filter(source=source, name=wanted.name, state=AcquisitionState.STORED)
        if wanted.content is not None and not stored.exists():
            owner = Source.objects.get(pk=source)
            with suppress(Invalid):  # why it was refused is written down with the picture
                image_operations.take_pieces(pieces=[wanted.content], by=self.batch.by, source=owner, name=wanted.name)
        return Wanted(wanted.name, wanted.sha256, wanted.size)

    def _lines(self, chunk: Chunk) -> Iterator[str]:
        batch, keys = self.batch.pk, _keys(len(chunk.rows))
        for (tag, wanted, line), key in zip(chunk.rows, keys, strict=True):
            picture = self._ids.get((self._source_of(tag), wanted.name))
            if picture is None:
                chunk.problems.append(copying.nameless(int(line.partition("\t")[0]), wanted.name))
            else:
                yield f"{batch}\t{picture}\t{key}\t{line}"

    def _advance(self, chunk: Chunk, waiting: int) -> None:
        batch = self.batch
        batch.staged_line, batch.staged_on_line = chunk.line, chunk.on_line
        batch.rows_read += chunk.count
        batch.rows_waiting += waiting
        batch.rows_rejected += len(chunk.problems)
        batch.rows_left_out += chunk.left_out.total()
        self._left_out += chunk.left_out
        batch.left_out = dict(self._left_out.most_common(MOST_REASONS))
        batch.ignored = dict((self._ignored + chunk.ignored).most_common(MOST_REASONS))
        batch.save(update_fields=ADVANCED)


def owner_of(tag: str, known: Mapping[str, int], own: int) -> int:
    """Whose row it is: the source that the row itself names, where that one is known here."""
    return known.get(tag.lower().replace("_", "-"), own) if tag else own


def _keys(count: int) -> list[str]:
    """Random keys of 128 bits, drawn at once: Postgres draws each by itself, for as much time as a foreign key takes."""
    digits = os.urandom(16 * count).hex()
    return [digits[at : at + 32] for at in range(0, len(digits), 32)]


def _copy(statement: str, lines: list[str]) -> None:
    if lines:
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.write("\n".join(lines) + "\n")
