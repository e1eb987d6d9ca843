"""LicenceRuling: a maintainer's written word that rows of a source without a known licence may be released, or not any more."""

from django.db import models
from django.db.models.functions import Length, Trim
from django.db.models.lookups import GreaterThan

from annotation.models.base import Stamped, protected
from annotation.models.people import Person
from annotation.models.sources import Source


class LicenceRuling(Stamped):
    """The newest ruling on a source holds. Insert-only. It says nothing about a source whose licence is known."""

    source = protected(Source, "licence_rulings")
    allowed = models.BooleanField()
    reason = models.TextField(help_text="Goes out with releases: no names of people.")
    by = protected(Person, "licence_rulings")

    class Meta:
        db_table = "licence_ruling"
        constraints = [
            models.CheckConstraint(condition=models.Q(GreaterThan(Length(Trim("reason")), 0)), name="licence_ruling_has_reason")
        ]
        indexes = [models.Index(fields=["source", "-id"], name="licence_ruling_newest")]

    def __str__(self) -> str:
        return f"{'yes' if self.allowed else 'no'} to {self.source_id}"
