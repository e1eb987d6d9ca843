"""Submission and Score: a model's predictions on a release, and what they are worth."""

from django.db import models
from django.db.models import Q

from annotation.models.base import Stamped, known, protected, random_key
from annotation.models.people import Person
from annotation.models.releases import Release


class ScoreState(models.TextChoices):
    WAITING = "waiting"
    FINISHED = "finished"
    FAILED = "failed"


class Submission(Stamped):
    """Predictions of one model on one release; the same bytes under the same options are the same submission."""

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    release = protected(Release, "submissions")
    model = models.CharField(max_length=200)
    predictions_sha256 = models.CharField(max_length=64)
    storage_key = models.CharField(max_length=200)
    options = models.JSONField(default=dict)
    by = protected(Person, "submissions")

    class Meta:
        db_table = "submission"
        constraints = [
            models.UniqueConstraint(fields=["release", "model", "predictions_sha256", "options"], name="submission_once")
        ]


class Score(Stamped):
    """Metrics of a submission with their intervals and rule versions. A trigger refuses to change a finished score."""

    submission = protected(Submission, "scores")
    scorer_version = models.CharField(max_length=40)
    refusal_rules_version = models.CharField(max_length=40)
    state = models.CharField(max_length=16, choices=ScoreState.choices, default=ScoreState.WAITING)
    metrics = models.JSONField(default=dict)
    fault = models.TextField(blank=True)

    class Meta:
        db_table = "score"
        constraints = [
            known("state", ScoreState, "score_state_known"),
            models.CheckConstraint(condition=~Q(state="finished") | ~Q(metrics={}), name="score_finished_has_metrics"),
            models.UniqueConstraint(fields=["submission", "scorer_version", "refusal_rules_version"], name="score_once"),
        ]
