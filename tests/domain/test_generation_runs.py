"""Max runs a generation: candidates come out once each, screened; failures keep their reasons; the run ends by counting."""

from typing import Any

import pytest

from annotation import work
from annotation.generation import operations, queries
from annotation.generation.providers.base import EngineRefused
from annotation.generation.providers.fake import BadScript
from annotation.generation.providers.registry import UnknownEngine
from annotation.models import GenerationRun, JournalEntry, Person, Question, Screening, WorkUnit
from annotation.questions.screening import CHAIN
from tests import factories
from tests.moments import ago
from tests.races import at_once

BOWL = "What color is the bowl?"
TEAPOT = {"edited": "What color is the teapot?", "component": "object", "reason": "There is no teapot."}
BOWLS = {"edited": "What color is the bowls?", "component": "object", "reason": "There is only one bowl."}


def start(by: Person, engine: str = "offline", limit: int = 10, **values: Any) -> GenerationRun:
    return operations.start_run(by=by, engine=engine, limit=limit, **{"seed": 7, **values})


def play(by: Person, entry: dict[str, Any], **values: Any) -> GenerationRun:
    return start(by, "fake", parameters={"script": {BOWL: entry}}, **values)


def step(run: GenerationRun, question: Question) -> dict[str, Any]:
    return operations.make_candidates(run_id=run.pk, question_id=question.pk)


def leases(run: GenerationRun) -> list[work.Lease]:
    """A lease on every unit of the run, as workers get them a moment later."""
    units = WorkUnit.objects.filter(natural_key__startswith=operations.unit_prefix(run))
    units.update(not_before=ago(1))
    return [lease for unit in units if (lease := work.claim(unit_id=unit.pk, worker="w"))]


def done(run: GenerationRun) -> None:
    for lease in leases(run):
        work.finish(lease=lease, result=operations.make_candidates(**lease.unit.payload))


@pytest.fixture
def bowl(max_: Person) -> Question:
    return factories.make_original(BOWL, by=max_, answers=["red orange"])


def test_a_run_is_one_row_one_unit_per_original_and_one_line_in_the_journal(bowl: Question, max_: Person) -> None:
    factories.make_original("What is lying on the beanbag?", by=max_)
    run = start(max_)
    assert (run.state, run.question_limit, run.by) == ("running", 2, max_)
    assert WorkUnit.objects.get(natural_key=f"run:{run.pk}:question:{bowl.pk}").queue == "llm"
    assert queries.progress(run).units["ready"] == 2
    assert run.parameters["pool"]["nouns"] == {"beanbag": 1, "bowl": 1}
    assert JournalEntry.objects.get(event="run.started").after == {"engine": "offline", "questions": 2, "seed": 7}


def test_the_offline_engine_makes_screened_candidates(bowl: Question, max_: Person) -> None:
    assert step(start(max_, wanted=2), bowl) == {"candidate": 2}
    for twin in Question.objects.filter(kind="edited"):
        assert (twin.state, twin.parent, twin.by, twin.text[:18]) == ("candidate", bowl, max_, "What color is the ")
        names = set(twin.screenings.values_list("check_name", flat=True))
        assert names == {name for name, _, _ in CHAIN} | {"offline-same-family"}
    assert JournalEntry.objects.get(event="candidates.made").subject_id == bowl.pk


def test_a_step_done_twice_adds_nothing(bowl: Question, max_: Person) -> None:
    run = start(max_, wanted=2)
    step(run, bowl)
    before = (Question.objects.count(), Screening.objects.count(), JournalEntry.objects.count())
    assert step(run, bowl) == {"known": 2}
    assert (Question.objects.count(), Screening.objects.count(), JournalEntry.objects.count()) == before


def test_the_same_seed_makes_the_same_candidates_of_the_same_picture(bowl: Question, max_: Person) -> None:
    first, second, other = start(max_, wanted=3), start(max_, wanted=3), start(max_, wanted=3, seed=8)
    texts = [{p.edit.edited for p, _ in operations._proposals(*args)} for args in _engines((first, second, other), bowl)]
    assert texts[0] == texts[1] != texts[2]


def _engines(runs: tuple[GenerationRun, ...], question: Question) -> list[tuple[Any, GenerationRun, Question]]:
    return [(operations.registry.load(run.engine, run.parameters), run, question) for run in runs]


def test_a_rejected_proposal_is_kept_with_its_reason(bowl: Question, max_: Person) -> None:
    assert step(play(max_, {"edits": [TEAPOT, BOWLS]}), bowl) == {"candidate": 1, "rejected": 1}
    rejected = Question.objects.get(state="rejected")
    assert rejected.screenings.get(check_name="grammar").detail == "'is' does not agree with 'bowls'"


def test_an_engines_own_doubt_rejects_as_well(bowl: Question, max_: Person) -> None:
    doubt = {"name": "second-look", "passed": False, "score": 0.2, "detail": "A teapot stands on the shelf."}
    assert step(play(max_, {"edits": [TEAPOT], "checks": [doubt]}), bowl) == {"rejected": 1}
    assert Screening.objects.get(check_name="second-look").score == 0.2


def test_an_unsound_original_gets_no_edits_and_the_unit_says_why(bowl: Question, max_: Person) -> None:
    assert step(play(max_, {"unsound": "The bowl cannot be seen."}), bowl) == {"unsound": "The bowl cannot be seen."}
    assert not Question.objects.filter(kind="edited").exists()


def test_a_busy_engine_is_asked_again_and_a_refusing_one_is_not(bowl: Question, max_: Person) -> None:
    with pytest.raises(work.PassingFailure, match="Too many requests"):
        step(play(max_, {"busy": "Too many requests."}), bowl)
    with pytest.raises(EngineRefused, match="No key"):
        step(play(max_, {"refuse": "No key is set."}), bowl)


def test_the_progress_of_a_run_names_what_failed_and_why(bowl: Question, max_: Person) -> None:
    run = play(max_, {"refuse": "No key is set."})
    for lease in leases(run):
        work.park(lease=lease, reason="No key is set.")
    progress = queries.progress(run)
    assert (progress.total, progress.ended) == (1, 1)
    assert [parked.reason for parked in progress.parked] == ["No key is set."]


def test_a_run_is_finished_when_nothing_is_left_to_do(bowl: Question, max_: Person) -> None:
    run = start(max_)
    assert operations.finish_runs() == 0
    done(run)
    assert operations.finish_runs() == 1
    run.refresh_from_db()
    assert run.state == "finished"
    assert run.ended_at is not None
    assert queries.progress(run).questions == {"candidate": 2}
    assert operations.finish_runs() == 0


def test_max_stops_a_run_once_and_what_is_left_is_skipped(bowl: Question, max_: Person) -> None:
    run = start(max_)
    assert operations.stop_run(run=run, by=max_).state == "stopped"
    assert step(run, bowl) == {"skipped": "the run was stopped"}
    with pytest.raises(operations.RunOver):
        operations.stop_run(run=run, by=max_)
    assert JournalEntry.objects.filter(event="run.stopped").count() == 1


def test_an_original_that_was_withdrawn_meanwhile_is_skipped(bowl: Question, max_: Person) -> None:
    run = start(max_)
    Question.objects.filter(pk=bowl.pk).update(state="withdrawn")
    assert step(run, bowl) == {"skipped": "the original was withdrawn"}


def test_the_next_run_goes_on_with_originals_that_have_nothing_yet(bowl: Question, max_: Person) -> None:
    step(start(max_), bowl)
    with pytest.raises(operations.NothingToEdit):
        start(max_)
    fresh = factories.make_original("What is lying on the beanbag?", by=max_)
    run = start(max_)
    assert WorkUnit.objects.get(natural_key__startswith=operations.unit_prefix(run)).payload["question_id"] == fresh.pk
    assert play(max_, {}).question_limit == 2


def test_max_lets_an_engine_edit_again_what_it_edited_before(bowl: Question, max_: Person) -> None:
    done(start(max_, wanted=1))
    with pytest.raises(operations.NothingToEdit, match="let it edit them again"):
        start(max_, seed=8)
    again = start(max_, seed=8, again=True)
    assert WorkUnit.objects.get(natural_key__startswith=operations.unit_prefix(again)).payload["question_id"] == bowl.pk
    done(again)
    texts = list(bowl.children.values_list("text", flat=True))
    assert len(set(texts)) == len(texts)


def test_without_any_original_the_way_is_an_import(max_: Person) -> None:
    for again in (False, True):
        with pytest.raises(operations.NothingToEdit, match="import a source first"):
            start(max_, again=again)


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"limit": 100_001}, {"wanted": 0}, {"wanted": 11}, {"seed": -1}, {"seed": 2**63}]
)
def test_a_number_that_no_run_can_have_is_refused(bowl: Question, max_: Person, wrong: dict[str, int]) -> None:
    with pytest.raises(operations.LimitOutOfRange) as refusal:
        start(max_, **wrong)
    assert refusal.value.field == next(iter(wrong))
    assert not GenerationRun.objects.exists()


def test_an_engine_that_does_not_exist_or_cannot_be_set_up_starts_no_run(bowl: Question, max_: Person) -> None:
    with pytest.raises(UnknownEngine, match="choose one of fake, offline"):
        start(max_, "oracle")
    with pytest.raises(BadScript):
        start(max_, "fake", parameters={"script": ["What?"]})
    assert not WorkUnit.objects.exists()


@pytest.mark.usefixtures("committed_db")
def test_two_workers_on_one_unit_make_each_candidate_once() -> None:
    max_ = factories.make_person("max")
    original = factories.make_original(BOWL, by=max_, answers=["red orange"])
    run = start(max_, wanted=2)
    results = at_once(*[lambda: step(run, original)] * 3)
    assert sorted(results, key=str) == [{"candidate": 2}, {"known": 2}, {"known": 2}]
    assert Question.objects.filter(kind="edited").count() == 2


@pytest.mark.usefixtures("committed_db")
def test_a_run_that_several_sweeps_end_at_once_ends_once() -> None:
    max_ = factories.make_person("max")
    factories.make_original(BOWL, by=max_, answers=["red orange"])
    done(start(max_))
    assert sum(at_once(*[operations.finish_runs] * 4)) == 1
    assert JournalEntry.objects.filter(event="run.finished").count() == 1
