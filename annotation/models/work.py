"""WorkUnit: the one table of background work. Only `annotation.work` writes it."""

from django.db import models
from django.db.models.functions import Now

from annotation.models.base import Stamped, known


class WorkState(models.TextChoices):
    READY = "ready"
    LEASED = "leased"
    DONE = "done"
    PARKED = "parked"


class WorkUnit(Stamped):
    """Something to be done once, known by its natural key; a message on the broker only says "look"."""

    kind = models.CharField(max_length=40)
    queue = models.CharField(max_length=16)
    natural_key = models.CharField(max_length=200, unique=True)
    payload = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=WorkState.choices, default=WorkState.READY)
    attempts = models.PositiveIntegerField(default=0)
    lease_token = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    leased_by = models.CharField(max_length=120, blank=True)
    not_before = models.DateTimeField(db_default=Now())
    hinted_at = models.DateTimeField(null=True, blank=True, help_text="When a worker was last told to look.")
    result = models.JSONField(null=True, blank=True)
    reason = models.TextField(blank=True, help_text="Why the last attempt failed or the unit is parked.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "work_unit"
        constraints = [
            known("state", WorkState, "work_unit_state_known"),
            models.CheckConstraint(
                condition=models.Q(state="leased", lease_token__isnull=False, leased_until__isnull=False)
                | (~models.Q(state="leased") & models.Q(lease_token__isnull=True, leased_until__isnull=True)),
                name="work_unit_leased_has_lease",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["done", "parked"], finished_at__isnull=False)
                | (models.Q(state__in=["ready", "leased"]) & models.Q(finished_at__isnull=True)),
                name="work_unit_ended_has_stamp",
            ),
        ]
        indexes = [
            models.Index(fields=["not_before"], condition=models.Q(state="ready"), name="work_unit_ready"),
            models.Index(fields=["leased_until"], condition=models.Q(state="leased"), name="work_unit_leases"),
            models.Index(
                fields=["natural_key"],
                opclasses=["varchar_pattern_ops"],
                condition=models.Q(state="parked"),
                name="work_unit_parked",
            ),
        ]
