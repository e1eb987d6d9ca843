"""ImageLook, ImageLikeness and ClusterRuling: what pictures look like, which are copies, and what people said about it."""

from django.db import models
from django.db.models.functions import Length, Trim

from annotation.models.base import Stamped, protected
from annotation.models.images import Image
from annotation.models.people import Person


def _pair_ordered(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=models.Q(one__lt=models.F("other")), name=name)


class ImageLook(models.Model):
    """A small grey view of a picture and its hashes (see `images.looks`); can be made anew from the pyramid.

    Rows are only added under the lock of clusters, so that a larger id was committed later.
    """

    image = models.OneToOneField(Image, on_delete=models.PROTECT, related_name="look")
    version = models.PositiveSmallIntegerField(help_text="Of the rule.")
    thumb = models.BinaryField()
    telling = models.BooleanField(help_text="Whether there is enough in it to judge by.")
    hash_whole = models.BigIntegerField()
    hash_trimmed = models.BigIntegerField()
    hash_inner = models.BigIntegerField()

    class Meta:
        db_table = "image_look"

    def __str__(self) -> str:
        return f"look of {self.image_id}"


class ImageLikeness(models.Model):
    """Two pictures that a version of the rule found to be copies of one, and its figures (see `images.likeness`)."""

    one = protected(Image, "likenesses")
    other = protected(Image, "likenesses_of_older")
    version = models.PositiveSmallIntegerField()
    mirrored = models.BooleanField()
    bits = models.PositiveSmallIntegerField(help_text="That differ between the nearest two hashes, of 63.")
    correlation = models.FloatField()
    detail = models.FloatField()
    worst = models.FloatField()
    overlap = models.FloatField()

    class Meta:
        db_table = "image_likeness"
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="image_likeness_once"),
            _pair_ordered("image_likeness_ordered"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} is like {self.other_id}"


class ClusterRuling(Stamped):
    """A person says that two pictures are the same one, or are not; the newest of a pair stands. Insert-only."""

    one = protected(Image, "rulings")
    other = protected(Image, "rulings_of_older")
    same = models.BooleanField()
    by = protected(Person, "cluster_rulings")
    reason = models.TextField()

    class Meta:
        db_table = "cluster_ruling"
        indexes = [models.Index(fields=["one", "other", "-id"], name="cluster_ruling_newest")]
        constraints = [
            _pair_ordered("cluster_ruling_ordered"),
            models.CheckConstraint(
                condition=models.lookups.GreaterThan(Length(Trim("reason")), 0), name="cluster_ruling_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}: {'same' if self.same else 'different'}"
