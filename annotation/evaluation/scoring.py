"""What a model's predictions on a release are worth. Values in, values out.

A prediction that is missing, blank, or came from a crash is **wrong**, never dropped: a model must not look better for
failing on hard rows. With A answerable and U unanswerable rows, TP refused U, FN other U, FP refused A:

- accuracy = right answers / A;  selective accuracy = right answers / (A answered)
- refusal precision = TP / (TP + FP), recall = TP / U, F1 = 2 TP / (2 TP + FP + FN)
- over-refusal = FP / A;  missed refusal = FN / U
- reliability = (right answers + TP) / (A + U);  balanced = (accuracy + recall) / 2
- dual accuracy: originals that are answered right *and* whose edited twin is refused, over originals with a twin; of
  several twins each weighs 1/k; lone originals are left out
- Phi_c = mean of +1 right, 0 refused, -c wrong over A; over U a refusal earns `refusal_credit` (declared, 1 here),
  anything else -c.  S. Whitehead et al., Reliable Visual Question Answering, ECCV 2022 (there for answerable rows).

Shares carry Wilson's interval (dual accuracy's on its number of originals), the others a bootstrap over near-duplicate
clusters where there are at least 100, seeded, so that everybody gets the same. Rotus' own figures are added so that
published numbers compare: they drop rows without an answer, and their `overall_acc` counts any answer to an answerable
question as good.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.evaluation.confidence import confidence_figures
from annotation.evaluation.refusals import RULES_VERSION, final_answer, refuses
from annotation.evaluation.submissions import Prediction
from annotation.quality.figures import Figure, share
from annotation.questions.answers import same_answer

SCORER_VERSION = "score-2"
CLUSTERS_NEEDED = 100
ROWS_NEEDED = 200
"""Below this many rows figures that a few rows can turn (Phi_100, C@R, ECE) are hidden."""
RESAMPLES, SEED = 1000, 20_240_501
COSTS = (1, 10, 100)
GROUPINGS = ("split", "source", "component", "prompt_setting")

Totals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Gold:
    """A release's row as the scorer needs it. `pair` is shared by an original and its twins, "" for lone rows."""

    row_id: str
    is_unanswerable: bool
    answers: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    question: str = ""
    accepts_refusal: bool = False
    pair: str = ""
    cluster: str = ""
    split: str = ""
    source: str = ""
    component: str = ""
    prompt_setting: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """One row with what came of it. `right` is a right answer, or a refusal where it is due."""

    gold: Gold
    missing: bool
    refused: bool
    right: bool
    confidence: float | None

    @property
    def wrongly_refused(self) -> bool:
        return self.refused and not self.gold.is_unanswerable and not self.gold.accepts_refusal


def judge(gold: Gold, prediction: Prediction | None) -> Judged:
    """Was there an answer, was it a refusal, was it right? A blank text without the flag `refused` is missing."""
    if prediction is None or (not prediction.text.strip() and not prediction.refused):
        return Judged(gold, missing=True, refused=False, right=False, confidence=None)
    refused = refuses(prediction.text, flag=prediction.refused, question=gold.question)
    answer = final_answer(prediction.text)
    matches = any(same_answer(answer, reference, options=gold.options) for reference in gold.answers)
    due = gold.is_unanswerable or gold.accepts_refusal
    right = due if refused else matches and not gold.is_unanswerable
    return Judged(gold, missing=False, refused=refused, right=right, confidence=prediction.confidence)


def score(golds: Sequence[Gold], predictions: Mapping[str, Prediction], *, refusal_credit: float = 1.0) -> dict[str, Any]:
    """All metrics as JSON: over everything, and by split, source, component and prompt setting.

    An original counts towards the component of its twin. Raises ValueError for an empty release.
    """
    if not golds:
        raise ValueError("a release without rows cannot be scored")
    judged = [judge(gold, predictions.get(gold.row_id)) for gold in golds]
    components = {gold.pair: gold.component for gold in golds if gold.pair and gold.component}
    groups: dict[str, dict[str, list[Judged]]] = {name: defaultdict(list) for name in GROUPINGS}
    for row in judged:
        for name in GROUPINGS:
            key = getattr(row.gold, name)
            groups[name][components.get(row.gold.pair, key) if name == "component" else key].append(row)
    return {
        "scorer": SCORER_VERSION,
        "refusal_rules": RULES_VERSION,
        "refusal_credit": refusal_credit,
        "overall": metrics(judged, refusal_credit=refusal_credit),
        "by": {
            name: {key: metrics(rows, refusal_credit=refusal_credit) for key, rows in sorted(members.items()) if key}
            for name, members in groups.items()
        },
    }


def metrics(judged: Sequence[Judged], *, refusal_credit: float = 1.0) -> dict[str, Any]:
    """All figures of some rows, by name, as JSON."""
    figures = _shares(judged) | _bootstrapped(judged, refusal_credit)
    figures |= confidence_figures([(row.confidence, row.right) for row in judged], rows_needed=ROWS_NEEDED)
    return {
        "counts": _counts(judged),
        "figures": {name: figure.as_json() for name, figure in figures.items()},
        "rotus": rotus(judged),
    }


def _counts(judged: Sequence[Judged]) -> dict[str, int]:
    totals = _totals(judged).sum(axis=0)
    names = ("rows", "answerable", "unanswerable", "right_answers", "refused_rightly", "refused_wrongly")
    missing = sum(row.missing for row in judged)
    return {name: int(value) for name, value in zip(names, totals, strict=True)} | {"missing": missing}


def _shares(judged: Sequence[Judged]) -> dict[str, Figure]:
    rows, answerable, unanswerable, right, tp, fp = (int(value) for value in _totals(judged).sum(axis=0))
    answered = [row for row in judged if not (row.refused or row.missing or row.gold.is_unanswerable)]
    pairs, originals = _dual(judged)
    no_answerable, no_unanswerable = "no row is answerable", "no row is unanswerable"
    return {
        "accuracy": share(right, answerable, nothing=no_answerable),
        "selective_accuracy": share(sum(row.right for row in answered), len(answered), nothing="no answerable row was answered"),
        "refusal_precision": share(tp, tp + fp, nothing="nothing was refused"),
        "refusal_recall": share(tp, unanswerable, nothing=no_unanswerable),
        "over_refusal": share(fp, answerable, nothing=no_answerable),
        "missed_refusal": share(unanswerable - tp, unanswerable, nothing=no_unanswerable),
        "reliability": share(right + tp, rows, nothing="there are no rows"),
        "dual_accuracy": share(pairs, originals, nothing="no original stands beside its twin"),
    }


def _dual(judged: Sequence[Judged]) -> tuple[float, int]:
    """The weighted number of pairs that are right on both sides, and the number of originals with a twin."""
    pairs: dict[str, list[Judged]] = defaultdict(list)
    for row in judged:
        if row.gold.pair and not row.gold.accepts_refusal:
            pairs[row.gold.pair].append(row)
    won, originals = 0.0, 0
    for members in pairs.values():
        twins = [row for row in members if row.gold.is_unanswerable]
        original = next((row for row in members if not row.gold.is_unanswerable), None)
        if original is not None and twins:
            originals += 1
            won += original.right * sum(twin.right for twin in twins) / len(twins)
    return won, originals


def _bootstrapped(judged: Sequence[Judged], refusal_credit: float) -> dict[str, Figure]:
    """Figures that are no plain shares, with their intervals over clusters."""
    by_cluster: dict[str, list[Judged]] = defaultdict(list)
    for row in judged:
        by_cluster[row.gold.cluster or row.gold.row_id].append(row)
    totals = np.array([_totals(rows).sum(axis=0) for _, rows in sorted(by_cluster.items())])
    figures = {
        "refusal_f1": _over_clusters(totals, _f1, len(judged), "nothing is unanswerable and nothing was refused"),
        "balanced": _over_clusters(totals, _balanced, len(judged), "one of the two sides has no rows"),
    }
    for cost in COSTS:
        name = f"phi_{cost}"
        if cost == max(COSTS) and len(judged) < ROWS_NEEDED:
            figures[name] = Figure(None, len(judged), undefined=f"hidden because there are fewer than {ROWS_NEEDED} rows")
        else:
            figures[name] = _over_clusters(totals, _phi(cost, refusal_credit), len(judged), "there are no rows")
    return figures


def _over_clusters(totals: Totals, measure: Callable[[Totals], float], items: int, nothing: str) -> Figure:
    value = measure(totals.sum(axis=0))
    if np.isnan(value):
        return Figure(None, items, undefined=f"undefined because {nothing}")
    if len(totals) < CLUSTERS_NEEDED:
        return Figure(float(value), items)
    dice = np.random.RandomState(SEED)
    draws = [measure(totals[dice.randint(0, len(totals), len(totals))].sum(axis=0)) for _ in range(RESAMPLES)]
    low, high = np.nanpercentile(draws, [2.5, 97.5])
    return Figure(float(value), items, low=float(low), high=float(high))


def _totals(judged: Sequence[Judged]) -> Totals:
    """One line per row: row, answerable, unanswerable, right answer, refused rightly, refused wrongly."""
    lines = []
    for row in judged:
        absent = row.gold.is_unanswerable
        lines.append((1, not absent, absent, row.right and not absent, row.refused and absent, row.wrongly_refused))
    return np.array(lines, dtype=float).reshape(len(lines), 6)


def _f1(total: Totals) -> float:
    _, _, unanswerable, _, tp, fp = total
    return float(2 * tp / (tp + fp + unanswerable)) if unanswerable + fp else float("nan")


def _balanced(total: Totals) -> float:
    _, answerable, unanswerable, right, tp, _ = total
    return float((right / answerable + tp / unanswerable) / 2) if answerable and unanswerable else float("nan")


def _phi(cost: float, refusal_credit: float) -> Callable[[Totals], float]:
    def phi(total: Totals) -> float:
        rows, answerable, unanswerable, right, tp, fp = total
        wrong = (answerable - right - fp) + (unanswerable - tp)
        return float((right + refusal_credit * tp - cost * wrong) / rows) if rows else float("nan")

    return phi


def rotus(judged: Sequence[Judged]) -> dict[str, float | None]:
    """acc, precision, recall, f1, overall_acc exactly as Rotus' own evaluation computes them: rows without an answer
    are dropped, and answerable rows that were answered count as good in overall_acc, right or wrong."""
    rows = [row for row in judged if not row.missing]
    answerable = [row for row in rows if not row.gold.is_unanswerable]
    tp = sum(row.refused for row in rows if row.gold.is_unanswerable)
    fp = sum(row.refused for row in answerable)
    fn = len(rows) - len(answerable) - tp
    precision, recall = _ratio(tp, tp + fp), _ratio(tp, tp + fn)
    return {
        "acc": _ratio(sum(row.right for row in answerable), len(answerable)),
        "precision": precision,
        "recall": recall,
        "f1": _ratio(2 * tp, 2 * tp + fp + fn),
        "overall_acc": _ratio(tp + len(answerable) - fp, len(rows)),
    }


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
