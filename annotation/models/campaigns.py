"""Campaign, Membership, Guideline: a body of review work, its policy, and who takes part."""

from django.db import models
from django.db.models import F, Q

from annotation.models.base import Stamped, known, protected, random_key
from annotation.models.people import Person


class CampaignState(models.TextChoices):
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"


class ZeroCount(models.TextChoices):
    REJECT = "reject"
    ANSWERABLE = "answerable"
    BOTH = "both"


class Campaign(Stamped):
    """Which questions, which policy, which annotators. Policy numbers are explained in domain.md A3's terms.

    `coverage_needed` and `union_coverage_needed` are shares of the picture's area, `target_share` is the smallest
    plausible target as a share of the longer side, `lease_seconds` how long an assignment waits for its vote.
    """

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    name = models.CharField(max_length=120, unique=True)
    state = models.CharField(max_length=16, choices=CampaignState.choices, default=CampaignState.OPEN)
    votes_needed = models.PositiveSmallIntegerField(default=3)
    votes_at_most = models.PositiveSmallIntegerField(default=5)
    extra_relation_votes = models.PositiveSmallIntegerField(default=1)
    coverage_needed = models.FloatField(default=0.90)
    union_coverage_needed = models.FloatField(default=0.99)
    dwell_ms = models.PositiveIntegerField(default=300)
    target_share = models.FloatField(default=0.005)
    zero_count = models.CharField(max_length=16, choices=ZeroCount.choices, default=ZeroCount.REJECT)
    lease_seconds = models.PositiveIntegerField(default=600)
    twin_distance = models.PositiveSmallIntegerField(default=50)
    by = protected(Person, "campaigns")

    class Meta:
        db_table = "campaign"
        constraints = [
            known("state", CampaignState, "campaign_state_known"),
            known("zero_count", ZeroCount, "campaign_zero_count_known"),
            models.CheckConstraint(condition=Q(votes_needed__gte=1, votes_needed__lte=9), name="campaign_votes_needed_range"),
            models.CheckConstraint(
                condition=Q(votes_at_most__gte=F("votes_needed"), votes_at_most__lte=15), name="campaign_votes_at_most_range"
            ),
            models.CheckConstraint(condition=Q(extra_relation_votes__lte=3), name="campaign_extra_votes_range"),
            models.CheckConstraint(condition=Q(coverage_needed__gte=0, coverage_needed__lte=1), name="campaign_coverage_range"),
            models.CheckConstraint(
                condition=Q(union_coverage_needed__gte=0, union_coverage_needed__lte=1), name="campaign_union_coverage_range"
            ),
            models.CheckConstraint(condition=Q(dwell_ms__lte=10_000), name="campaign_dwell_range"),
            models.CheckConstraint(condition=Q(target_share__gt=0, target_share__lte=1), name="campaign_target_range"),
            models.CheckConstraint(condition=Q(lease_seconds__gte=60, lease_seconds__lte=86_400), name="campaign_lease_range"),
            models.CheckConstraint(condition=Q(twin_distance__lte=1000), name="campaign_twin_distance_range"),
        ]

    def __str__(self) -> str:
        return self.name


class Membership(Stamped):
    """A person on a campaign's roster."""

    campaign = protected(Campaign, "memberships")
    person = protected(Person, "memberships")
    active = models.BooleanField(default=True)
    voted = models.PositiveIntegerField(default=0, help_text="Counted in the statement that writes the vote.")

    class Meta:
        db_table = "membership"
        constraints = [models.UniqueConstraint(fields=["campaign", "person"], name="membership_once")]
        indexes = [models.Index(fields=["person"], condition=Q(active=True), name="membership_active")]


class Guideline(Stamped):
    """What annotators are told, in versions. Insert-only, so that a vote's guideline can always be read again."""

    campaign = protected(Campaign, "guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField()
    by = protected(Person, "guidelines")

    class Meta:
        db_table = "guideline"
        constraints = [models.UniqueConstraint(fields=["campaign", "version"], name="guideline_once")]
