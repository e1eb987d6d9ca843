"""Reading generation runs: how far they are, what they made, what failed and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from annotation import work
from annotation.generation.operations import unit_prefix
from annotation.models import GenerationRun, Question, QuestionState, RunState, WorkState, WorkUnit


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of a run: its units by state, and its questions by state; how many units only noticed that it was stopped."""

    units: dict[str, int]
    questions: dict[str, int]
    parked: list[WorkUnit]
    skipped: int = 0

    @property
    def total(self) -> int:
        return sum(self.units.values())

    @property
    def ended(self) -> int:
        return self.units["done"] + self.units["parked"] - self.skipped


@dataclass(frozen=True, slots=True)
class Tally:
    """What a list of runs says of each: its candidates, and the originals it failed on."""

    candidates: int
    failed: int


def runs() -> QuerySet[GenerationRun]:
    """All runs, newest first."""
    return GenerationRun.objects.select_related("by").order_by("-id")


def progress(run: GenerationRun) -> Progress:
    """How far a run is; failures carry the reason a person can read."""
    made = Question.objects.filter(run=run).values_list("state").annotate(n=Count("pk")).order_by()
    prefix = unit_prefix(run)
    return Progress(work.counts(prefix=prefix), dict(made), work.parked(prefix=prefix), _skipped(run))


def _skipped(run: GenerationRun) -> int:
    """Asked of stopped runs only: a run that goes on is looked at every two seconds."""
    if run.state != RunState.STOPPED:
        return 0
    units = WorkUnit.objects.filter(natural_key__startswith=unit_prefix(run), state=WorkState.DONE)
    return units.filter(result__has_key="skipped").count()


def tallies(listed: Sequence[GenerationRun]) -> dict[int, Tally]:
    """The tally of each listed run by its primary key, in two statements for all of them."""
    keys = [run.pk for run in listed]
    made = Question.objects.filter(run__in=keys, state=QuestionState.CANDIDATE).values_list("run").annotate(Count("pk"))
    parked = WorkUnit.objects.filter(kind="generate", state=WorkState.PARKED, payload__run_id__in=keys)
    candidates, failed = dict(made.order_by()), dict(parked.values_list("payload__run_id").annotate(Count("pk")).order_by())
    return {key: Tally(candidates.get(key, 0), failed.get(key, 0)) for key in keys}


def failures(run: GenerationRun, *, at_most: int = 10) -> list[tuple[str, int]]:
    """Why originals of a run failed, with how many each, the most frequent reason first."""
    units = WorkUnit.objects.filter(natural_key__startswith=unit_prefix(run), state=WorkState.PARKED)
    return list(units.values_list("reason").annotate(number=Count("pk")).order_by("-number", "reason")[:at_most])


def units_to_do(run: GenerationRun, *, at_most: int = work.SWEEP_BATCH) -> list[WorkUnit]:
    """The first units of a run that nobody has taken; the sweep announces the others."""
    units = WorkUnit.objects.filter(natural_key__startswith=unit_prefix(run), state=WorkState.READY)
    return list(units.only("pk", "queue").order_by("pk")[:at_most])
