"""How each source writes its rows: one module per source, each a list of documented rules. Pure.

`LAYOUTS` holds them by key; `reading` applies one to a file.
"""

from pathlib import Path

from annotation.sources.faults import WrongLayout
from annotation.sources.layouts import arxivqa, cof, generic, hardbench, mapped, pixmo_count, realx, tallyqa, verl, vstar
from annotation.sources.layouts.reading import Reading
from annotation.sources.layouts.shape import Layout, Options, Rule

__all__ = ["LAYOUTS", "Layout", "Options", "Reading", "Rule", "described", "reading"]

MODULES = (generic, hardbench, verl, pixmo_count, tallyqa, arxivqa, cof, vstar, realx, mapped)
LAYOUTS: dict[str, Layout] = {module.LAYOUT.key: module.LAYOUT for module in MODULES}


def reading(path: Path, layout: str, options: Options | None = None, *, after: int = 0) -> Reading:
    """A reading of a file; iterate over it. Raises WrongLayout where there is no such layout, or not with such options."""
    if layout not in LAYOUTS:
        raise WrongLayout(f"There is no layout {layout!r}: choose one of {', '.join(LAYOUTS)}.", field="layout")
    return Reading(path, LAYOUTS[layout], options or Options(), after=after)


def described(layout: Layout) -> str:
    """The rules as lines of text, for help and documents."""
    lines = (f"{rule.field}{' (needed)' if rule.required else ''}: {rule.means}" for rule in layout.rules)
    return "\n".join(lines)
