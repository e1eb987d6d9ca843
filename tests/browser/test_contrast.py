"""Text stands out: every pair of ink and ground has a contrast of at least 4.5, every outline 3, in both themes."""

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).parents[2] / "static" / "annotation" / "css" / "tokens.css"
GROUNDS = ("paper", "surface", "surface-sunk", "surface-hover")
TEXT = [(ink, ground) for ink in ("ink", "ink-soft", "accent", "accent-strong") for ground in GROUNDS] + [
    ("on-accent", "accent"), ("on-accent", "accent-strong"), ("on-bad", "bad"),
    ("accent-strong", "accent-soft"), ("ink", "accent-soft"), ("ink-soft", "accent-soft"),
    ("good", "good-soft"), ("good", "surface"), ("ink", "good-soft"),
    ("warn", "warn-soft"), ("ink", "warn-soft"), ("ink-soft", "warn-soft"),
    ("bad", "bad-soft"), ("bad", "surface"), ("ink", "bad-soft"),
]  # fmt: skip
OUTLINES = [("line-strong", ground) for ground in GROUNDS] + [("accent", ground) for ground in GROUNDS]


def colours() -> dict[str, tuple[str, str]]:
    """Light and dark value of each colour token."""
    found = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", TOKENS.read_text(encoding="utf-8"))
    return {name: (light, dark) for name, light, dark in found}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_can_be_read(ink: str, ground: str, theme: int) -> None:
    known = colours()
    assert contrast(known[ink][theme], known[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("outline", "ground"), OUTLINES)
def test_outlines_of_controls_can_be_seen(outline: str, ground: str, theme: int) -> None:
    known = colours()
    assert contrast(known[outline][theme], known[ground][theme]) >= 3


def test_the_measure_itself_is_right() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
