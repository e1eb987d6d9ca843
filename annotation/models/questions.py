"""Question and Edit: originals, their edited twins, and the one change between them."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Length, Substr

from annotation.models.base import Stamped, known, protected, random_key
from annotation.models.images import Image
from annotation.models.people import Person
from annotation.models.sources import ImportBatch, Source


class Kind(models.TextChoices):
    ORIGINAL = "original"
    EDITED = "edited"
    MIRROR = "mirror"


class PromptSetting(models.TextChoices):
    BASE = "base"
    OPTION = "option"
    INSTRUCTION = "instruction"


class QuestionState(models.TextChoices):
    """`active` originals and mirrors may be reviewed; edits start as `candidate` or end as `rejected` by screening."""

    ACTIVE = "active"
    CANDIDATE = "candidate"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class Component(models.TextChoices):
    OBJECT = "object"
    RELATION = "relation"
    ATTRIBUTE = "attribute"


class EditOperation(models.TextChoices):
    REPLACE = "replace"
    SWAP = "swap"
    ADD = "add"


class Edit(Stamped):
    """The change of one ORA component: which phrase stood where, what stands there now, which premise fails.

    `span_start` and `span_end` count characters (code points) of `original_text`, from 0.
    """

    component = models.CharField(max_length=16, choices=Component.choices)
    operation = models.CharField(max_length=16, choices=EditOperation.choices)
    subtype = models.CharField(max_length=40, blank=True)
    original_text = models.TextField()
    span_start = models.PositiveIntegerField()
    span_end = models.PositiveIntegerField()
    old_phrase = models.TextField(blank=True)
    new_phrase = models.TextField(blank=True)
    tuples = models.JSONField(default=list)
    falsified = models.JSONField(null=True, blank=True, help_text="The tuple that the picture does not support.")
    reason = models.TextField(help_text="The presupposition that fails.")
    hint_box = ArrayField(models.FloatField(), size=4, null=True, blank=True, help_text="Where counter-evidence may be.")
    engine = models.CharField(max_length=80, help_text="Engine and version, or the person who wrote it.")

    class Meta:
        db_table = "edit"
        constraints = [
            known("component", Component, "edit_component_known"),
            known("operation", EditOperation, "edit_operation_known"),
            models.CheckConstraint(
                condition=Q(old_phrase=Substr("original_text", F("span_start") + Value(1), F("span_end") - F("span_start"))),
                name="edit_span_is_old_phrase",
            ),
            models.CheckConstraint(
                condition=Q(span_end__gte=F("span_start"), span_end__lte=Length("original_text")), name="edit_span_inside"
            ),
            models.CheckConstraint(condition=~Q(old_phrase=F("new_phrase")), name="edit_changes_something"),
        ]


class Question(Stamped):
    """A question about an image. `text_hash` is that of the normalised text and options.

    Indexes are most of what adding a question costs, so there are none but those a statement of ours looks into:
    `question_once` finds by picture, and whoever imported a row, or from which batch, is read from the row alone.
    """

    key = models.CharField(max_length=22, default=random_key, editable=False)
    image = protected(Image, "questions", db_index=False)
    source = protected(Source, "questions")
    batch = protected(ImportBatch, "questions", null=True, blank=True, db_index=False)
    source_row = models.CharField(max_length=120, blank=True, help_text="The row's own id in its source.")
    text = models.TextField()
    text_hash = models.CharField(max_length=64)
    options = ArrayField(models.TextField(), default=list, blank=True)
    prompt_setting = models.CharField(max_length=16, choices=PromptSetting.choices, default=PromptSetting.BASE)
    family = models.CharField(max_length=40, blank=True)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    state = models.CharField(max_length=16, choices=QuestionState.choices)
    answers = ArrayField(models.TextField(), default=list, blank=True, help_text="Reference answers, any of them right.")
    box = ArrayField(models.FloatField(), size=4, null=True, blank=True, help_text="Where the answer is, if known.")
    parent = protected("self", "children", null=True, blank=True, db_index=False)
    edit = protected(Edit, "questions", null=True, blank=True, db_index=False)
    run = protected("annotation.GenerationRun", "questions", null=True, blank=True, db_index=False)
    by = protected(Person, "questions", db_index=False)
    extra = models.JSONField(default=dict, blank=True, help_text="Raw values of the source that have no column.")

    class Meta:
        db_table = "question"
        constraints = [
            known("kind", Kind, "question_kind_known"),
            known("state", QuestionState, "question_state_known"),
            known("prompt_setting", PromptSetting, "question_prompt_setting_known"),
            models.CheckConstraint(
                condition=Q(kind="original", parent__isnull=True, edit__isnull=True, state__in=["active", "withdrawn"])
                | Q(kind="edited", parent__isnull=False, edit__isnull=False, state__in=["candidate", "rejected", "withdrawn"])
                | Q(kind="mirror", parent__isnull=False, edit__isnull=True, state__in=["active", "withdrawn"]),
                name="question_kind_parent_edit_state",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="question_has_text"),
            models.UniqueConstraint(fields=["image", "text_hash", "kind"], name="question_once"),
            models.UniqueConstraint(fields=["key"], name="question_key_once"),
        ]
        indexes = [
            models.Index(fields=["kind", "state", "-id"], name="question_by_kind"),
            models.Index(fields=["parent"], condition=Q(parent__isnull=False), name="question_by_parent"),
            models.Index(fields=["edit"], condition=Q(edit__isnull=False), name="question_by_edit"),
            models.Index(fields=["run"], condition=Q(run__isnull=False), name="question_by_run"),
        ]

    def __str__(self) -> str:
        return self.text


class Screening(Stamped):
    """One automatic check of one question. It screens and ranks; it never counts as a vote."""

    question = protected(Question, "screenings")
    check_name = models.CharField(max_length=40)
    version = models.PositiveIntegerField()
    passed = models.BooleanField()
    score = models.FloatField(null=True, blank=True)
    detail = models.TextField(blank=True)

    class Meta:
        db_table = "screening"
        constraints = [models.UniqueConstraint(fields=["question", "check_name", "version"], name="screening_once")]
