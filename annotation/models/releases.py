"""Release, ReleaseRow, Artifact, LabelOpening: frozen rows, their files, and who opened sealed labels."""

from django.db import models
from django.db.models import Q

from annotation.models.base import Stamped, known, protected, random_key
from annotation.models.decisions import Decision
from annotation.models.people import Person
from annotation.models.questions import Question


class ReleaseState(models.TextChoices):
    DRAFT = "draft"
    BUILDING = "building"
    BUILT = "built"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"


class RowRole(models.TextChoices):
    ORIGINAL = "original"
    EDIT = "edit"
    TRAP = "trap"
    MIRROR = "mirror"


class Release(Stamped):
    """A frozen, versioned, verifiable set of rows. After publication a trigger lets it do one thing: be withdrawn."""

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    version = models.CharField(max_length=40, unique=True)
    plan = models.JSONField()
    state = models.CharField(max_length=16, choices=ReleaseState.choices, default=ReleaseState.DRAFT)
    cut = models.JSONField(null=True, blank=True, help_text="Journal position and decision ids it was built from.")
    shortfalls = models.JSONField(default=list, blank=True, help_text="Why the plan could not be met, with relaxations.")
    parent = protected("self", "children", null=True, blank=True)
    manifest_sha256 = models.CharField(max_length=64, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    by = protected(Person, "releases")

    class Meta:
        db_table = "release"
        constraints = [
            known("state", ReleaseState, "release_state_known"),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "building"]) | ~Q(manifest_sha256=""), name="release_built_has_manifest"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["published", "withdrawn"], published_at__isnull=False)
                | (~Q(state__in=["published", "withdrawn"]) & Q(published_at__isnull=True)),
                name="release_published_has_stamp",
            ),
            models.CheckConstraint(
                condition=Q(state="withdrawn", withdrawn_at__isnull=False)
                | (~Q(state="withdrawn") & Q(withdrawn_at__isnull=True)),
                name="release_withdrawn_has_stamp",
            ),
        ]

    def __str__(self) -> str:
        return self.version


class ReleaseRow(Stamped):
    """One frozen row: its split, role, pair, content and hash."""

    release = protected(Release, "rows")
    row_id = models.CharField(max_length=64)
    question = protected(Question, "release_rows")
    decision = protected(Decision, "release_rows")
    split = models.CharField(max_length=40)
    role = models.CharField(max_length=16, choices=RowRole.choices)
    pair_id = models.CharField(max_length=64, blank=True)
    position = models.PositiveIntegerField()
    content = models.JSONField()
    row_hash = models.CharField(max_length=64)

    class Meta:
        db_table = "release_row"
        constraints = [
            known("role", RowRole, "release_row_role_known"),
            models.UniqueConstraint(fields=["release", "question"], name="release_row_question_once"),
            models.UniqueConstraint(fields=["release", "row_id"], name="release_row_id_once"),
            models.UniqueConstraint(fields=["release", "position"], name="release_row_position_once"),
        ]


class Artifact(Stamped):
    """One file of a release, by its path in the release's folder."""

    release = protected(Release, "artifacts")
    path = models.CharField(max_length=200)
    storage_key = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    byte_size = models.PositiveBigIntegerField()

    class Meta:
        db_table = "artifact"
        constraints = [models.UniqueConstraint(fields=["release", "path"], name="artifact_once")]


class LabelOpening(Stamped):
    """Someone opened the sealed labels of a release. Insert-only."""

    release = protected(Release, "openings")
    by = protected(Person, "label_openings")
    reason = models.TextField()

    class Meta:
        db_table = "label_opening"
