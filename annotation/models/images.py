"""Acquisition and Image: pictures that are wanted, and pictures that are here."""

from django.db import models

from annotation.models.base import Stamped, known, protected, random_key
from annotation.models.sources import Source


class AcquisitionState(models.TextChoices):
    WANTED = "wanted"
    FETCHING = "fetching"
    STORED = "stored"
    GONE = "gone"
    MISMATCH = "mismatch"
    REFUSED = "refused"
    THROTTLED = "throttled"


class PyramidState(models.TextChoices):
    WAITING = "waiting"
    TILED = "tiled"
    FAILED = "failed"


class Image(Stamped):
    """One picture whose bytes are stored, known by the sha256 of its original bytes.

    `width` and `height` are those of the upright original (EXIF orientation applied): the one coordinate space.
    """

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    sha256 = models.CharField(max_length=64, unique=True)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    format = models.CharField(max_length=16)
    byte_size = models.PositiveBigIntegerField()
    source = protected(Source, "images")
    attribution = models.TextField(blank=True)
    licence = models.CharField(max_length=80, blank=True, help_text="Where it differs from its source's.")
    difference_hash = models.CharField(max_length=16, blank=True)
    average_hash = models.CharField(max_length=16, blank=True)
    cluster = models.PositiveBigIntegerField(null=True, blank=True, help_text="Near-duplicates share a cluster.")
    storage_key = models.CharField(max_length=120, unique=True)
    pyramid_key = models.CharField(max_length=120, blank=True)
    pyramid_state = models.CharField(max_length=16, choices=PyramidState.choices, default=PyramidState.WAITING)
    pyramid_fault = models.TextField(blank=True)

    class Meta:
        db_table = "image"
        constraints = [
            known("pyramid_state", PyramidState, "image_pyramid_state_known"),
            models.CheckConstraint(
                condition=~models.Q(pyramid_state="tiled") | ~models.Q(pyramid_key=""), name="image_tiled_has_pyramid"
            ),
            models.CheckConstraint(condition=models.Q(width__gt=0, height__gt=0), name="image_has_size"),
        ]

    def __str__(self) -> str:
        return self.key


class Acquisition(Stamped):
    """A picture that rows name: where from, what is expected, and how far it came."""

    source = protected(Source, "acquisitions")
    name = models.CharField(max_length=500, help_text="Path below the image folder, or URL, as the source writes it.")
    expected_sha256 = models.CharField(max_length=64, blank=True)
    expected_size = models.PositiveBigIntegerField(null=True, blank=True)
    state = models.CharField(max_length=16, choices=AcquisitionState.choices, default=AcquisitionState.WANTED)
    reason = models.TextField(blank=True)
    image = protected(Image, "acquisitions", null=True, blank=True)

    class Meta:
        db_table = "acquisition"
        constraints = [
            known("state", AcquisitionState, "acquisition_state_known"),
            models.UniqueConstraint(fields=["source", "name"], name="acquisition_once"),
            models.CheckConstraint(
                condition=models.Q(state="stored", image__isnull=False)
                | (~models.Q(state="stored") & models.Q(image__isnull=True)),
                name="acquisition_stored_has_image",
            ),
        ]
