"""FetchHost and FetchSeat: how often, and how many at once, we may ask one host for pictures."""

from datetime import timedelta

from django.db import models
from django.db.models.functions import Now

from annotation.models.base import Stamped, protected


class FetchHost(Stamped):
    """The manners towards one host, all by the database's clock."""

    host = models.CharField(max_length=260, unique=True, help_text="As in Acquisition.host.")
    spacing = models.DurationField(default=timedelta(milliseconds=200), db_default=timedelta(milliseconds=200))
    at_once = models.PositiveSmallIntegerField(default=4, db_default=4, help_text="Requests under way at most.")
    next_slot = models.DateTimeField(db_default=Now(), help_text="No request begins before.")
    paused_until = models.DateTimeField(null=True, blank=True, help_text="The host asked us to wait until then.")
    held = models.BooleanField(default=False, db_default=False, help_text="Paused by a person, until one resumes it.")
    reason = models.TextField(blank=True, db_default="", help_text="What the host said when it asked us to wait.")

    class Meta:
        db_table = "fetch_host"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(spacing__gte=timedelta(0), spacing__lte=timedelta(hours=1)), name="fetch_host_spacing_sane"
            ),
            models.CheckConstraint(condition=models.Q(at_once__gte=1, at_once__lte=64), name="fetch_host_at_once_sane"),
        ]

    def __str__(self) -> str:
        return self.host

    @property
    def spacing_ms(self) -> int:
        """Milliseconds between the beginnings of two requests."""
        return round(self.spacing.total_seconds() * 1000)


class FetchSeat(models.Model):
    """A request under way. One whose worker died is free again when its time is over."""

    host = protected(FetchHost, "seats")
    token = models.UUIDField(unique=True)
    until = models.DateTimeField()

    class Meta:
        db_table = "fetch_seat"
