"""What a reading finds, in chunks that are ready to be written down, made in a thread ahead of whoever writes them. Pure."""

import sys
from collections import Counter, deque
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from annotation.questions.identity import text_hash
from annotation.questions.intake import copying
from annotation.sources.faults import Problem, problem
from annotation.sources.layouts import Reading
from annotation.sources.layouts.shape import Found
from annotation.sources.rows import LeftOut, Row, Wanted

CHUNK = 5000  # findings
MOST_TEXT = 8 << 20  # characters of rows
MOST_CONTENT = 32 << 20  # bytes of pictures
AHEAD = 2  # chunks
TURN = 0.0005  # seconds

Item = TypeVar("Item")


@dataclass(slots=True)
class Chunk:
    """Findings in their order: rows as (tag of their source, picture, line for COPY), the others; `line` and `on_line`
    are the place of the last."""

    line: int
    on_line: int
    count: int = 0
    rows: list[tuple[str, Wanted, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    ignored: Counter[str] = field(default_factory=Counter)
    text: int = 0
    content: int = 0

    @property
    def is_full(self) -> bool:
        return self.count >= CHUNK or self.text > MOST_TEXT or self.content > MOST_CONTENT

    def take(self, one: Found) -> None:
        self.count += 1
        if one.line == self.line:
            self.on_line += 1
        else:
            self.line, self.on_line = one.line, 1
        if isinstance(one, Row):
            self._take_row(one)
        elif isinstance(one, LeftOut):
            self.left_out[one.reason] += 1
        else:
            self.problems.append(one)

    def _take_row(self, row: Row) -> None:
        try:
            line = copying.row_line(row, text_hash(row.question, row.options))
        except copying.Unstorable as refusal:
            self.problems.append(problem(row.line, str(refusal), refusal.field, refusal.value))
            return
        self.text += len(line)
        self.content += len(row.image.content or b"")
        self.rows.append((row.data_source, row.image, line))


def chunks(reading: Reading, line: int = 0, on_line: int = 0) -> Iterator[Chunk]:
    """All that is behind the first `on_line` findings of a line, which a reading gives again."""
    seen, chunk = 0, Chunk(line, on_line)
    for one in reading:
        if one.line == line and seen < on_line:
            seen += 1
            continue
        chunk.take(one)
        if chunk.is_full:
            chunk.ignored = Counter(reading.ignored)
            yield chunk
            chunk = Chunk(chunk.line, chunk.on_line)
    if chunk.count:
        chunk.ignored = Counter(reading.ignored)
        yield chunk


def ahead(items: Iterator[Item]) -> Generator[Item, None, None]:
    """The same items, of which the next are made in a thread while the caller is busy with the last one."""
    with _short_turns(), ThreadPoolExecutor(1) as pool:
        coming = deque(pool.submit(next, items, None) for _ in range(AHEAD))
        while (item := coming.popleft().result()) is not None:
            coming.append(pool.submit(next, items, None))
            yield item


@contextmanager
def _short_turns() -> Iterator[None]:
    """The interpreter passes from thread to thread ten times as often as usual: the writing one does little itself and
    waits for Postgres, and after each reply it would wait again, for the reading one to give way."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, TURN))
    try:
        yield
    finally:
        sys.setswitchinterval(before)
