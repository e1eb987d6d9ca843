"""Generation runs: one request, one work unit per original, each of which makes candidates once."""

import random
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation import journal, work
from annotation.errors import Conflict, Invalid
from annotation.generation.providers import registry
from annotation.generation.providers.base import Engine, EngineBusy, Original, Proposal, Unsound
from annotation.hashing import normalised_text, sha256_hex
from annotation.models import GenerationRun, Person, Question, QuestionState, RunState, Screening, WorkState, WorkUnit
from annotation.questions import operations as question_operations
from annotation.questions import queries as question_queries
from annotation.questions.pools import pool_from_json, pool_of, pool_to_json
from annotation.questions.screening import Candidate, Check, passed, screen

WANTED = 2
WANTED_AT_MOST = 10
QUESTIONS_AT_MOST = 100_000
SEED_AT_MOST = 2**63 - 1
# A sample gives the same proportions, and reading 100,000 texts would take longer than a page may wait.
POOL_SAMPLE = 3_000
# What a proposal comes to whose text the picture has already.
KNOWN = "known"


class NothingToEdit(Invalid):
    """There is no active original to make candidates from."""

    code = "nothing-to-edit"


class LimitOutOfRange(Invalid):
    """The number of originals, of candidates or the seed is none that a run can have."""

    code = "limit-out-of-range"


class RunOver(Conflict):
    """The run has ended already."""

    code = "run-over"


def unit_prefix(run: GenerationRun) -> str:
    """How the natural keys of a run's work units begin."""
    return f"run:{run.pk}:question:"


@transaction.atomic
def start_run(
    *,
    by: Person,
    engine: str,
    limit: int,
    seed: int,
    wanted: int = WANTED,
    parameters: dict[str, Any] | None = None,
    again: bool = False,
    questions: Sequence[Question] | None = None,
) -> GenerationRun:
    """Start a run over the oldest `limit` active originals of which this engine made nothing yet (or the given ones).

    With `again`, those that it edited before are taken too; another seed makes other edits of them. At most `wanted`
    candidates are made of each. The words of the chosen questions are the pool that new phrases come from; they are kept
    with the run, so that it can be repeated. Raises UnknownEngine, NothingToEdit, LimitOutOfRange.
    """
    _refuse_out_of_range(limit=(limit, QUESTIONS_AT_MOST), wanted=(wanted, WANTED_AT_MOST), seed=(seed + 1, SEED_AT_MOST))
    maker = registry.load(engine, parameters or {})
    waiting = question_queries.originals_to_edit()
    waiting = waiting if again else waiting.exclude(children__run__engine=maker.name)
    chosen = list(waiting[:limit]) if questions is None else list(questions)[:limit]
    if not chosen:
        raise NothingToEdit(_nothing(again=again), field="limit")
    pool = _pool([question.text for question in chosen], seed)
    run = GenerationRun.objects.create(
        engine=maker.name,
        engine_version=maker.version,
        parameters={**(parameters or {}), "wanted": wanted, "pool": pool},
        seed=seed,
        question_limit=len(chosen),
        by=by,
    )
    work.enqueue_many([_unit(run, question) for question in chosen])
    journal.record(event="run.started", actor=by, subject=run, after={"engine": engine, "questions": len(chosen), "seed": seed})
    return run


def _nothing(*, again: bool) -> str:
    if again or not question_queries.originals_to_edit().exists():
        return _("There are no active originals; import a source first.")
    return _("This engine has edited every active original. Import more, or let it edit them again.")


def _refuse_out_of_range(**numbers: tuple[int, int]) -> None:
    for field, (value, most) in numbers.items():
        if not 1 <= value <= most:
            raise LimitOutOfRange(_("Choose a number up to %(most)d.") % {"most": most}, field=field)


def _pool(texts: list[str], seed: int) -> dict[str, dict[str, int]]:
    if len(texts) > POOL_SAMPLE:
        texts = random.Random(seed).sample(texts, POOL_SAMPLE)  # noqa: S311 - a sample, not a secret
    return pool_to_json(pool_of(texts))


def _unit(run: GenerationRun, question: Question) -> WorkUnit:
    payload = {"run_id": run.pk, "question_id": question.pk}
    return WorkUnit(kind="generate", queue="llm", natural_key=f"{unit_prefix(run)}{question.pk}", payload=payload)


def make_candidates(*, run_id: int, question_id: int) -> dict[str, Any]:
    """The work of one unit: decompose, edit, verify. Doing it again adds nothing.

    Raises PassingFailure where the engine is busy, EngineRefused where it never can.
    """
    run = GenerationRun.objects.select_related("by").get(pk=run_id)
    question = Question.objects.select_related("image", "source").get(pk=question_id)
    if run.state == RunState.STOPPED:
        return {"skipped": "the run was stopped"}
    if question.state != QuestionState.ACTIVE:
        return {"skipped": "the original was withdrawn"}
    maker = registry.load(run.engine, run.parameters)
    try:
        found = _proposals(maker, run, question)
    except EngineBusy as busy:
        raise work.PassingFailure(str(busy)) from busy
    if isinstance(found, Unsound):
        return {"unsound": found.reason}
    with transaction.atomic():
        Question.objects.select_for_update().get(pk=question.pk)
        states = [_store(run, question, proposal, checks) for proposal, checks in found]
        made = {state: states.count(state) for state in sorted(set(states))}
        if made.keys() - {KNOWN}:
            journal.record(event="candidates.made", actor=run.by, subject=question, after={"run": run.key, **made})
    return made


Found = list[tuple[Proposal, tuple[Check, ...]]]


def _proposals(maker: Engine, run: GenerationRun, question: Question) -> Found | Unsound:
    siblings = question_queries.siblings(question.image, but=question)
    pool = pool_from_json(run.parameters["pool"])
    original = Original(question.text, tuple(question.options), tuple(question.answers), siblings, pool)
    decomposition = maker.decompose(original)
    if isinstance(decomposition, Unsound):
        return decomposition
    proposals = maker.edit(original, decomposition, seed=_seed(run, question), wanted=run.parameters["wanted"])
    taken = _taken(run, question)
    return [
        (proposal, (*_screened(question, proposal, siblings, taken), *maker.verify(original, proposal))) for proposal in proposals
    ]


def _seed(run: GenerationRun, question: Question) -> int:
    """The seed of one question: the same on every machine, another for the same text about another picture."""
    return int(sha256_hex(f"{run.seed}|{question.image.sha256}|{question.text_hash}".encode())[:15], 16)


def _taken(run: GenerationRun, question: Question) -> frozenset[str]:
    """Normalised texts of the picture's questions. What this run made itself does not count: it may be a repetition."""
    rows = Question.objects.filter(image_id=question.image_id).exclude(run=run).values_list("text", flat=True)
    return frozenset(normalised_text(text) for text in rows)


def _screened(question: Question, proposal: Proposal, siblings: Any, taken: frozenset[str]) -> tuple[Check, ...]:
    candidate = Candidate(
        edit=proposal.edit,
        options=tuple(question_operations.edited_options(question, proposal.edit)),
        answers=tuple(question.answers),
        siblings=siblings,
        taken=taken,
    )
    return screen(candidate)


def _store(run: GenerationRun, question: Question, proposal: Proposal, checks: tuple[Check, ...]) -> str:
    """`candidate`, `rejected` or `known`: what became of a proposal."""
    state = QuestionState.CANDIDATE if passed(checks) else QuestionState.REJECTED
    engine = f"{run.engine} {run.engine_version}"
    try:
        with transaction.atomic():
            edited = question_operations.add_edit(
                original=question, edit=proposal.edit, by=run.by, engine=engine, state=state, run=run, extra=_extra(proposal)
            )
    except question_operations.QuestionKnown:
        return KNOWN
    Screening.objects.bulk_create(
        Screening(question=edited, check_name=c.name, version=c.version, passed=c.passed, score=c.score, detail=c.detail)
        for c in checks
    )
    return str(state)


def _extra(proposal: Proposal) -> dict[str, Any]:
    return {"distance": proposal.distance} if proposal.distance else {}


def finish_runs() -> int:
    """End running runs of which no unit is left to do; the sweep calls it. Counting rows is the whole fan-in."""
    ended = 0
    for run in GenerationRun.objects.filter(state=RunState.RUNNING).order_by("id")[:100]:
        open_units = WorkUnit.objects.filter(
            natural_key__startswith=unit_prefix(run), state__in=[WorkState.READY, WorkState.LEASED]
        )
        if not open_units.exists():
            ended += _end(run, RunState.FINISHED, actor=None)
    return ended


@transaction.atomic
def stop_run(*, run: GenerationRun, by: Person) -> GenerationRun:
    """Stop a running run: what is made stays, what is not made is skipped. Raises RunOver."""
    if not _end(run, RunState.STOPPED, actor=by):
        raise RunOver(_("This run has ended already."))
    run.refresh_from_db()
    return run


def _end(run: GenerationRun, state: str, *, actor: Person | None) -> int:
    with transaction.atomic():
        ended = GenerationRun.objects.filter(pk=run.pk, state=RunState.RUNNING).update(state=state, ended_at=Now())
        if ended:
            journal.record(event=f"run.{state}", actor=actor, subject=run)
    return ended
