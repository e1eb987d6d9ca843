"""From one storage to another: copied in the order of the keys, compared, and never begun anew."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from annotation.errors import DomainError
from annotation.storage.door import KEY, LONGEST_KEY, Storage, Stored


@dataclass(frozen=True, slots=True)
class Moved:
    """What became of one key: `copied`, `there` already, `foreign` (no key of ours, left alone), or `refused`."""

    key: str
    size: int
    state: Literal["copied", "there", "foreign", "refused"]
    reason: str = ""


def move(source: Storage, target: Storage, *, compare: bool = False) -> Iterator[Moved]:
    """Copy all that is stored in `source` and not in `target`; nothing is deleted.

    What is there with the same size counts as moved, unless `compare` asks for every byte. Raises StorageFault, after
    which it can be run again.
    """
    there = _Ahead(target.entries())
    for one in source.entries():
        if not KEY.fullmatch(one.key) or len(one.key) > LONGEST_KEY:
            yield Moved(one.key, one.size, "foreign")
        elif there.size_of(one.key) == one.size and not compare:
            yield Moved(one.key, one.size, "there")
        else:
            yield _copy(source, target, one)


def _copy(source: Storage, target: Storage, one: Stored) -> Moved:
    try:
        with source.local_copy(one.key) as path:
            target.write(one.key, path)
    except DomainError as refusal:
        return Moved(one.key, one.size, "refused", refusal.message)
    return Moved(one.key, one.size, "copied")


class _Ahead:
    """Sizes of sorted entries, asked for by sorted keys: nothing is kept in memory."""

    def __init__(self, entries: Iterator[Stored]) -> None:
        self._entries = entries
        self._next = next(entries, None)

    def size_of(self, key: str) -> int | None:
        while self._next and self._next.key.encode() < key.encode():
            self._next = next(self._entries, None)
        return self._next.size if self._next and self._next.key == key else None
