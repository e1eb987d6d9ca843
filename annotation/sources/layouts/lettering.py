"""Options as ArxivQA holds them, and what its labels mean. Pure.

Options hold lines that are none ("-", "### Figure 2"), and letters in front of some. A label's letter counts the raw
options, junk included; where the options carry letters themselves, these count too, and a label that means two
different options is refused.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

RULER = re.compile(r"[-–—_=\s]*")  # neither "*" nor "+", which are markers in charts
HEADING = re.compile(r"#{2,}.*|#\s*fig.*", re.IGNORECASE | re.DOTALL)  # not "Figure 2", which may be an answer
# "A) x", "(A) x", "[A] x", "A. x", "A.x", "A: x", but not "A.I."
PREFIX = re.compile(r"[(\[]?([A-Za-z])([)\]:]\s*|\.(?:\s+|(?=[^\s.]{2})))(\S.*)", re.DOTALL)
BARE = re.compile(r"(?:option\s+)?[(\[]?\s*([A-Za-z])\s*[)\].:]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Removed:
    """A raw option that is none: where it stood (from 0), what it was, and why it went."""

    index: int
    option: str
    reason: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A real option: where it stood among the raw ones (from 0), its own letter if it has one, and its text."""

    index: int
    letter: str
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Raw options, taken apart."""

    kept: tuple[Kept, ...]
    removed: tuple[Removed, ...]

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(one.text for one in self.kept)


class Ambiguous(Exception):
    """A label that means no option, or two; the text says which."""


def choice(raw: Sequence[str]) -> Choice:
    """Options without junk and without their letters."""
    removed = tuple(Removed(at, text, why) for at, text in enumerate(raw) if (why := _junk(text)))
    gone = {one.index for one in removed}
    left = [(at, text.strip()) for at, text in enumerate(raw) if at not in gone]
    lettered = _lettered(left)
    kept = tuple(_kept(at, text, at in lettered) for at, text in left)
    return Choice(kept, removed)


def meant(label: str, found: Choice) -> Kept:
    """The option that a label means. Raises Ambiguous.

    `A`, `A)`, `[A]` name one by its letter, `B. text` by letter and text, and an option's own text names it, too.
    """
    text = label.strip()
    named = [one for one in found.kept if _same(one.text, text)]
    if match := BARE.fullmatch(text):
        named += _by_letter(match[1].upper(), found)
    elif not named and (match := PREFIX.fullmatch(text)):
        named = [one for one in _by_letter(match[1].upper(), found) if _same(one.text, match[3])]
    different = list(dict.fromkeys(named))
    if not different:
        raise Ambiguous("The label names none of the options.")
    if len(different) > 1:
        both = " or ".join(repr(one.text) for one in different)
        raise Ambiguous(f"The label may mean {both}: letters and raw positions disagree.")
    return different[0]


def _by_letter(letter: str, found: Choice) -> list[Kept]:
    at = ord(letter) - ord("A")
    return [one for one in found.kept if one.index == at or one.letter == letter]


def _junk(text: str) -> str:
    stripped = text.strip()
    if not stripped:
        return "empty"
    if RULER.fullmatch(stripped):
        return "separator"
    return "heading" if HEADING.fullmatch(stripped) else ""


def _lettered(left: list[tuple[int, str]]) -> set[int]:
    """The raw positions of options whose letter is a letter, not a part of their text.

    It must fit the option's place, among the raw options or among the real ones. A full stop or a colon after it may
    belong to the text ("B. cereus", "C: drive"), so one such option alone proves nothing.
    """
    fitting: dict[int, str] = {}
    for place, (at, text) in enumerate(left):
        match = PREFIX.fullmatch(text)
        if match and ord(match[1].upper()) - ord("A") in (place, at):
            fitting[at] = match[2]
    proved = len(fitting) > 1 or any(mark[0] in ")]" for mark in fitting.values())
    return set(fitting) if proved else set()


def _kept(at: int, text: str, lettered: bool) -> Kept:
    match = PREFIX.fullmatch(text) if lettered else None
    return Kept(at, match[1].upper(), match[3].strip()) if match else Kept(at, "", text)


def _same(first: str, second: str) -> bool:
    return first.strip().rstrip(".").casefold() == second.strip().rstrip(".").casefold()
