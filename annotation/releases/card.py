"""The dataset card (README.md) of a release, as text. Values in, values out.

Its front matter lets `datasets.load_dataset(FOLDER)` find the splits, offline too.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.releases import attributions
from annotation.releases.export import counts, jsonl_path
from annotation.releases.plans import arithmetic, plan_from_json
from annotation.wording import counted

LICENCE = "cc-by-sa-4.0"

FIELDS = """
Each line of `data/*.jsonl` is one row, known by its `id` (predictions name it as `row_id`); `row_hash` is the sha256 of
the canonical JSON of its other fields. Rows with `is_unanswerable` were edited in one component (object, relation or
attribute) so that the picture does not support an answer; `reason` says which presupposition fails. `pair` joins an
original and its edit. `HARDBench_*.json` holds the same rows in HARDBench's own layout.

Pictures are not included. `image.path` is where each is expected below your image root, `image.origin` what its source
calls it, `image.sha256` how to know that you have the right one.
"""

CHECKING = """
    python3 verify_release.py .

needs nothing but Python's standard library. It proves that the folder agrees with its manifest; compare the manifest's
sha256 with the published one to know that it is this release.
"""


def card(*, version: str, plan: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """The card of sealed rows."""
    parts = [
        _front_matter(rows),
        f"# HARDBench, release {version}",
        "Questions about high-resolution pictures, half of the work being to know when not to answer.",
        "## Rows",
        _counts_table(rows),
        "The plan:",
        "\n".join(f"- {line}" for line in arithmetic(plan_from_json(plan))),
        "## Fields",
        FIELDS.strip(),
        "## Labels",
        _how_decided(rows),
        "## Sources and licences",
        _sources_table(rows),
        f"The release as a whole: {LICENCE}. Each row carries its source's licence and attribution;"
        f" {attributions.PATH} says whom to name.",
        "## Checking",
        CHECKING.strip("\n"),
    ]
    return "\n\n".join(parts) + "\n"


def _front_matter(rows: Sequence[Mapping[str, Any]]) -> str:
    files = "\n".join(
        f"      - split: {split}\n        path: {jsonl_path(split)}" for split in dict.fromkeys(row["split"] for row in rows)
    )
    return (
        f"---\nlicense: {LICENCE}\ntask_categories:\n  - visual-question-answering\nlanguage:\n  - en\n"
        f"configs:\n  - config_name: default\n    data_files:\n{files}\n---"
    )


def _counts_table(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = [f"| {split} | {role} | {number:,} |" for split, roles in counts(rows).items() for role, number in roles.items()]
    return "\n".join(["| split | role | rows |", "|---|---|---|", *lines])


def _how_decided(rows: Sequence[Mapping[str, Any]]) -> str:
    decided = Counter(row["decided_by"] for row in rows)
    lines = [f"- {method}: {counted(number, 'row')}" for method, number in sorted(decided.items())]
    warning = "**Rows decided by simulated votes are for demonstration and worth nothing else.**"
    return "\n".join([*lines, *([warning] if decided["simulated"] else [])])


def _sources_table(rows: Sequence[Mapping[str, Any]]) -> str:
    found = Counter((row["data_source"], row["licence"]) for row in rows)
    lines = [f"| {source} | {licence} | {number:,} |" for (source, licence), number in sorted(found.items())]
    return "\n".join(["| source | licence | rows |", "|---|---|---|", *lines])
