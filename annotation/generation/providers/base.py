"""What an engine is: something that takes a question apart, edits it and looks at its own work. Values in, values out.

An engine may be rules, a script or a model behind HTTP; the rest of the product cannot tell. It knows no tables. Errors
are of two kinds only: what would fail again (`EngineRefused`) and what may pass (`EngineBusy`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from annotation.errors import Invalid
from annotation.questions.edits import Decomposition, Edit
from annotation.questions.pools import Pool
from annotation.questions.screening import Check, Sibling


class EngineRefused(Invalid):
    """The engine cannot do this, and asking again gives the same: the unit is parked with this reason."""

    code = "engine-refused"


class EngineBusy(Exception):
    """The engine cannot do this now: the unit is tried again, after `retry_after` seconds where the engine said so."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


@dataclass(frozen=True)
class Original:
    """An original question as an engine sees it. `siblings` are the other originals of the picture, `pool` the words
    from which new phrases are drawn."""

    text: str
    options: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    siblings: tuple[Sibling, ...] = ()
    pool: Pool = field(default_factory=Pool)


@dataclass(frozen=True)
class Unsound:
    """An original that must not be edited, and why."""

    reason: str


@dataclass(frozen=True)
class Proposal:
    """An edit that an engine proposes. `distance` says how far the new phrase is from the old one: `near` (same kind of
    thing), `co-occurring` (often asked about together), `far`; empty where nobody measured."""

    edit: Edit
    distance: str = ""


class Engine(Protocol):
    """The three steps. All are deterministic for one seed, or keep what they were told."""

    name: ClassVar[str]
    version: ClassVar[str]

    def decompose(self, original: Original) -> Decomposition | Unsound:
        """The claims that the question takes for granted; Unsound where it must not be edited."""
        ...

    def edit(self, original: Original, decomposition: Decomposition, *, seed: int, wanted: int) -> list[Proposal]:
        """At most `wanted` proposals, best first; an empty list where nothing sound can be made."""
        ...

    def verify(self, original: Original, proposal: Proposal) -> Sequence[Check]:
        """The engine's own checks, beyond the screening chain. They rank and warn; they never count as votes."""
        ...
