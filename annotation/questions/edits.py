"""The algebra of ORA edits: one span of a question changed, so that one tuple of its meaning becomes false.

A `Change` is text only: where, what stood there, what stands there now. An `Edit` adds the meaning: which component
(object, relation, attribute), by which operation, which tuple fails and why. Laws, proven in `tests/pure/test_edits.py`:

- `apply(invert(change))` is the original text;
- `text[span]` is the old phrase;
- what differs between a text and its edited form is no longer than the change, widened to whole words, and lies
  inside it (an inserted word beside its equal may be found on either side);
- a change that changes nothing does not exist.

Positions count code points from 0, as Python and Postgres do.
"""

import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum

from annotation.errors import Invalid


class Component(StrEnum):
    OBJECT = "object"
    RELATION = "relation"
    ATTRIBUTE = "attribute"


class Operation(StrEnum):
    REPLACE = "replace"
    SWAP = "swap"
    ADD = "add"


class TupleKind(StrEnum):
    ENTITY = "entity"
    ATTRIBUTE = "attribute"
    RELATION = "relation"


class SpanOutside(Invalid):
    """The span does not lie inside the text it speaks about."""

    code = "span-outside"


class ChangesNothing(Invalid):
    """The new phrase is the old phrase."""

    code = "changes-nothing"


class WrongOperation(Invalid):
    """The phrases do not fit the operation: an addition must add, a replacement must leave something standing."""

    code = "wrong-operation"


class NoDifference(Invalid):
    """The two texts are equal, so there is no span to speak of."""

    code = "no-difference"


@dataclass(frozen=True, order=True)
class Span:
    """A half-open range of code points, `start <= end`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise SpanOutside(f"A span runs from a start to an end that is not before it, not from {self.start} to {self.end}.")

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def covers(self, other: "Span") -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class SemanticTuple:
    """One atomic claim of a question, after Davidsonian Scene Graphs (Cho et al. 2024).

    `parts`: entity (noun,); attribute (noun, value); relation (subject, relation, object) or (subject, relation).
    `parents`: indices, in the same decomposition, of the tuples that must hold before this one can.
    `span`: the words that claim it; None where nothing in the text stands for it.
    """

    kind: TupleKind
    parts: tuple[str, ...]
    parents: tuple[int, ...] = ()
    span: Span | None = None


@dataclass(frozen=True)
class Decomposition:
    """The tuples of one question, parents before children."""

    text: str
    tuples: tuple[SemanticTuple, ...]

    def __post_init__(self) -> None:
        for index, claim in enumerate(self.tuples):
            if any(parent >= index or parent < 0 for parent in claim.parents):
                raise Invalid(f"Tuple {index} of {self.text!r} names a parent that does not come before it.")


@dataclass(frozen=True)
class Change:
    """`text` with `span` replaced by `new`. SpanOutside and ChangesNothing are refused here, so no bad one exists."""

    text: str
    span: Span
    new: str

    def __post_init__(self) -> None:
        if self.span.end > len(self.text):
            raise SpanOutside(f"The span ends at {self.span.end}, but {self.text!r} has {len(self.text)} characters.")
        if self.old == self.new:
            raise ChangesNothing(f"The new phrase {self.new!r} is the old one; choose another.")

    @property
    def old(self) -> str:
        return self.span.of(self.text)


@dataclass(frozen=True)
class Edit:
    """A change with its meaning. `falsified` is the claim of the edited text that the picture shall not support;
    `reason` says in one sentence which presupposition fails. WrongOperation where phrases and operation disagree."""

    change: Change
    component: Component
    operation: Operation
    falsified: SemanticTuple
    reason: str
    subtype: str = ""
    tuples: tuple[SemanticTuple, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        before, after = len(self.change.old.split()), len(self.change.new.split())
        if self.operation is Operation.ADD and after <= before:
            raise WrongOperation(f"An addition is longer than what it replaces; {self.change.new!r} is not.")
        if self.operation is not Operation.ADD and not (before and after):
            raise WrongOperation(
                f"To {self.operation} needs an old and a new phrase; call it an addition if nothing stood there."
            )
        if not self.reason.strip():
            raise Invalid("An edit says which presupposition fails; give a reason.", field="reason")

    @property
    def edited(self) -> str:
        return apply(self.change)


def apply(change: Change) -> str:
    """The text after the change."""
    return change.text[: change.span.start] + change.new + change.text[change.span.end :]


def invert(change: Change) -> Change:
    """The change that leads back: `apply(invert(c)) == c.text`."""
    start = change.span.start
    return Change(apply(change), Span(start, start + len(change.new)), change.old)


def one_span_difference(before: str, after: str) -> Change:
    """The smallest single change in whole words that leads from one text to the other.

    Two changes far apart come back as one long span: whoever judges an edit judges that length. Raises NoDifference
    for equal texts.
    """
    if before == after:
        raise NoDifference("The edited text is the original; change one phrase of it.")
    old, new = words(before), words(after)
    head = _common_prefix(old, new)
    tail = _common_prefix(old[head:][::-1], new[head:][::-1])
    start, end = len("".join(old[:head])), len("".join(old[: len(old) - tail]))
    return Change(before, Span(start, end), "".join(new[head : len(new) - tail]))


def widened(change: Change) -> Span:
    """The span of a change grown until it cuts no word, neither before nor after the change."""
    after, shift = apply(change), len(change.new) - len(change.old)
    start, end = change.span.start, change.span.end
    while _cuts_word(change.text, start) or _cuts_word(after, start):
        start -= 1
    while _cuts_word(change.text, end) or _cuts_word(after, end + shift):
        end += 1
    return Span(start, end)


def words(text: str) -> list[str]:
    """The text cut into words and single other characters; joined again they are the text."""
    cuts = [at for at in range(1, len(text)) if not _cuts_word(text, at)]
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True) if start < end]


def _common_prefix(first: list[str], second: list[str]) -> int:
    pairs = zip(first, second, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


def _cuts_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and _joins(text[at - 1]) and _joins(text[at])


def _joins(character: str) -> bool:
    """Whether a character holds a word together. Chinese has no blanks, so each of its characters stands alone."""
    if unicodedata.east_asian_width(character) in "WF":
        return False
    return character.isalnum() or character in "'\u2019-_" or unicodedata.combining(character) != 0
