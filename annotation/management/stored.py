"""What the tables name and what the storage holds, compared in the order of the keys: nothing is kept in memory."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import QuerySet
from django.db.models.functions import Collate

from annotation.models import Artifact, Image, PyramidState, Submission, UploadedFile
from annotation.storage import Storage, Stored

Name = tuple[bytes, int | None]


@dataclass(frozen=True, slots=True)
class Difference:
    """A key that the tables name and the storage does not hold (or holds in another size), or the other way round."""

    key: str
    kind: Literal["missing", "other-size", "unnamed"]


def differences(storage: Storage) -> Iterator[Difference]:
    """Everything in which tables and storage differ."""
    named, held = _named(), storage.entries()
    name, one = next(named, None), next(held, None)
    while name or one:
        if one is None or (name and name[0] < one.key.encode()):
            assert name is not None
            yield Difference(name[0].decode(), "missing")
            name = next(named, None)
        elif name is None or one.key.encode() < name[0]:
            yield Difference(one.key, "unnamed")
            one = next(held, None)
        else:
            if not _fits(name, one):
                yield Difference(one.key, "other-size")
            name, one = next(named, None), next(held, None)


def _fits(name: Name, one: Stored) -> bool:
    return name[1] in (None, one.size)


def _named() -> Iterator[Name]:
    """Every key that a row names, once, with the size where it is known. What was taken down is named no more."""
    standing = Image.objects.exclude(pyramid_state=PyramidState.ERASED)
    tiled = Image.objects.filter(pyramid_state=PyramidState.TILED)
    found = heapq.merge(
        _keys(standing, "storage_key", "byte_size"),
        _keys(tiled, "pyramid_key", None),
        _keys(Artifact.objects.all(), "storage_key", "byte_size"),
        _keys(UploadedFile.objects.all(), "storage_key", "byte_size"),
        _keys(Submission.objects.all(), "storage_key", None),
        key=lambda name: name[0],
    )
    last = b""
    for name in found:
        if name[0] != last:
            last = name[0]
            yield name


def _keys(rows: QuerySet[Any], key: str, size: str | None) -> Iterator[Name]:
    ordered = rows.exclude(**{key: ""}).order_by(Collate(key, "C")).values_list(key, *filter(None, [size]))
    return ((text.encode(), rest[0] if rest else None) for text, *rest in ordered.iterator(chunk_size=2000))
