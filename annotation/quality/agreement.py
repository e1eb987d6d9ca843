"""How far do people agree? Coefficients over items that several people labelled; values in, values out.

A table is one mapping per item, person -> label. People may be missing from items. Votes here are skewed (most agree on
"absent" or on the right answer), which drags kappa and alpha down while people agree: raw agreement, AC1, kappa and
alpha are meant to be shown side by side. Each is a Figure: a value, or the reason why there is none.

With r[i,k] the number of people who gave item i label k, and r[i] their sum:

- raw agreement: mean over items with r[i] >= 2 of  sum_k r[i,k](r[i,k]-1) / (r[i](r[i]-1))
- share of label k: p[k] = mean over items of r[i,k] / r[i]
- chance agreement: AC1  1/(q-1) * sum_k p[k](1-p[k]);   kappa  sum_k p[k]^2
- coefficient: (raw - chance) / (1 - chance)

Sources: K. L. Gwet, Handbook of Inter-Rater Reliability (4th ed., 2014), chapters 2 and 3, also for missing votes;
J. L. Fleiss, Psychological Bulletin 76 (1971) 378; K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011);
specific agreement: D. V. Cicchetti and A. R. Feinstein, J Clin Epidemiol 43 (1990) 551, for more than two people as
the share of a label's votes that another person's vote on the same item confirms.

Ten thousand items have some dozens of patterns (two "absent" and one "answerable", say). A table is therefore held as its
patterns and how often each stands in it; a thousand resampled tables are a matrix of such tallies, measured at once.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotation.quality.figures import Figure

Table = Sequence[Mapping[str, str]]
Counts = NDArray[np.int64]
"""Patterns x labels: how many people gave each label."""
Tallies = NDArray[np.int64]
"""Tables x patterns: how many items of each table have the pattern."""
Values = NDArray[np.float64]
"""One value for each table, NaN where it has none."""

RESAMPLES = 1000
SEED = 20_240_501
TOLD_APART = 2
"""An interval needs at least this many items."""


@dataclass(frozen=True, slots=True)
class PersonCounts:
    """One person's share in a table. `pairs` counts the meetings with another person's vote on the same item,
    `agreed` those in which both said the same."""

    person: str
    labels: Mapping[str, int]
    pairs: int
    agreed: int

    @property
    def votes(self) -> int:
        return sum(self.labels.values())


class Measure(NamedTuple):
    """A coefficient of many tables at once, and why it has no value although two people labelled an item."""

    of: Callable[[Counts, Tallies], Values]
    undefined: str


@dataclass(frozen=True, slots=True)
class _Sample:
    """A table by its patterns: its own tally, and those of the tables drawn from it."""

    counts: Counts
    whole: Tallies
    drawn: Tallies

    @property
    def items(self) -> int:
        """How many items two people labelled."""
        return int(self.whole[0, self.counts.sum(axis=1) >= 2].sum())


def agreement(table: Table, labels: Sequence[str], *, resamples: int = RESAMPLES, seed: int = SEED) -> dict[str, Figure]:
    """All figures of a table by name: raw, ac1, kappa, alpha, and `specific:LABEL` for each label.

    Intervals are percentile intervals of a bootstrap over items; the same seed gives the same interval everywhere.
    Raises ValueError for a label that is not in `labels`.
    """
    sample = _sample(table, labels, resamples, seed)
    measures = {"raw": RAW, "ac1": AC1, "kappa": KAPPA, "alpha": ALPHA}
    measures |= {f"specific:{label}": _specific_to(column) for column, label in enumerate(labels)}
    return {name: _figure(sample, measure) for name, measure in measures.items()}


def raw_agreement(table: Table, labels: Sequence[str]) -> Figure:
    """The share of pairs of people who gave the same label, averaged over items."""
    return _figure(_sample(table, labels), RAW)


def gwet_ac1(table: Table, labels: Sequence[str]) -> Figure:
    """Gwet's AC1. `labels` are all that could have been given: those nobody gave count too."""
    return _figure(_sample(table, labels), AC1)


def fleiss_kappa(table: Table, labels: Sequence[str]) -> Figure:
    """Fleiss' kappa, extended to missing votes as Gwet does."""
    return _figure(_sample(table, labels), KAPPA)


def krippendorff_alpha(table: Table, labels: Sequence[str]) -> Figure:
    """Krippendorff's alpha for nominal labels."""
    return _figure(_sample(table, labels), ALPHA)


def specific_agreement(table: Table, labels: Sequence[str], label: str) -> Figure:
    """When one person says `label`, how often does another who saw the same item say so too?"""
    return _figure(_sample(table, labels), _specific_to(list(labels).index(label)))


def per_person(table: Table) -> list[PersonCounts]:
    """What each person gave and how often it met with agreement, by name."""
    labels: dict[str, Counter[str]] = {}
    pairs: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    for item in table:
        given = list(item.values())
        for person, label in item.items():
            labels.setdefault(person, Counter())[label] += 1
            pairs[person] += len(given) - 1
            agreed[person] += given.count(label) - 1
    return [PersonCounts(name, dict(labels[name]), pairs[name], agreed[name]) for name in sorted(labels)]


def _sample(table: Table, labels: Sequence[str], resamples: int = 0, seed: int = SEED) -> _Sample:
    """The table, without items that nobody labelled, and `resamples` tables of as many items drawn from it."""
    known: dict[tuple[str, ...], int] = {}
    pattern_of = np.array([known.setdefault(tuple(sorted(item.values())), len(known)) for item in table if item], dtype=np.int64)
    strange = sorted({label for pattern in known for label in pattern} - set(labels))
    if strange:
        raise ValueError(f"the table has the label {strange[0]!r}, which is not among {list(labels)}")
    counts = np.array([[pattern.count(label) for label in labels] for pattern in known], dtype=np.int64)
    # RandomState: its stream is frozen by numpy's promise, so the same seed gives the same interval in years to come.
    dice, items = np.random.RandomState(seed), len(pattern_of)
    drawn = [
        np.bincount(pattern_of[dice.randint(0, items, items)], minlength=len(known)) for _ in range(resamples if items else 0)
    ]
    return _Sample(
        counts=counts.reshape(len(known), len(labels)),
        whole=np.bincount(pattern_of, minlength=len(known)).reshape(1, len(known)),
        drawn=np.array(drawn, dtype=np.int64).reshape(len(drawn), len(known)),
    )


def _figure(sample: _Sample, measure: Measure) -> Figure:
    items = sample.items
    if items == 0:
        return Figure(None, items, undefined="undefined because no item was labelled by two people")
    value = float(measure.of(sample.counts, sample.whole)[0])
    if np.isnan(value):
        return Figure(None, items, undefined=measure.undefined)
    low, high = _interval(measure.of(sample.counts, sample.drawn)) if items >= TOLD_APART else (None, None)
    return Figure(value, items, low=low, high=high)


def _interval(values: Values) -> tuple[float | None, float | None]:
    """The middle 95 % of resampled values; none where too many of them are undefined."""
    told = values[~np.isnan(values)]
    if len(told) < 0.9 * len(values) or not len(told):
        return None, None
    low, high = np.percentile(told, [2.5, 97.5])
    return float(low), float(high)


def _ratio(part: NDArray[np.generic], whole: NDArray[np.generic]) -> Values:
    """NaN where the whole is nothing."""
    return np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole != 0)


def _agreeing(counts: Counts) -> tuple[NDArray[np.bool_], Values]:
    """Which patterns two people share, and the share of pairs of people that agree in each (0 where there is no pair)."""
    people = counts.sum(axis=1)
    agreeing, pairs = (counts * (counts - 1)).sum(axis=1), people * (people - 1)
    return people >= 2, agreeing / np.maximum(pairs, 1)


def _raw(counts: Counts, tallies: Tallies) -> Values:
    shared, agreeing = _agreeing(counts)
    return _ratio(tallies @ agreeing, tallies @ shared)


def _shares(counts: Counts, tallies: Tallies) -> Values:
    """Tables x labels: the mean share of each label over items."""
    shares: Values = tallies @ (counts / counts.sum(axis=1, keepdims=True)) / tallies.sum(axis=1, keepdims=True)
    return shares


def _ac1(counts: Counts, tallies: Tallies) -> Values:
    labels, shares = counts.shape[1], _shares(counts, tallies)
    chance = (shares * (1 - shares)).sum(axis=1) / (labels - 1) if labels > 1 else np.ones(len(tallies))
    return _above_chance(_raw(counts, tallies), chance)


def _kappa(counts: Counts, tallies: Tallies) -> Values:
    return _above_chance(_raw(counts, tallies), (_shares(counts, tallies) ** 2).sum(axis=1))


def _above_chance(raw: Values, chance: Values) -> Values:
    return _ratio(raw - chance, np.where(chance < 1, 1 - chance, 0.0))


def _alpha(counts: Counts, tallies: Tallies) -> Values:
    """1 - (n - 1) * (disagreeing votes) / (n^2 - sum of n_k^2), over the n votes on items that two people labelled."""
    people = counts.sum(axis=1)
    paired = np.where(people >= 2, tallies, 0)
    votes = paired @ counts
    n = votes.sum(axis=1)
    disagreeing = n - paired @ ((counts * (counts - 1)).sum(axis=1) / np.maximum(people - 1, 1))
    return 1 - (n - 1) * _ratio(disagreeing, n**2 - (votes**2).sum(axis=1))


def _specific_to(column: int) -> Measure:
    def specific(counts: Counts, tallies: Tallies) -> Values:
        given, people = counts[:, column], counts.sum(axis=1)
        return _ratio(tallies @ (given * (given - 1)), tallies @ (given * (people - 1)))

    return Measure(specific, "undefined because nobody gave this label on an item that two people labelled")


SAME = "undefined because everybody gave the same label, so "
RAW = Measure(_raw, "")
AC1 = Measure(_ac1, "undefined because there is only one label to give")
KAPPA = Measure(_kappa, SAME + "chance alone agrees fully")
ALPHA = Measure(_alpha, SAME + "there is no disagreement to expect")
