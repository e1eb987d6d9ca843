"""Takedown and Erratum: a picture whose bytes were destroyed on request, and what users of releases are told of it."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Length, Trim
from django.db.models.lookups import GreaterThan

from annotation.models.base import Stamped, protected, random_key
from annotation.models.images import Image
from annotation.models.people import Person
from annotation.models.releases import Release


class Takedown(Stamped):
    """Somebody had the right to ask for it, and a maintainer did it. Insert-only; the image stays as a tombstone.

    `reason` and `asked_by` may hold names, so they stand here only: not in the journal, not in releases.
    """

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    image = models.OneToOneField(Image, on_delete=models.PROTECT, related_name="takedown")
    reason = models.TextField()
    asked_by = models.CharField(max_length=200)
    storage_keys = ArrayField(models.CharField(max_length=120), help_text="Where the bytes were: to be erased, and again.")
    by = protected(Person, "takedowns")

    class Meta:
        db_table = "takedown"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(GreaterThan(Length(Trim("reason")), 0)) & models.Q(GreaterThan(Length(Trim("asked_by")), 0)),
                name="takedown_is_explained",
            )
        ]

    def __str__(self) -> str:
        return self.key


class Erratum(Stamped):
    """What is wrong with some rows of a release that was published before it was known. Insert-only; files stay frozen."""

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    release = protected(Release, "errata")
    takedown = protected(Takedown, "errata", null=True, blank=True)
    row_ids = ArrayField(models.CharField(max_length=64), help_text="Of the release's rows, as in its files.")
    text = models.TextField(help_text="For whoever uses the release.")
    by = protected(Person, "errata")

    class Meta:
        db_table = "erratum"
        verbose_name_plural = "errata"
        constraints = [
            models.UniqueConstraint(fields=["release", "takedown"], name="erratum_once_per_takedown"),
            models.CheckConstraint(condition=models.Q(row_ids__len__gt=0), name="erratum_names_rows"),
        ]

    def __str__(self) -> str:
        return self.key
