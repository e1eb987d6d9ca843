"""Decision and AnnotatorSkill: the verdict of record, with the numbers it rests on."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from annotation.models.base import Stamped, known, protected, random_key
from annotation.models.people import Person
from annotation.models.questions import Component, Question
from annotation.models.review import Premise, ReviewItem, Verdict


class Method(models.TextChoices):
    CONSENSUS = "consensus"
    ADJUDICATION = "adjudication"
    IMPORTED = "imported"


class Decision(Stamped):
    """The verdict of record about a question. Insert-only; a later decision supersedes it.

    `numbers` holds what the rule used: prior, skill snapshot, votes and their likelihoods; `votes` are their ids.
    """

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    question = protected(Question, "decisions", db_index=False)
    item = protected(ReviewItem, "decisions", null=True, blank=True)
    verdict = models.CharField(max_length=16, choices=Verdict.choices)
    answer = models.TextField(blank=True, default="")
    premise = models.CharField(max_length=16, choices=Premise.choices, blank=True, default="")
    method = models.CharField(max_length=16, choices=Method.choices)
    rule_version = models.CharField(max_length=40)
    numbers = models.JSONField(default=dict)
    votes = ArrayField(models.BigIntegerField(), default=list, blank=True)
    posterior = models.FloatField(null=True, blank=True)
    comment = models.TextField(blank=True, default="")
    by = protected(Person, "decisions", null=True, blank=True)
    supersedes = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="superseded_by")

    class Meta:
        db_table = "decision"
        constraints = [
            known("verdict", Verdict, "decision_verdict_known"),
            known("method", Method, "decision_method_known"),
            models.CheckConstraint(condition=~Q(method="adjudication") | Q(by__isnull=False), name="decision_adjudicated_by"),
            models.CheckConstraint(
                condition=Q(posterior__isnull=True) | Q(posterior__gte=0, posterior__lte=1), name="decision_posterior_range"
            ),
            models.UniqueConstraint(fields=["question"], condition=Q(supersedes__isnull=True), name="decision_first_once"),
            models.UniqueConstraint(fields=["id", "question"], name="decision_identity"),
        ]
        indexes = [models.Index(fields=["question", "-id"], name="decision_by_question")]


class AnnotatorSkill(Stamped):
    """Sensitivity and specificity of one person by component, as Beta counts. A version, once written, never changes."""

    person = protected(Person, "skills")
    component = models.CharField(max_length=16, choices=Component.choices)
    version = models.PositiveIntegerField()
    sensitivity_hits = models.FloatField()
    sensitivity_misses = models.FloatField()
    specificity_hits = models.FloatField()
    specificity_misses = models.FloatField()
    controls = models.PositiveIntegerField()

    class Meta:
        db_table = "annotator_skill"
        constraints = [models.UniqueConstraint(fields=["person", "component", "version"], name="annotator_skill_once")]
