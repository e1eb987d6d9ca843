"""Writing down which pictures a source names, and asking again for those that did not come."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.db import connection, transaction

from annotation.images import names
from annotation.models import Acquisition, AcquisitionState, Source
from annotation.sources.rows import Wanted

CHUNK = 5000

WANT = """
INSERT INTO acquisition (source_id, name, host, expected_sha256, expected_size, state, reason)
SELECT %(source)s, t.name, t.host, t.sha256, t.size, t.state, t.reason
FROM unnest(%(names)s::text[], %(hosts)s::text[], %(hashes)s::text[], %(sizes)s::bigint[], %(states)s::text[], %(flaws)s::text[])
     AS t(name, host, sha256, size, state, reason)
ORDER BY t.name
ON CONFLICT (source_id, name) DO UPDATE SET
    expected_sha256 = coalesce(nullif(acquisition.expected_sha256, ''), excluded.expected_sha256),
    expected_size = coalesce(acquisition.expected_size, excluded.expected_size)
RETURNING name, id
"""


def want(*, source: Source, wanted: Iterable[Wanted]) -> dict[str, int]:
    """The id of the acquisition of every name, made where it is new; again changes nothing.

    A promise (sha256, size) that comes later is added, one that stands is never changed. A name under which nothing
    can be found is written down as refused, with the reason; one that cannot be kept (`names.fits`) is not in the
    answer.
    """
    found: dict[str, int] = {}
    rest = iter(wanted)
    while chunk := list(islice(rest, CHUNK)):
        by_name = _by_name(chunk)
        known = _known(source, by_name)
        fresh = [one for name, one in by_name.items() if name not in known or _says_more(one, *known[name][1:])]
        found |= {name: pk for name, (pk, *_) in known.items()}
        if fresh:
            found |= _written(source, fresh)
    return found


def _by_name(chunk: list[Wanted]) -> dict[str, Wanted]:
    """One Wanted per name, with what any of them promises."""
    merged: dict[str, Wanted] = {}
    for one in chunk:
        if not names.fits(one.name):
            continue
        first = merged.get(one.name, one)
        size = one.size if first.size is None else first.size
        merged[one.name] = Wanted(one.name, (first.sha256 or one.sha256).lower(), size)
    return merged


def _says_more(one: Wanted, sha256: str, size: int | None) -> bool:
    return bool(one.sha256 and not sha256) or (one.size is not None and size is None)


def _written(source: Source, fresh: list[Wanted]) -> dict[str, int]:
    judged = [names.judged(one.name) for one in fresh]
    values: dict[str, Any] = {
        "source": source.pk,
        "names": [one.name for one in fresh],
        "hosts": [host for host, _ in judged],
        "hashes": [one.sha256 for one in fresh],
        "sizes": [one.size for one in fresh],
        "states": [AcquisitionState.REFUSED if flaw else AcquisitionState.WANTED for _, flaw in judged],
        "flaws": [flaw for _, flaw in judged],
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(WANT, values)
        return dict(cursor.fetchall())


def _known(source: Source, asked: Iterable[str]) -> dict[str, tuple[int, str, int | None]]:
    """Id and promises of the names that are written down already."""
    rows = Acquisition.objects.filter(source=source, name__in=list(asked))
    columns = rows.values_list("name", "pk", "expected_sha256", "expected_size")
    return {name: (pk, sha256, size) for name, pk, sha256, size in columns}
