"""What the demonstration brings along: photographs with their licences, original questions, hand-made edits with their truth."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.demo.simulated import Truth

FOLDER = Path(__file__).parent
PHOTOS = FOLDER / "photos"
QUESTIONS = FOLDER / "demo_questions.jsonl"
EDITS = FOLDER / "demo_edits_truth.jsonl"
LICENCES = FOLDER / "LICENSES.tsv"
ZERO_COUNT = "zero-count"
GUIDELINE = """Look before you answer. Decide whether the picture supports an answer to the question as it is written.

Answerable: give the answer and draw a box around what shows it.
Unanswerable: say which premise fails. If the thing should have an obvious place, draw a box there; if it is missing
altogether, search the picture closely, or mark the region that the question confines.
Ambiguous: several things could be meant, or the wording is vague.

A count of zero is no answer here."""


@dataclass(frozen=True, slots=True)
class HandEdit:
    """One hand-made edit with its known truth."""

    key: str
    original: str
    text: str
    component: str
    operation: str
    reason: str
    truth: Truth


def hand_edits() -> list[HandEdit]:
    """The edits whose truth is a verdict; zero counts are left out, since the house's policy rejects them."""
    return [_edit(row) for row in _rows(EDITS) if row["truth"] != ZERO_COUNT]


def _edit(row: dict[str, Any]) -> HandEdit:
    truth = Truth(verdict=row["truth"], answer=row["answer"] or "", premise=row["component"])
    return HandEdit(
        key=row["id"],
        original=row["source_id"],
        text=row["question"],
        component=row["component"],
        operation=row["operation"],
        reason=row["reason"],
        truth=truth,
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
