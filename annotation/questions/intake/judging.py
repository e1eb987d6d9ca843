"""Rows that do not become questions although their picture is here: boxes outside of it, and questions that stand already."""

from collections.abc import Iterable
from dataclasses import dataclass, field

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
    size = f"the picture of {image.width} x {image.height} pixels (upright)" if image else "the picture"
    if row.box is None and "boxes" not in row.extra:
        return problem(row.line, f"A point lies outside of {size}.", "points", row.extra.get("points"))
    return problem(row.line, f"The box reaches out of {size}.", "box", row.box or row.extra["boxes"])


def standing(rows: Iterable[Standing]) -> Judged:
    """Rows whose question stands: known where the answers agree, else rejected, for what stands is never overwritten."""
    judged = Judged()
    for line, answers, here in rows:
        if answers == here or _same(answers, here):
            judged.known += 1
        else:
            reason = f"This picture has this question with another answer: {' or '.join(here)}."
            judged.problems.append(problem(line, reason, "answer", " or ".join(answers)))
    return judged


def _same(answers: list[str], here: list[str]) -> bool:
    return {normalised_text(one) for one in answers} == {normalised_text(one) for one in here}
