"""Rows that do not become questions although their picture is here: boxes outside of it, and questions that stand already."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.hashing import normalised_text
from annotation.models import ImportedRow
from annotation.sources.faults import Problem, problem

Standing = tuple[int, list[str], list[str]]  # line, the row's answers, the standing question's


@dataclass(slots=True)
class Judged:
    """What became of some rows. `digest` is the sha256 of the sorted public keys of the originals that were added."""

    accepted: int = 0
    known: int = 0
    problems: list[Problem] = field(default_factory=list)
    digest: str = ""

    def __add__(self, other: "Judged") -> "Judged":
        counts = (self.accepted + other.accepted, self.known + other.known)
        return Judged(*counts, [*self.problems, *other.problems], self.digest or other.digest)


def unfit(ids: list[int]) -> Judged:
    """Rows whose boxes or points lie outside of their picture."""
    rows = ImportedRow.objects.filter(pk__in=ids).select_related("acquisition__image").order_by("pk") if ids else []
    return Judged(problems=[_outside(row) for row in rows])


def _outside(row: ImportedRow) -> Problem:
    image = row.acquisition.image
    size = (image.width, image.height) if image else (0, 0)
    boxes = [row.box] if row.box is not None else row.extra.get("boxes", [])
    return outside(row.line, size, boxes, row.extra.get("points", []))


def fits(reach: Sequence[float], width: int, height: int) -> bool:
    """Whether the largest x1, y1, x2, y2 lie in a picture, as the statement ARRIVED judges it."""
    return reach[0] < width and reach[1] < height and reach[2] <= width + 1 and reach[3] <= height + 1


def outside(line: int, size: tuple[int, int], boxes: Sequence[Any], points: Sequence[Any]) -> Problem:
    """Boxes or points reach out of a picture of this size."""
    picture = f"the picture of {size[0]} x {size[1]} pixels (upright)"
    if not boxes:
        return problem(line, f"A point lies outside of {picture}.", "points", [list(point) for point in points])
    shown = [list(box) for box in boxes]
    return problem(line, f"The box reaches out of {picture}.", "box", shown[0] if len(shown) == 1 else shown)


def compared(line: int, answers: list[str], here: list[str]) -> Problem | bool:
    """True for a row that says what a question that stands says, else why it is rejected."""
    if answers == here or _same(answers, here):
        return True
    reason = f"This picture has this question with another answer: {' or '.join(here)}."
    return problem(line, reason, "answer", " or ".join(answers))


def standing(rows: Iterable[Standing]) -> Judged:
    """Rows whose question stands: known where the answers agree, else rejected, for what stands is never overwritten."""
    judged = Judged()
    for line, answers, here in rows:
        found = compared(line, answers, here)
        if isinstance(found, bool):
            judged.known += 1
        else:
            judged.problems.append(found)
    return judged


def _same(answers: list[str], here: list[str]) -> bool:
    return {normalised_text(one) for one in answers} == {normalised_text(one) for one in here}
