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
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import krippendorff
import numpy as np
from numpy.typing import NDArray

from annotation.quality.figures import Figure

Table = Sequence[Mapping[str, str]]
Counts = NDArray[np.int64]

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


class UndefinedError(ValueError):
    """The coefficient has no value on this table; the message says why."""


def agreement(table: Table, labels: Sequence[str], *, resamples: int = RESAMPLES, seed: int = SEED) -> dict[str, Figure]:
    """All figures of a table by name: raw, ac1, kappa, alpha, and `specific:LABEL` for each label.

    Intervals are percentile intervals of a bootstrap over items; the same seed gives the same interval everywhere.
    Raises ValueError for a label that is not in `labels`.
    """
    counts = _counts(table, labels)
    measures: dict[str, Callable[[Counts], float]] = {"raw": _raw, "ac1": _ac1, "kappa": _kappa, "alpha": _alpha}
    for column, label in enumerate(labels):
        measures[f"specific:{label}"] = _specific_to(column)
    return {name: _figure(counts, measure, resamples, seed) for name, measure in measures.items()}


def raw_agreement(table: Table, labels: Sequence[str]) -> Figure:
    """The share of pairs of people who gave the same label, averaged over items."""
    return _figure(_counts(table, labels), _raw)


def gwet_ac1(table: Table, labels: Sequence[str]) -> Figure:
    """Gwet's AC1. `labels` are all that could have been given: those nobody gave count too."""
    return _figure(_counts(table, labels), _ac1)


def fleiss_kappa(table: Table, labels: Sequence[str]) -> Figure:
    """Fleiss' kappa, extended to missing votes as Gwet does."""
    return _figure(_counts(table, labels), _kappa)


def krippendorff_alpha(table: Table, labels: Sequence[str]) -> Figure:
    """Krippendorff's alpha for nominal labels."""
    return _figure(_counts(table, labels), _alpha)


def specific_agreement(table: Table, labels: Sequence[str], label: str) -> Figure:
    """When one person says `label`, how often does another who saw the same item say so too?"""
    return _figure(_counts(table, labels), _specific_to(list(labels).index(label)))


def per_person(table: Table) -> list[PersonCounts]:
    """What each person gave and how often it met with agreement, by name."""
    labels: dict[str, Counter[str]] = {}
    pairs: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    for item in table:
        given = Counter(item.values())
        for person, label in item.items():
            labels.setdefault(person, Counter())[label] += 1
            pairs[person] += len(item) - 1
            agreed[person] += given[label] - 1
    return [PersonCounts(name, dict(labels[name]), pairs[name], agreed[name]) for name in sorted(labels)]


def _counts(table: Table, labels: Sequence[str]) -> Counts:
    """Items x labels, only items that somebody labelled."""
    place = {label: column for column, label in enumerate(labels)}
    strange = sorted({label for item in table for label in item.values()} - set(place))
    if strange:
        raise ValueError(f"the table has the label {strange[0]!r}, which is not among {list(labels)}")
    rows = [np.bincount([place[label] for label in item.values()], minlength=len(labels)) for item in table if item]
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(labels))


def _figure(counts: Counts, measure: Callable[[Counts], float], resamples: int = 0, seed: int = SEED) -> Figure:
    items = int((counts.sum(axis=1) >= 2).sum())
    try:
        value = measure(counts)
    except UndefinedError as reason:
        return Figure(None, items, undefined=str(reason))
    low, high = _interval(counts, measure, resamples, seed) if items >= TOLD_APART else (None, None)
    return Figure(value, items, low=low, high=high)


def _interval(counts: Counts, measure: Callable[[Counts], float], resamples: int, seed: int) -> tuple[float | None, float | None]:
    # RandomState: its stream is frozen by numpy's promise, so the same seed gives the same interval in years to come.
    dice = np.random.RandomState(seed)
    values = []
    for _ in range(resamples):
        try:
            values.append(measure(counts[dice.randint(0, len(counts), len(counts))]))
        except UndefinedError:
            continue
    if len(values) < 0.9 * resamples or not values:
        return None, None
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def _raw(counts: Counts) -> float:
    people = counts.sum(axis=1)
    shared = people >= 2
    if not shared.any():
        raise UndefinedError("undefined because no item was labelled by two people")
    agreeing = (counts * (counts - 1)).sum(axis=1)[shared]
    return float((agreeing / (people * (people - 1))[shared]).mean())


def _shares(counts: Counts) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares


def _ac1(counts: Counts) -> float:
    labels = counts.shape[1]
    if labels < 2:
        raise UndefinedError("undefined because there is only one label to give")
    raw, shares = _raw(counts), _shares(counts)
    return _above_chance(raw, float((shares * (1 - shares)).sum() / (labels - 1)))


def _kappa(counts: Counts) -> float:
    return _above_chance(_raw(counts), float((_shares(counts) ** 2).sum()))


def _above_chance(raw: float, chance: float) -> float:
    if chance >= 1:
        raise UndefinedError("undefined because everybody gave the same label, so chance alone agrees fully")
    return (raw - chance) / (1 - chance)


def _alpha(counts: Counts) -> float:
    pairable = counts[counts.sum(axis=1) >= 2]
    if not len(pairable):
        raise UndefinedError("undefined because no item was labelled by two people")
    if (pairable.sum(axis=0) > 0).sum() < 2:
        raise UndefinedError("undefined because everybody gave the same label, so there is no disagreement to expect")
    return float(krippendorff.alpha(value_counts=pairable, level_of_measurement="nominal"))


def _specific_to(column: int) -> Callable[[Counts], float]:
    def specific(counts: Counts) -> float:
        people = counts.sum(axis=1)
        given = counts[:, column]
        meetings = int((given * (people - 1)).sum())
        if not meetings:
            raise UndefinedError("undefined because nobody gave this label on an item that two people labelled")
        return float((given * (given - 1)).sum() / meetings)

    return specific
