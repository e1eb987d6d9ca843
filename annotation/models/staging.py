"""ImportedRow: what an import read and has not made a question of yet; UploadedFile: a file to import that came by a page."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import RandomUUID
from django.db import models

from annotation.models.base import Stamped, known, protected, random_key
from annotation.models.images import Acquisition
from annotation.models.people import Person
from annotation.models.questions import PromptSetting
from annotation.models.sources import ImportBatch, Source


class ImportedRow(models.Model):
    """One row of a file that waits: for the file to be read whole, then for its picture.

    `reach` is the largest x1, y1, x2, y2 of all boxes and points, for judging them once the picture is here.
    `question_key` becomes the public key of the question that is made of the row.
    """

    batch = protected(ImportBatch, "waiting", db_index=False)
    acquisition = protected(Acquisition, "waiting")
    line = models.PositiveBigIntegerField()
    question_key = models.UUIDField(db_default=RandomUUID(), editable=False)
    source_row = models.CharField(max_length=120, blank=True)
    text = models.TextField()
    text_hash = models.CharField(max_length=64)
    options = ArrayField(models.TextField(), default=list)
    prompt_setting = models.CharField(max_length=16, choices=PromptSetting.choices)
    family = models.CharField(max_length=40, blank=True)
    answers = ArrayField(models.TextField(), default=list)
    box = ArrayField(models.FloatField(), size=4, null=True)
    reach = ArrayField(models.FloatField(), size=4, null=True)
    unanswerable = models.BooleanField()
    reason = models.TextField(blank=True, help_text="Of an unanswerable row: which presupposition fails.")
    extra = models.JSONField(default=dict)

    class Meta:
        db_table = "imported_row"
        constraints = [known("prompt_setting", PromptSetting, "imported_row_prompt_setting_known")]
        indexes = [
            models.Index(fields=["batch", "id"], name="imported_row_order"),
            models.Index(fields=["batch", "id"], condition=models.Q(unanswerable=True), name="imported_row_edits"),
        ]


class UploadedFile(Stamped):
    """A file that a maintainer brought by a page, kept for its import and for going on with it."""

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    source = protected(Source, "uploads")
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    byte_size = models.PositiveBigIntegerField()
    storage_key = models.CharField(max_length=120)
    by = protected(Person, "uploads")

    class Meta:
        db_table = "uploaded_file"
        constraints = [models.UniqueConstraint(fields=["source", "sha256"], name="uploaded_file_once")]
