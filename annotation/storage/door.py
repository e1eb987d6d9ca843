"""What every kind of storage can do, what a key is, and what can be wrong.

Keys are made by the product (hashes and random words), never from what somebody typed; they are checked all the same.
What is stored under a key never changes: writing the same bytes again is fine, other bytes are refused.
"""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, Missing

KEY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
LONGEST_KEY = 120
NAMED_BY_SUM = re.compile(r"(?:originals|imports|artifacts)/[0-9a-f]{2}/([0-9a-f]{64})")
CHUNK = 1 << 20


class BadKey(Invalid):
    """A storage key of a shape that the product never makes."""

    code = "bad-storage-key"


class NoSuchKey(Missing):
    """Nothing is stored under this key."""

    code = "nothing-stored"


class KeyTaken(Conflict):
    """Other bytes are stored under this key already."""

    code = "storage-key-taken"


class OtherSum(Conflict):
    """The bytes are not those whose sum is their key: they changed on their way or in the storage."""

    code = "storage-other-sum"


class StorageFault(OSError):
    """The storage cannot be reached, is overloaded, or does not let us: work waits and is tried again."""


class StorageShut(StorageFault):
    """The storage does not let us do this."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One stored thing: its key and its size in bytes."""

    key: str
    size: int


class Storage(Protocol):
    """What every kind of storage can do. Faults of the medium itself (full, unreachable) are OSError: they may pass."""

    @property
    def where(self) -> str:
        """Where the bytes are, for people to read; without secrets."""

    def write(self, key: str, content: bytes | Path) -> None:
        """Store bytes, or a copy of a file: visible whole or not at all. Raises KeyTaken, OtherSum."""

    def open(self, key: str) -> BinaryIO:
        """A seekable stream of what is stored. Raises NoSuchKey."""

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        """At most `length` bytes from `offset`; fewer at the end. Raises NoSuchKey."""

    def local_copy(self, key: str) -> AbstractContextManager[Path]:
        """A path that other programs may read while the context lasts. Raises NoSuchKey, OtherSum."""

    def exists(self, key: str) -> bool:
        """Whether something is stored under the key."""

    def size(self, key: str) -> int:
        """Size in bytes. Raises NoSuchKey."""

    def entries(self, prefix: str = "") -> Iterator[Stored]:
        """All that is stored below a prefix, in the order of the keys' bytes, listed while it is asked for."""

    def delete(self, key: str) -> None:
        """Forget the bytes; fine if there are none. A bucket that keeps versions keeps this one."""

    def erase(self, key: str) -> None:
        """Destroy the bytes with every version that was ever stored under the key; fine if there are none."""

    def signed_address(self, key: str, *, file_name: str, seconds: int) -> str:
        """An address from which the bytes can be fetched for so long; "" where the product hands them out itself."""


def checked(key: str) -> str:
    """The key, if it is one. Raises BadKey."""
    if len(key) > LONGEST_KEY or not KEY.fullmatch(key):
        raise BadKey(f"{key!r} is no storage key: use letters, digits, '-', '_' and '.', parted by '/'.")
    return key


def promised_sum(key: str) -> str:
    """The sha256 that a key promises; "" where keys are no sums."""
    match = NAMED_BY_SUM.fullmatch(key)
    return match[1] if match else ""


def check_sum(key: str, sha256: str) -> None:
    """Raises OtherSum where a key promises another sha256 than that of the bytes."""
    if promised_sum(key) not in ("", sha256):
        raise OtherSum(
            _("The bytes for %(key)s are not those that it is named after: they were damaged. Restore them from a backup.")
            % {"key": key}
        )


def missing(key: str) -> NoSuchKey:
    """The error for a key under which nothing is stored."""
    return NoSuchKey(
        _("Nothing is stored under %(key)s: it was taken down or never written. Restore it from a backup, or take it in again.")
        % {"key": key}
    )


def taken(key: str) -> KeyTaken:
    """The error for a key that holds other bytes."""
    return KeyTaken(_("Other bytes are stored under %(key)s: what is stored never changes. Delete them first.") % {"key": key})
