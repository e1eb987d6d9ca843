"""What readers and layouts hand on: records as a file holds them, and rows as we understand them. Pure.

A reader turns bytes into records, a layout turns a record into a Row, a Problem, or a LeftOut.
"""

from dataclasses import dataclass, field
from typing import Any

Box = tuple[float, float, float, float]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Record:
    """One object of a file and where it stands: its line (text) or its row (tables), from 1. Values are raw."""

    line: int
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The picture a row is about, as its source names it.

    `name` is a relative path below the image root, or an http(s) address; `sha256` (64 hex digits) and `size` in bytes
    are what the source promises, where it does; `content` holds the bytes where the file itself carries them.
    """

    name: str
    sha256: str = ""
    size: int | None = None
    content: bytes | None = field(default=None, repr=False)

    @property
    def is_address(self) -> bool:
        return self.name.startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class Row:
    """One question of a source.

    `answers` are reference answers, any of them right. Boxes are [x1, y1, x2, y2] and points [x, y], in pixels of the
    upright original. `setting` is the prompt setting that a trailer of the text asked for (`base`, `option`,
    `instruction`). `template` names the versioned wording where the source has no question of its own. An unanswerable
    row has no reference answer, and `reason` says which presupposition fails. `extra` keeps raw values of the source
    that have no place here.
    """

    line: int
    image: Wanted
    question: str
    answers: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    key: str = ""
    boxes: tuple[Box, ...] = ()
    points: tuple[Point, ...] = ()
    family: str = ""
    data_source: str = ""
    setting: str = "base"
    template: str = ""
    unanswerable: bool = False
    reason: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sound row that the import's own filter leaves out; not a problem, but counted with its reason."""

    line: int
    reason: str
