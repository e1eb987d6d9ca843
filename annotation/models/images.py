"""Acquisition and Image: pictures that are wanted, and pictures that are here."""

from django.db import models
from django.db.models.lookups import LessThanOrEqual

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
    ERASED = "erased"


class Image(Stamped):
    """One picture whose bytes are stored, known by the sha256 of its original bytes.

    `width` and `height` are those of the upright original (EXIF orientation applied): the one coordinate space.
    `erased` for good: the picture was taken down, and what is left is a tombstone.
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
    cluster = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Copies of one picture share a cluster, named by its oldest."
    )
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
            models.CheckConstraint(
                condition=~models.Q(pyramid_state="erased") | models.Q(pyramid_key="", pyramid_fault=""),
                name="image_erased_has_nothing",
            ),
            models.CheckConstraint(condition=models.Q(width__gt=0, height__gt=0), name="image_has_size"),
        ]
        indexes = [models.Index(fields=["cluster", "id"], name="image_by_cluster")]

    def __str__(self) -> str:
        return self.key


class Acquisition(Stamped):
    """A picture that rows name: where from, what is expected, and how far it came.

    `throttled`: its host does not hand it out at present (it asks us to wait, or cannot be reached); the reason says
    which. `round` counts how often people asked for it, so that each asking is a unit of work of its own.
    """

    source = protected(Source, "acquisitions")
    name = models.CharField(max_length=2000, help_text="Path below the image folder, or URL, as the source writes it.")
    host = models.CharField(max_length=260, blank=True, default="", db_default="", help_text="Of a URL, with port.")
    expected_sha256 = models.CharField(max_length=64, blank=True)
    expected_size = models.PositiveBigIntegerField(null=True, blank=True)
    state = models.CharField(max_length=16, choices=AcquisitionState.choices, default=AcquisitionState.WANTED)
    reason = models.TextField(blank=True)
    round = models.PositiveIntegerField(default=0, db_default=0)
    attempts = models.PositiveIntegerField(default=0, db_default=0, help_text="Requests sent in this round.")
    last_status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Of HTTP.")
    received_bytes = models.PositiveBigIntegerField(null=True, blank=True, help_text="Of the last attempt.")
    fetched_at = models.DateTimeField(null=True, blank=True, help_text="When the last answer was final.")
    image = protected(Image, "acquisitions", null=True, blank=True)

    class Meta:
        db_table = "acquisition"
        constraints = [
            known("state", AcquisitionState, "acquisition_state_known"),
            models.UniqueConstraint(fields=["source", "name"], name="acquisition_once"),
            # An entry of the unique index above has at most 2,704 bytes.
            models.CheckConstraint(
                condition=LessThanOrEqual(models.Func("name", function="octet_length", output_field=models.IntegerField()), 2000),
                name="acquisition_name_fits",
            ),
            models.CheckConstraint(
                condition=models.Q(state="stored", image__isnull=False)
                | (~models.Q(state="stored") & models.Q(image__isnull=True)),
                name="acquisition_stored_has_image",
            ),
        ]
        indexes = [
            models.Index(fields=["state", "id"], name="acquisition_by_state"),
            models.Index(fields=["source", "state", "id"], name="acquisition_by_source"),
            models.Index(fields=["host", "state", "id"], condition=~models.Q(host=""), name="acquisition_by_host"),
            models.Index(fields=["fetched_at"], condition=models.Q(fetched_at__isnull=False), name="acquisition_lately"),
        ]
