"""What was submitted on which release, and what it is worth."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import Missing
from annotation.evaluation.scoring import Gold
from annotation.models import Release, Score, ScoreState, Submission, WorkState, WorkUnit

SCORE_KIND = "score"


class SubmissionUnknown(Missing):
    """There is no submission of this key."""

    code = "submission-unknown"


def golds_of(release: Release) -> list[Gold]:
    """The release's rows as the scorer needs them, in the release's order."""
    return [gold_of(content) for content in release.rows.order_by("position").values_list("content", flat=True)]


def gold_of(row: dict[str, Any]) -> Gold:
    """One sealed row as the scorer needs it."""
    return Gold(
        row_id=row["id"],
        is_unanswerable=row["is_unanswerable"],
        answers=tuple(row["answers"]),
        options=tuple(row["options"]),
        question=row["question"],
        accepts_refusal=row["accepts_refusal"],
        pair=row["pair"],
        cluster=row["image"]["cluster"],
        split=row["split"],
        source=row["data_source"],
        component=row["component"],
        prompt_setting=row["prompt_setting"],
    )


def submissions(release: Release | None = None) -> QuerySet[Submission]:
    """Submissions, newest first, on one release or on all; each with its finished scores as `finished_scores`."""
    finished = Score.objects.filter(state=ScoreState.FINISHED).order_by("-pk")
    rows = Submission.objects.select_related("release", "by").order_by("-pk")
    rows = rows.prefetch_related(Prefetch("scores", queryset=finished, to_attr="finished_scores"))
    return rows if release is None else rows.filter(release=release)


def submission_by_key(key: str) -> Submission:
    """One submission by its public key. Raises SubmissionUnknown."""
    found = submissions().filter(key=key).first()
    if found is None:
        raise SubmissionUnknown(_("There is no such submission. Open the release to see what was submitted on it."))
    return found


def newest_score(submission: Submission) -> Score | None:
    """The score by the newest rules, finished or not."""
    return submission.scores.order_by("-pk").first()


def units_to_do(submission: Submission) -> list[WorkUnit]:
    """The work that a submission waits for and that nobody has taken."""
    return list(WorkUnit.objects.filter(natural_key__startswith=f"{SCORE_KIND}:{submission.key}:", state=WorkState.READY))
