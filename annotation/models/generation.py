"""GenerationRun and the insert-only record of model calls: request, raw reply, class of the reply."""

from django.db import models
from django.db.models import Q

from annotation.models.base import Stamped, known, protected, random_key
from annotation.models.people import Person


class RunState(models.TextChoices):
    RUNNING = "running"
    STOPPED = "stopped"
    FINISHED = "finished"


class ReplyKind(models.TextChoices):
    OK = "ok"
    MALFORMED = "malformed"
    REFUSAL = "refusal"
    TRUNCATED = "truncated"
    FILTERED = "filtered"
    ERROR = "error"


class GenerationRun(Stamped):
    """One request to make candidates. Money is in millionths of a US dollar; a trigger refuses to reserve past the budget."""

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    engine = models.CharField(max_length=40)
    engine_version = models.CharField(max_length=40)
    model = models.CharField(max_length=120, blank=True)
    prompt_version = models.CharField(max_length=40, blank=True)
    prompt_hash = models.CharField(max_length=64, blank=True)
    parameters = models.JSONField(default=dict)
    seed = models.PositiveBigIntegerField()
    question_limit = models.PositiveIntegerField()
    budget = models.PositiveBigIntegerField(default=0)
    reserved = models.PositiveBigIntegerField(default=0)
    spent = models.PositiveBigIntegerField(default=0)
    state = models.CharField(max_length=16, choices=RunState.choices, default=RunState.RUNNING)
    ended_at = models.DateTimeField(null=True, blank=True)
    by = protected(Person, "generation_runs")

    class Meta:
        db_table = "generation_run"
        constraints = [
            known("state", RunState, "generation_run_state_known"),
            models.CheckConstraint(
                condition=Q(state="running", ended_at__isnull=True) | (~Q(state="running") & Q(ended_at__isnull=False)),
                name="generation_run_ended_has_stamp",
            ),
        ]


class ModelCall(Stamped):
    """A request as it was sent, written before it is sent. Insert-only."""

    run = protected(GenerationRun, "calls")
    natural_key = models.CharField(max_length=64, unique=True, help_text="sha256 of the canonical request.")
    step = models.CharField(max_length=16)
    model = models.CharField(max_length=120)
    request = models.JSONField()
    bound = models.PositiveBigIntegerField(help_text="The most this call may cost.")

    class Meta:
        db_table = "model_call"


class ModelReply(Stamped):
    """What came back, byte for byte. Insert-only."""

    call = protected(ModelCall, "replies")
    attempt = models.PositiveIntegerField()
    raw = models.BinaryField()
    model_served = models.CharField(max_length=120, blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    cost = models.PositiveBigIntegerField(null=True, blank=True)
    latency_ms = models.PositiveIntegerField()

    class Meta:
        db_table = "model_reply"
        constraints = [models.UniqueConstraint(fields=["call", "attempt"], name="model_reply_once")]


class ReplyClass(Stamped):
    """What kind of reply it was, by one version of the classifier. Insert-only."""

    reply = protected(ModelReply, "classes")
    classifier_version = models.PositiveIntegerField()
    kind = models.CharField(max_length=16, choices=ReplyKind.choices)
    detail = models.TextField(blank=True)

    class Meta:
        db_table = "reply_class"
        constraints = [
            known("kind", ReplyKind, "reply_class_kind_known"),
            models.UniqueConstraint(fields=["reply", "classifier_version"], name="reply_class_once"),
        ]
