"""`python -m benchmarks [name ...]`: measure, print a table, write bench.json into the state folder."""

import argparse
import json
import sys
import warnings

from django.conf import settings
from rich.console import Console
from rich.table import Table

from benchmarks import hostile, images, imports, looks, review, rows, scenes, tiles, web
from benchmarks.harness import Figure

MEASURES = {
    **review.MEASURES,
    **web.MEASURES,
    **images.MEASURES,
    **tiles.MEASURES,
    **hostile.MEASURES,
    **looks.MEASURES,
    **rows.MEASURES,
    **imports.MEASURES,
    **scenes.MEASURES,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"some of: {', '.join(MEASURES)}")
    names = parser.parse_args().names or list(MEASURES)
    if unknown := set(names) - set(MEASURES):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; choose some of: {', '.join(MEASURES)}")
    warnings.simplefilter("ignore")
    figures = [row for name in names for row in MEASURES[name]()]
    path = settings.STATE_DIR / "bench.json"
    path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    console = Console()
    console.print(table(figures))
    console.print(f"Written to {path}")
    return 0


def table(figures: list[Figure]) -> Table:
    shown = Table("what", "value", "unit", "target", "against", "ratio")
    for row in figures:
        ratio = "" if row["ratio"] is None else f"{row['ratio']:g}"
        shown.add_row(row["name"], f"{row['value']:g}", row["unit"], row["target"], row["rival"], ratio)
    return shown


if __name__ == "__main__":
    sys.exit(main())
