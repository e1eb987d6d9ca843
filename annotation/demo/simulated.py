"""Simulated annotators: programs that know the demonstration's truth and vote by it, with errors of their own (pure).

They exist to walk the pipeline and to fill pages; a Person of theirs is marked `simulated` and no release built from
their votes is worth anything.
"""

import random
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known of one question: its verdict and, where it can be answered, the answer and its place."""

    verdict: str
    answer: str = ""
    box: tuple[float, float, float, float] | None = None
    premise: str = "object"
    small: bool = False


@dataclass(frozen=True, slots=True)
class Habit:
    """How often an annotator misses an answer that is there, "finds" one that is not, and whether small things escape
    them: misses are not independent, and that is what adjudication is for."""

    misses: float = 0.04
    invents: float = 0.02
    overlooks_small: bool = False


def ballot(truth: Truth, habit: Habit, *, width: int, height: int, dice: random.Random) -> dict[str, Any]:
    """The body of a vote, without its assignment, as the review API takes it."""
    whole = [0.0, 0.0, float(width), float(height)]
    place = list(truth.box) if truth.box else whole
    overlooked = truth.small and habit.overlooks_small
    if truth.verdict == "answerable" and not overlooked and dice.random() >= habit.misses:
        return {"verdict": "answerable", "answer": truth.answer, "evidence": {"kind": "box", "boxes": [place]}}
    if truth.verdict == "unanswerable" and dice.random() < habit.invents:
        return {"verdict": "answerable", "answer": "something", "evidence": {"kind": "box", "boxes": [place]}}
    return {"verdict": "unanswerable", "premise": truth.premise, "evidence": {"kind": "region", "boxes": [place]}}
