"""Reading a file into the table of waiting rows: a chunk at a time, each committed together with how far it goes.

Memory stays that of one chunk. A reading that was cut off, by whatever, goes on behind the last chunk.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

from django.db import connection, transaction

from annotation.errors import Invalid
from annotation.images import operations as image_operations
from annotation.models import Acquisition, AcquisitionState, ImportBatch, Source
from annotation.questions import operations
from annotation.questions.intake import copying
from annotation.sources.faults import Problem, problem
from annotation.sources.layouts import Reading
from annotation.sources.layouts.shape import Found
from annotation.sources.rows import LeftOut, Row, Wanted

CHUNK = 5000  # findings per commit
MOST_TEXT = 8 << 20  # characters of rows per commit
MOST_REASONS = 50
COUNTS = ("rows_read", "rows_waiting", "rows_rejected", "rows_left_out", "left_out", "ignored")
ADVANCED = ("staged_line", "staged_on_line", *COUNTS)
COPY_ROWS = f"COPY imported_row ({', '.join(copying.ROW_COLUMNS)}) FROM STDIN"
COPY_PROBLEMS = f"COPY import_problem ({', '.join(copying.PROBLEM_COLUMNS)}) FROM STDIN"

Told = Callable[[int], None]


class Staging:
    """Takes what a reading finds and writes it down. `told` hears the line after every chunk."""

    def __init__(self, batch: ImportBatch, told: Told) -> None:
        self.batch = batch
        self._told = told
        self._known = {source.key: source for source in Source.objects.all()}
        self._sources: dict[str, Source] = {"": batch.source}
        self._line, self._on_line = batch.staged_line, batch.staged_on_line
        self._left_out, self._ignored = Counter(batch.left_out), Counter(batch.ignored)
        self._start()

    def _start(self) -> None:
        self._count = self._text = 0
        self._rows: list[tuple[Source, str, str]] = []
        self._wanted: dict[Source, dict[str, Wanted]] = {}
        self._problems: list[Problem] = []
        self._skipped: Counter[str] = Counter()

    def take_all(self, reading: Reading) -> None:
        """Everything that a reading finds behind the batch's place. Raises FileFault as the reading does."""
        for one in _behind(reading, self._line, self._on_line):
            self._take(one)
            if self._count >= CHUNK or self._text > MOST_TEXT:
                self._commit(reading)
        self._commit(reading)

    def _take(self, one: Found) -> None:
        if one.line == self._line:
            self._on_line += 1
        else:
            self._line, self._on_line = one.line, 1
        self._count += 1
        if isinstance(one, Row):
            self._take_row(one)
        elif isinstance(one, LeftOut):
            self._skipped[one.reason] += 1
        else:
            self._problems.append(one)

    def _take_row(self, row: Row) -> None:
        source = self._source_of(row.data_source)
        wanted = row.image
        try:
            line = copying.row_line(row, operations.text_hash(row.question, row.options))
        except copying.Unstorable as refusal:
            self._problems.append(problem(row.line, str(refusal), refusal.field, refusal.value))
            return
        if wanted.content is not None:
            wanted = self._with_content_taken(source, wanted)
        self._text += len(line)
        self._rows.append((source, wanted.name, line))
        names = self._wanted.setdefault(source, {})
        if wanted.name not in names or wanted.sha256 or wanted.size is not None:
            names[wanted.name] = wanted

    def _source_of(self, tag: str) -> Source:
        """Whose row it is: the source that the row itself names, where that one is known here."""
        if tag not in self._sources:
            self._sources[tag] = self._known.get(tag.lower().replace("_", "-"), self.batch.source)
        return self._sources[tag]

    def _with_content_taken(self, source: Source, wanted: Wanted) -> Wanted:
        """Takes in a picture that the file itself carries: it must not wait for the chunk, which holds no pictures."""
        stored = Acquisition.objects.filter(source=source, name=wanted.name, state=AcquisitionState.STORED)
        if wanted.content is not None and not stored.exists():
            with suppress(Invalid):  # why it was refused is written down with the picture
                pieces = [wanted.content]
                image_operations.take_pieces(pieces=pieces, by=self.batch.by, source=source, name=wanted.name)
        return Wanted(wanted.name, wanted.sha256, wanted.size)

    def _commit(self, reading: Reading) -> None:
        """Write the chunk down, and how far it goes."""
        if not self._count:
            return
        ids = {source: image_operations.want(source=source, wanted=names.values()) for source, names in self._wanted.items()}
        lines = list(self._lines(ids))
        with transaction.atomic():
            _copy(COPY_ROWS, lines)
            _copy(COPY_PROBLEMS, [copying.problem_line(self.batch.pk, one) for one in self._problems])
            self._advance(len(lines), reading.ignored)
        self._start()
        self._told(self._line)

    def _lines(self, ids: dict[Source, dict[str, int]]) -> Iterator[str]:
        batch = self.batch.pk
        for source, name, line in self._rows:
            picture = ids[source].get(name)
            if picture is None:
                number = int(line.partition("\t")[0])
                self._problems.append(problem(number, "The name of the picture is too long to be kept.", "image", name))
            else:
                yield f"{batch}\t{picture}\t{line}"

    def _advance(self, waiting: int, ignored: Counter[str]) -> None:
        batch = self.batch
        batch.staged_line, batch.staged_on_line = self._line, self._on_line
        batch.rows_read += self._count
        batch.rows_waiting += waiting
        batch.rows_rejected += len(self._problems)
        batch.rows_left_out += sum(self._skipped.values())
        self._left_out += self._skipped
        batch.left_out = dict(self._left_out.most_common(MOST_REASONS))
        batch.ignored = dict((self._ignored + ignored).most_common(MOST_REASONS))
        batch.save(update_fields=ADVANCED)


def _behind(found: Reading, line: int, on_line: int) -> Iterator[Found]:
    """What was not taken yet: not the first `on_line` findings of the line, which a reading gives again."""
    seen = 0
    for one in found:
        if one.line == line and seen < on_line:
            seen += 1
        else:
            yield one


def _copy(statement: str, lines: list[str]) -> None:
    if lines:
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.write("\n".join(lines) + "\n")
