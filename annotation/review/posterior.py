"""How sure are we that a question can be answered, given who voted what? Values in, values out.

The posterior is that of two states, answerable or not, given the votes; "ambiguous" votes carry no weight in it:

    P(votes | answerable)   = (1 - HARD) * product of each person's sensitivity or its complement
                            + HARD * product of (1 - HARD_MISS) or HARD_MISS
    P(votes | unanswerable) = product of each person's specificity or its complement

Sensitivity is how often a person finds the answer where there is one, specificity how often they report none where
there is none. Both are Beta distributed; as each votes once on an item, integrating them out leaves their means. The
share HARD of items on which everybody misses often is what keeps three "absent" votes from looking independent
(domain rule A3: 10 % hard items, each missed 60 % of the time).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

HARD, HARD_MISS = 0.10, 0.60


@dataclass(frozen=True, slots=True)
class Beta:
    """How often something was right and wrong, with the prior's counts included."""

    hits: float
    misses: float

    @property
    def mean(self) -> float:
        return self.hits / (self.hits + self.misses)


@dataclass(frozen=True, slots=True)
class Skill:
    """One person's skill on one component. The default is that of a person who has met no control yet: finds eight of
    ten answers, reports none wrongly once in twenty."""

    sensitivity: Beta = Beta(8.0, 2.0)
    specificity: Beta = Beta(19.0, 1.0)


NO_CONTROLS_YET = Skill()


def posterior_answerable(votes: Sequence[tuple[bool, Skill]], *, prior: float, hard: float = HARD) -> float:
    """The probability that the question can be answered, by the formula above. Each vote says whether an answer was
    found, with that person's skill. Raises ValueError for a prior that no vote could move (0, 1)."""
    if not 0 < prior < 1:
        raise ValueError("the prior must lie between 0 and 1")
    easy = prod(_chance(skill.sensitivity.mean, found) for found, skill in votes)
    missed_often = prod(_chance(1 - HARD_MISS, found) for found, _ in votes)
    absent = prod(_chance(skill.specificity.mean, not found) for found, skill in votes)
    with_answer = prior * ((1 - hard) * easy + hard * missed_often)
    without = (1 - prior) * absent
    return with_answer / (with_answer + without)


def _chance(probability: float, happened: bool) -> float:
    return probability if happened else 1 - probability
