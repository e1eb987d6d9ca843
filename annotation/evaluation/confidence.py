"""How good is a model's own confidence? Values in, values out; only where every answer carries one.

With rows sorted by confidence, risk(k) is the share of wrong ones among the k most confident; rows of equal confidence
share their errors evenly, so that their order does not matter. A missing prediction is wrong with confidence 0.

- AURC: mean of risk(k) over all k (the area under risk over coverage). Y. Geifman and R. El-Yaniv, ICLR 2019.
- C@R: the largest coverage k/n with risk(k) <= R.  S. Whitehead et al., ECCV 2022.
- ECE: sum over ten equal bins of n_b/n * |share right in b - mean confidence in b|.  C. Guo et al., ICML 2017.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, groupby

from annotation.quality.figures import Figure

BINS = 10
RISKS = (0.05, 0.10)

Answers = Sequence[tuple[float | None, bool]]


def confidence_figures(answers: Answers, *, rows_needed: int) -> dict[str, Figure]:
    """AURC, C@5 %, C@10 % and ECE of (confidence, right) pairs; a pair without confidence that is not right counts as
    a missing prediction. Empty if a right answer carries no confidence; C@R and ECE hidden below `rows_needed`."""
    if not any(confidence is not None for confidence, _ in answers):
        return {}
    if any(confidence is None and right for confidence, right in answers):
        return {}
    rows = [(confidence or 0.0, right) for confidence, right in answers]
    risks = risk_by_coverage(rows)
    figures = {"aurc": Figure(sum(risks) / len(risks), len(rows))}
    for bound in RISKS:
        figures[f"coverage_at_{bound:.2f}"] = Figure(coverage_at(risks, bound), len(rows))
    figures["ece"] = Figure(calibration_error(rows), len(rows))
    if len(rows) < rows_needed:
        hidden = Figure(None, len(rows), undefined=f"hidden because there are fewer than {rows_needed} rows")
        figures |= {name: hidden for name in figures if name != "aurc"}
    return figures


def risk_by_coverage(rows: Sequence[tuple[float, bool]]) -> list[float]:
    """risk(1) to risk(n)."""
    errors: list[float] = []
    for _, tied in groupby(sorted(rows, key=lambda row: -row[0]), key=lambda row: row[0]):
        members = [not right for _, right in tied]
        errors += [sum(members) / len(members)] * len(members)
    return [total / (index + 1) for index, total in enumerate(accumulate(errors))]


def coverage_at(risks: Sequence[float], bound: float) -> float:
    """The largest share of rows that could be answered with at most that risk."""
    # The slack forgives the rounding of a running sum, which would else turn exactly 5 % into a little more.
    covered = [index + 1 for index, risk in enumerate(risks) if risk <= bound + 1e-12]
    return covered[-1] / len(risks) if covered else 0.0


def calibration_error(rows: Sequence[tuple[float, bool]]) -> float:
    """The expected calibration error over BINS equal bins; confidence 1 belongs to the last one."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for confidence, right in rows:
        bins[min(int(confidence * BINS), BINS - 1)].append((confidence, right))
    return sum(abs(sum(right for _, right in b) - sum(confidence for confidence, _ in b)) for b in bins.values()) / len(rows)
