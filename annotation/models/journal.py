"""JournalEntry and Checkpoint: who did what to what, sealed by Merkle checkpoints. Insert-only."""

from django.db import models

from annotation.models.base import Stamped, protected
from annotation.models.people import Person


class JournalEntry(Stamped):
    """One event. `before` and `after` never hold names or mail; `actor` is empty for the system itself."""

    event = models.CharField(max_length=60)
    actor = protected(Person, "journal", null=True, blank=True)
    subject_type = models.CharField(max_length=40)
    subject_id = models.BigIntegerField()
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)

    class Meta:
        db_table = "journal_entry"
        indexes = [
            models.Index(fields=["subject_type", "subject_id", "-id"], name="journal_by_subject"),
            models.Index(fields=["event", "-id"], name="journal_by_event"),
        ]


class Checkpoint(Stamped):
    """A seal over all entries up to `last_entry`: the Merkle root, chained to the checkpoint before."""

    last_entry = models.BigIntegerField(unique=True)
    entries = models.PositiveBigIntegerField()
    root = models.CharField(max_length=64)
    previous = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="next")
    chained = models.CharField(max_length=64, unique=True, help_text="sha256 of the previous chained value and this root.")
    signature = models.CharField(max_length=200, blank=True)

    class Meta:
        db_table = "checkpoint"
