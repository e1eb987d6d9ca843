"""Source, ImportBatch, ImportProblem: where originals come from, what was read, what was rejected and why."""

from django.db import models

from annotation.models.base import Stamped, known, protected
from annotation.models.people import Person

UNKNOWN_LICENCE = "unknown"


class Source(Stamped):
    """A published dataset (or a custom one) with its licence; an `unknown` licence blocks releases."""

    key = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=200)
    homepage = models.URLField(blank=True)
    licence = models.CharField(max_length=80, default=UNKNOWN_LICENCE, help_text="SPDX identifier, or unknown.")
    images_redistributable = models.BooleanField(default=False)
    citation = models.TextField(blank=True)

    class Meta:
        db_table = "source"

    def __str__(self) -> str:
        return self.name


class ImportState(models.TextChoices):
    READING = "reading"
    DONE = "done"
    ABORTED = "aborted"


class ImportBatch(Stamped):
    """One reading of one file: done whole or not at all."""

    source = protected(Source, "batches")
    file_name = models.CharField(max_length=255)
    file_sha256 = models.CharField(max_length=64)
    importer = models.CharField(max_length=40)
    importer_version = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=ImportState.choices, default=ImportState.READING)
    fault = models.TextField(blank=True, help_text="Why an aborted batch was aborted.")
    rows_read = models.PositiveIntegerField(default=0)
    rows_accepted = models.PositiveIntegerField(default=0)
    rows_known = models.PositiveIntegerField(default=0, help_text="Rows that were here before.")
    rows_rejected = models.PositiveIntegerField(default=0)
    by = protected(Person, "imports")

    class Meta:
        db_table = "import_batch"
        constraints = [
            known("state", ImportState, "import_batch_state_known"),
            models.UniqueConstraint(
                fields=["source", "file_sha256", "importer", "importer_version"],
                condition=~models.Q(state="aborted"),
                name="import_batch_once",
            ),
        ]


class ImportProblem(Stamped):
    """A row that was rejected: where it stands, which field, what was found, why not."""

    batch = protected(ImportBatch, "problems")
    line = models.PositiveIntegerField()
    field = models.CharField(max_length=80, blank=True)
    value = models.CharField(max_length=400, blank=True)
    reason = models.TextField()

    class Meta:
        db_table = "import_problem"
        indexes = [models.Index(fields=["batch", "line"], name="import_problem_place")]
