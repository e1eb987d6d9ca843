"""The files of a release, as bytes. Values in, values out: the same rows give the same bytes on any machine.

A row is a JSON object (`Row`) whose `row_hash` is the sha256 of the canonical JSON of all its other fields. Per split
there are two files: `data/SPLIT.jsonl`, one canonical row a line, and `HARDBench_SPLIT.json`, a list in HARDBench's own
row layout (question, answer, image, data_source, is_unanswerable, and the reason of unanswerable rows).
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from annotation.hashing import canonical_json, sha256_hex

UNANSWERABLE = "unanswerable"
"""The reference answer of a row that cannot be answered, in HARDBench's layout."""


class ImageFacts(TypedDict):
    """Where the picture is expected below the image root, what its source calls it (a path or URL, "" if unknown), and
    how to know that it is the right one (pixels). Near-duplicates share a cluster."""

    path: str
    origin: str
    sha256: str
    width: int
    height: int
    cluster: str


class Row(TypedDict):
    """One row of a release before it is sealed. `original` is the id of the question that was edited, or the row's own
    id; `pair` is shared by an original and its edit in the release, "" elsewhere. `accepts_refusal` marks a zero count
    of a campaign where both 0 and a refusal are right."""

    id: str
    split: str
    role: str
    pair: str
    original: str
    image: ImageFacts
    question: str
    options: list[str]
    prompt_setting: str
    answers: list[str]
    is_unanswerable: bool
    accepts_refusal: bool
    reason: str
    component: str
    operation: str
    data_source: str
    licence: str
    attribution: str
    decided_by: str


def sealed(row: Row) -> dict[str, Any]:
    """The row with its hash."""
    return {**row, "row_hash": sha256_hex(canonical_json(row))}


def in_order(rows: Iterable[Row]) -> list[Row]:
    """The order of a release: by split, then by id. Ids are random, so the order tells nothing about the label."""
    return sorted(rows, key=lambda row: (row["split"], row["id"]))


def jsonl(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """One canonical JSON object a line, each line ended."""
    return b"".join(canonical_json(row) + b"\n" for row in rows)


def hardbench_json(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A JSON list in HARDBench's own layout, in the fields' published order."""
    return (json.dumps([_hardbench(row) for row in rows], ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def data_files(rows: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """The data files of sealed rows by path; rows keep the order in which they come."""
    splits: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        splits[row["split"]].append(row)
    files: dict[str, bytes] = {}
    for split, members in splits.items():
        files[jsonl_path(split)] = jsonl(members)
        files[f"HARDBench_{split}.json"] = hardbench_json(members)
    return files


def jsonl_path(split: str) -> str:
    return f"data/{split}.jsonl"


def counts(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Rows by split and role."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        found[row["split"]][row["role"]] += 1
    return {split: dict(sorted(roles.items())) for split, roles in sorted(found.items())}


def _hardbench(row: Mapping[str, Any]) -> dict[str, Any]:
    refuses = row["is_unanswerable"]
    layout = {
        "question": row["question"],
        "answer": UNANSWERABLE if refuses else row["answers"][0],
        "image": row["image"]["path"],
        "data_source": row["data_source"],
        "is_unanswerable": refuses,
    }
    return {**layout, "reason": row["reason"]} if refuses else layout
