"""The part of a file that a request asks for (RFC 9110, section 14), for those who go on with a download."""

import re
from dataclasses import dataclass

RANGE = re.compile(r"bytes=([0-9]{1,19})?-([0-9]{1,19})?", re.ASCII)


class Unsatisfiable(Exception):
    """The part that is asked for begins behind the end."""


@dataclass(frozen=True, slots=True)
class Part:
    """`length` bytes from `start` of a file of `size` bytes."""

    start: int
    length: int
    size: int

    @property
    def is_whole(self) -> bool:
        return self.length == self.size

    @property
    def content_range(self) -> str:
        return f"bytes {self.start}-{self.start + self.length - 1}/{self.size}"


def part_asked(header: str, size: int) -> Part | None:
    """The one part that a Range header asks for; None for the whole: without one, several at once, or no known unit.

    Raises Unsatisfiable.
    """
    match = RANGE.fullmatch(header.strip())
    if match is None or (match[1] is None and match[2] is None):
        return None
    if match[1] is None:
        start, end = max(0, size - int(match[2])), size
        if not int(match[2]):
            raise Unsatisfiable
    else:
        start, end = int(match[1]), min(size, int(match[2]) + 1) if match[2] else size
        if match[2] and int(match[2]) < start:
            return None
    if start >= size:
        raise Unsatisfiable
    return Part(start, end - start, size)
