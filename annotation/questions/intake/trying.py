"""What an import would make of rows, without writing: which are here already, and which would be rejected."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connection

from annotation.images import names
from annotation.models import Kind, Question, Source
from annotation.questions.identity import text_hash
from annotation.questions.intake import copying
from annotation.questions.intake.judging import compared, fits, outside
from annotation.questions.intake.staging import owner_of
from annotation.questions.operations import QuestionKnown
from annotation.sources.faults import problem
from annotation.sources.previews import KNOWN, Verdict
from annotation.sources.rows import Row

MOST_REMEMBERED = 100_000  # rows of one file that later rows are compared with

# The picture of each row where it is here, and the question that stands there with the same text.
HERE = """
SELECT asked.n, here.image_id, here.width, here.height, q.kind, q.text, q.answers
FROM unnest(%(sources)s::bigint[], %(names)s::text[], %(hashes)s::text[], %(kinds)s::text[])
     WITH ORDINALITY AS asked(source, name, hash, kind, n)
CROSS JOIN LATERAL (
    SELECT a.image_id, i.width, i.height
    FROM acquisition a JOIN image i ON i.id = a.image_id
    WHERE a.source_id = asked.source AND a.name = asked.name
    OFFSET 0
) AS here
LEFT JOIN LATERAL (
    SELECT o.kind, o.text, o.answers FROM question o
    WHERE o.image_id = here.image_id AND o.text_hash = asked.hash AND o.kind IN (asked.kind, 'original')
    ORDER BY o.kind <> asked.kind LIMIT 1
) AS q ON true
"""


class Here(NamedTuple):
    """A picture that is here, and the question that stands there, if one does."""

    image: int
    width: int
    height: int
    kind: str | None
    text: str | None
    answers: list[str] | None


class Trial:
    """Call it with rows in the order of the file; what would become of each is None (it comes in, or waits for its
    picture), KNOWN, or a Problem.

    Whether an unanswerable row finds the original that it was made from is only seen when it is imported. Of one
    file the last hundred thousand rows are remembered, to find those that come twice.
    """

    def __init__(self, source: Source | None) -> None:
        self._own = source.pk if source else 0
        self._known = dict(Source.objects.values_list("key", "pk"))
        self._before: dict[tuple[object, ...], list[str]] = {}

    def __call__(self, rows: Sequence[Row]) -> list[Verdict]:
        hashes = [text_hash(row.question, row.options) for row in rows]
        sources = [owner_of(row.data_source, self._known, self._own) for row in rows]
        here = _here(rows, sources, hashes)
        together = zip(rows, sources, hashes, strict=True)
        return [self._judged(row, source, key, here.get(n)) for n, (row, source, key) in enumerate(together, start=1)]

    def _judged(self, row: Row, source: int, key: str, here: Here | None) -> Verdict:
        try:
            copying.row_line(row, key)
        except copying.Unstorable as refusal:
            return problem(row.line, str(refusal), refusal.field, refusal.value)
        if not names.fits(row.image.name):
            return copying.nameless(row.line, row.image.name)
        if here is not None and (found := _standing(row, here)) is not None:
            return found
        return self._repeated(row, (here.image if here else (source, row.image.name), key, row.unanswerable))

    def _repeated(self, row: Row, place: tuple[object, ...]) -> Verdict:
        """A row that came before in this file is known, or contradicts it."""
        answers = list(row.answers)
        first = self._before.get(place)
        if first is not None:
            return KNOWN if row.unanswerable else compared(row.line, answers, first)
        self._before[place] = answers
        if len(self._before) > MOST_REMEMBERED:
            del self._before[next(iter(self._before))]
        return None


def _here(rows: Sequence[Row], sources: list[int], hashes: list[str]) -> dict[int, Here]:
    values: dict[str, Any] = {
        "sources": sources,
        "names": [row.image.name.replace("\x00", "") for row in rows],
        "hashes": hashes,
        "kinds": [Kind.EDITED if row.unanswerable else Kind.ORIGINAL for row in rows],
    }
    with connection.cursor() as cursor:
        cursor.execute(HERE, values)
        return {n: Here(*rest) for n, *rest in cursor.fetchall()}


def _standing(row: Row, here: Here) -> Verdict:
    """What the picture, and the question that stands there, say about a row."""
    reach = copying.reach(row)
    if reach is not None and not fits(reach, here.width, here.height):
        return outside(row.line, (here.width, here.height), row.boxes, row.points)
    if here.kind is None:
        return None
    if not row.unanswerable:
        return compared(row.line, list(row.answers), here.answers or [])
    if here.kind == Kind.EDITED:
        return KNOWN
    refusal = QuestionKnown(Question(text=here.text or ""))
    return problem(row.line, refusal.message, refusal.field or "", row.question)
