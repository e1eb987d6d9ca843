"""Figures as pages show them: value and interval, or the reason why there is none (`partials/measure.html`)."""

from collections.abc import Mapping
from typing import Any, TypedDict


class Measure(TypedDict):
    """`why` follows the word "undefined"; `drawn` says whether the value lies on the scale from 0 to 1."""

    n: int
    value: float | None
    low: float | None
    high: float | None
    why: str
    drawn: bool


def measure(figure: Mapping[str, Any]) -> Measure:
    """A figure's JSON (see `quality.figures`) as a page shows it."""
    value, low = figure["value"], figure["low"]
    return {
        "n": figure["items"],
        "value": value,
        "low": low,
        "high": figure["high"],
        "why": figure["undefined"].removeprefix("undefined because "),
        "drawn": value is not None and 0 <= value <= 1 and (low is None or low >= 0),
    }
