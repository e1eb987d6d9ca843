"""Reading generation runs: how far they are, what they made, what failed and why."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from annotation import work
from annotation.generation.operations import unit_prefix
from annotation.models import GenerationRun, Question, WorkUnit


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of a run: its units by state, and its questions by state."""

    units: dict[str, int]
    questions: dict[str, int]
    parked: list[WorkUnit]

    @property
    def total(self) -> int:
        return sum(self.units.values())

    @property
    def ended(self) -> int:
        return self.units["done"] + self.units["parked"]


def runs() -> QuerySet[GenerationRun]:
    """All runs, newest first."""
    return GenerationRun.objects.select_related("by").order_by("-id")


def progress(run: GenerationRun) -> Progress:
    """How far a run is; failures carry the reason a person can read."""
    made = Question.objects.filter(run=run).values_list("state").annotate(n=Count("pk")).order_by()
    prefix = unit_prefix(run)
    return Progress(work.counts(prefix=prefix), dict(made), work.parked(prefix=prefix))
