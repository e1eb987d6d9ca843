"""A number as it is reported: with what it rests on, how sure it is, or why there is none. Imports nothing of ours."""

from dataclasses import dataclass
from math import sqrt

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its 95 % interval, or the reason (`undefined`) why there is none. `items` is what it rests on."""

    value: float | None
    items: int
    undefined: str = ""
    low: float | None = None
    high: float | None = None

    def as_json(self) -> dict[str, float | int | str | None]:
        return {"value": self.value, "low": self.low, "high": self.high, "items": self.items, "undefined": self.undefined}


def share(part: float, whole: int, *, nothing: str) -> Figure:
    """A share with Wilson's interval; `nothing` says why there is none where the whole is empty."""
    if whole == 0:
        return Figure(None, 0, undefined=f"undefined because {nothing}")
    low, high = wilson(part, whole)
    return Figure(part / whole, whole, low=low, high=high)


def wilson(part: float, whole: int) -> tuple[float, float]:
    """The 95 % score interval of a share. E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209.

    It stays inside 0 to 1 and has a width even where nothing, or everything, was counted. `part` may be a fraction
    where items carry weights.
    """
    rate, square = part / whole, Z95 * Z95
    middle = rate + square / (2 * whole)
    spread = Z95 * sqrt(rate * (1 - rate) / whole + square / (4 * whole * whole))
    scale = 1 + square / whole
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
