"""Researchers submit predictions on a release and get a score that anybody can compute again."""

import json
from typing import Any

import pytest

from annotation.errors import DomainError
from annotation.evaluation import operations, queries
from annotation.evaluation.submissions import PredictionsInvalid
from annotation.models import Decision, JournalEntry, Person, Release, Score, Submission, WorkUnit
from annotation.releases import operations as releases
from annotation.releases.queries import ReleaseUnknown
from tests.decided import PLAN, built_release, decide
from tests.people import make_person


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


@pytest.fixture
def release(max_: Person) -> Release:
    return built_release(by=max_)


def perfect(release: Release, **changes: Any) -> bytes:
    lines = []
    for row_id, content in release.rows.values_list("row_id", "content"):
        refused = content["is_unanswerable"]
        lines.append({"row_id": row_id, "prediction": "" if refused else content["answers"][0], "refused": refused} | changes)
    return "\n".join(map(json.dumps, lines)).encode()


def submit(release: Release, predictions: bytes | None = None, **values: Any) -> Submission:
    defaults = {"model": "kettle-7b", "by": make_person("max"), "predictions": predictions or perfect(release)}
    return operations.submit(release_key=release.key, **{**defaults, **values})


def scored(submission: Submission) -> Score:
    (unit,) = WorkUnit.objects.filter(kind="score", natural_key__contains=submission.key)
    return operations.score(score_id=unit.payload["score_id"])


def figure(score: Score, name: str) -> float:
    return score.metrics["overall"]["figures"][name]["value"]


def test_a_perfect_model_scores_perfectly(release: Release) -> None:
    score = scored(submit(release))
    assert score.state == "finished"
    assert (score.scorer_version, score.refusal_rules_version) == ("score-2", "refusal-1")
    assert [figure(score, name) for name in ("accuracy", "refusal_f1", "reliability", "dual_accuracy", "phi_10")] == [1] * 5
    assert set(score.metrics["by"]["split"]) == {"train", "test"}
    assert score.metrics["by"]["component"]["object"]["counts"]["rows"] == 6


def test_what_a_model_leaves_out_is_wrong(release: Release) -> None:
    predictions = b"\n".join(perfect(release).split(b"\n")[:1])
    score = scored(submit(release, predictions))
    assert score.metrics["overall"]["counts"]["missing"] == 5
    assert figure(score, "reliability") == pytest.approx(1 / 6)


def test_the_same_predictions_are_the_same_submission(release: Release) -> None:
    assert submit(release) == submit(release)
    assert submit(release, options={"refusal_credit": 0}) != submit(release)
    assert submit(release, model="kettle-13b") != submit(release)
    assert Submission.objects.count() == 3
    assert JournalEntry.objects.filter(event="submission.received").count() == 3


def test_a_declared_credit_of_nothing_is_used(release: Release) -> None:
    score = scored(submit(release, options={"refusal_credit": 0}))
    assert figure(score, "phi_1") == pytest.approx(0.5)


def test_scoring_again_gives_the_finished_score_back(release: Release) -> None:
    submission = submit(release)
    first = scored(submission)
    assert scored(submission).metrics == first.metrics
    assert JournalEntry.objects.filter(event="submission.scored").count() == 1
    assert queries.newest_score(submission) == first
    assert operations.request_score(submission=submission) == first


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        ({"model": " "}, operations.ModelInvalid),
        ({"model": "x" * 201}, operations.ModelInvalid),
        ({"options": {"judge": "x"}}, operations.OptionsInvalid),
        ({"options": {"refusal_credit": True}}, operations.OptionsInvalid),
        ({"options": {"refusal_credit": 0.5}}, operations.OptionsInvalid),
        ({"predictions": b"nonsense"}, PredictionsInvalid),
        ({"predictions": b'{"row_id": "strange", "prediction": "x"}'}, PredictionsInvalid),
    ],
)
def test_what_cannot_be_scored_is_refused_and_leaves_nothing(
    release: Release, values: dict[str, Any], refusal: type[DomainError]
) -> None:
    with pytest.raises(refusal):
        submit(release, **values)
    assert not Submission.objects.exists()
    assert not WorkUnit.objects.filter(kind="score").exists()


def test_a_draft_takes_no_predictions(max_: Person) -> None:
    draft = releases.draft_release(version="2.0", plan=PLAN, by=max_)
    with pytest.raises(operations.NotOpenForScoring):
        submit(draft, b'{"row_id": "a", "prediction": "x"}')


def test_a_withdrawn_release_takes_no_more_predictions(release: Release, max_: Person) -> None:
    releases.publish_release(release_key=release.key, by=max_)
    submit(release)
    releases.withdraw_release(release_key=release.key, reason="wrong", by=max_)
    with pytest.raises(operations.NotOpenForScoring):
        submit(release, model="late")


def test_a_release_or_submission_that_is_not_there_is_said_to_be_missing(max_: Person) -> None:
    with pytest.raises(ReleaseUnknown):
        operations.submit(release_key="nowhere", model="m", predictions=b"", by=max_)
    with pytest.raises(queries.SubmissionUnknown):
        queries.submission_by_key("nowhere")


def test_submissions_are_listed_newest_first_with_their_finished_scores(release: Release) -> None:
    first = submit(release)
    scored(first)
    second = submit(release, model="kettle-13b")
    listed = list(queries.submissions(release))
    assert listed == [second, first]
    assert [len(each.finished_scores) for each in listed] == [0, 1]  # type: ignore[attr-defined]
    assert queries.submission_by_key(first.key) == first
    assert list(queries.submissions()) == listed


def test_the_rows_of_a_release_are_read_as_gold_in_their_order(release: Release) -> None:
    golds = queries.golds_of(release)
    assert [gold.row_id for gold in golds] == list(release.rows.order_by("position").values_list("row_id", flat=True))
    assert {gold.is_unanswerable for gold in golds} == {True, False}
    assert all(gold.pair and gold.cluster and gold.split for gold in golds)


def test_scores_of_one_release_do_not_move_when_more_is_decided(release: Release) -> None:
    submission = submit(release)
    for decision in Decision.objects.all():
        decide(decision.question, "ambiguous", supersedes=decision)
    assert scored(submission).metrics["overall"]["counts"]["rows"] == 6
