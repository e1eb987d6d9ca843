"""Source, ImportBatch, ImportProblem: where originals come from, what was read, what was rejected and why."""

from django.db import models

from annotation.models.base import Stamped, known, protected, random_key
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
    """`reading`: rows wait until the file is read whole; `storing`: it is, and rows whose pictures are here become
    questions; `done`: they did. Rows of a done import may wait for their pictures."""

    READING = "reading"
    STORING = "storing"
    DONE = "done"
    ABORTED = "aborted"


class ImportBatch(Stamped):
    """One reading of one file: done whole or not at all.

    `staged_line` is the last line whose findings are here, and `staged_on_line` how many of them, so that a reading that
    was cut off goes on behind them. Every row that was read is counted once: accepted, known, waiting (for its picture,
    or to be stored), left out, or rejected.
    """

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    source = protected(Source, "batches")
    file_name = models.CharField(max_length=255)
    file_sha256 = models.CharField(max_length=64)
    file_lines = models.PositiveBigIntegerField(default=0, help_text="Line ends in the file, to tell how far reading is.")
    importer = models.CharField(max_length=40)
    importer_version = models.PositiveIntegerField()
    encoding = models.CharField(max_length=40, blank=True, default="", help_text="Of a text, as it was declared or detected.")
    options = models.JSONField(default=dict, blank=True, help_text="What the person chose about the reading.")
    options_sha256 = models.CharField(max_length=64, blank=True, default="", help_text="Empty where nothing was chosen.")
    state = models.CharField(max_length=16, choices=ImportState.choices, default=ImportState.READING)
    fault = models.TextField(blank=True, help_text="Why an aborted batch was aborted.")
    staged_line = models.PositiveBigIntegerField(default=0)
    staged_on_line = models.PositiveBigIntegerField(default=0)
    rows_read = models.PositiveIntegerField(default=0)
    rows_accepted = models.PositiveIntegerField(default=0)
    rows_known = models.PositiveIntegerField(default=0, help_text="Rows that were here before.")
    rows_waiting = models.PositiveIntegerField(default=0, help_text="Rows that are read and no questions yet.")
    rows_left_out = models.PositiveIntegerField(default=0, help_text="Sound rows that the import's own filter leaves out.")
    rows_rejected = models.PositiveIntegerField(default=0)
    left_out = models.JSONField(default=dict, blank=True, help_text="Reason -> rows.")
    ignored = models.JSONField(default=dict, blank=True, help_text="Fields that the layout does not know -> rows.")
    by = protected(Person, "imports")

    class Meta:
        db_table = "import_batch"
        constraints = [
            known("state", ImportState, "import_batch_state_known"),
            models.UniqueConstraint(
                fields=["source", "file_sha256", "importer", "importer_version", "options_sha256"],
                condition=~models.Q(state="aborted"),
                name="import_batch_once",
            ),
            models.CheckConstraint(
                condition=~models.Q(state__in=["storing", "done"])
                | models.Q(
                    rows_read=models.F("rows_accepted")
                    + models.F("rows_known")
                    + models.F("rows_waiting")
                    + models.F("rows_left_out")
                    + models.F("rows_rejected")
                ),
                name="import_batch_counts_add_up",
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
        indexes = [
            models.Index(fields=["batch", "line"], name="import_problem_place"),
            models.Index(fields=["batch", "id"], name="import_problem_order"),
        ]
