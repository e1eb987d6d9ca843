"""ReviewItem, Control, Assignment, Vote, SearchRecord, Draft, IdempotencyKey: who looks at what, and what they said."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.models.base import Stamped, known, protected, random_key
from annotation.models.campaigns import Campaign
from annotation.models.people import Person
from annotation.models.questions import Question

LANES = 4
PRIORITIES = 3
VOTE_GATE = 4_042_001
"""Advisory lock: votes take it shared, a release build takes it alone for the moment its snapshot is made."""


class ItemState(models.TextChoices):
    OPEN = "open"
    SETTLED = "settled"
    DISPUTED = "disputed"
    WITHDRAWN = "withdrawn"


class AssignmentState(models.TextChoices):
    RESERVED = "reserved"
    LEASED = "leased"
    SUBMITTED = "submitted"
    EXPIRED = "expired"
    RELEASED = "released"
    SKIPPED = "skipped"


class Verdict(models.TextChoices):
    ANSWERABLE = "answerable"
    UNANSWERABLE = "unanswerable"
    AMBIGUOUS = "ambiguous"


class EvidenceKind(models.TextChoices):
    BOX = "box"
    POINTS = "points"
    WHOLE = "whole"
    REGION = "region"
    NONE = "none"


class Premise(models.TextChoices):
    OBJECT = "object"
    RELATION = "relation"
    ATTRIBUTE = "attribute"
    UNSEEN = "unseen"


class AmbiguityCode(models.TextChoices):
    SEVERAL_REFERENTS = "several_referents"
    VAGUE_WORDING = "vague_wording"
    OUTSIDE_KNOWLEDGE = "outside_knowledge"
    UNGRAMMATICAL = "ungrammatical"
    WRONG_ORIGINAL = "wrong_original"


class Waiver(models.TextChoices):
    """Closed reasons for an absent verdict without a full search; their share is reported per release."""

    SCENE_EXCLUDES = "scene_excludes"
    LARGE_TARGET = "large_target"
    NOT_PICTORIAL = "not_pictorial"


class ReviewItem(Stamped):
    """One question in one campaign and round, ready to be claimed.

    `pair` is the id of the twins' original, so that both twins carry the same number. `lane` and `priority` are
    dealt when the campaign is built; claiming needs no secret. `claimable` is derived by the database.
    """

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    campaign = protected(Campaign, "items")
    question = protected(Question, "items")
    round = models.PositiveSmallIntegerField(default=1)
    pair = models.BigIntegerField()
    colour_question = models.BooleanField(default=False)
    lane = models.SmallIntegerField()
    priority = models.SmallIntegerField()
    shuffle_key = models.IntegerField()
    needed = models.SmallIntegerField()
    leased = models.SmallIntegerField(default=0)
    voted = models.SmallIntegerField(default=0)
    state = models.CharField(max_length=16, choices=ItemState.choices, default=ItemState.OPEN)
    dispute_reason = models.CharField(max_length=80, blank=True)
    claimable = models.GeneratedField(
        expression=Q(state="open") & Q(needed__gt=F("leased") + F("voted")),  # type: ignore[arg-type]
        output_field=models.BooleanField(),
        db_persist=True,
    )

    class Meta:
        db_table = "review_item"
        constraints = [
            known("state", ItemState, "review_item_state_known"),
            models.CheckConstraint(condition=Q(leased__gte=0, voted__gte=0, needed__gte=0), name="review_item_counts"),
            models.CheckConstraint(condition=Q(lane__gte=0, lane__lt=LANES), name="review_item_lane_range"),
            models.CheckConstraint(condition=Q(priority__gte=0, priority__lt=PRIORITIES), name="review_item_priority_range"),
            models.CheckConstraint(
                condition=Q(shuffle_key__gte=0, shuffle_key__lt=2_147_483_647), name="review_item_shuffle_range"
            ),
            models.UniqueConstraint(fields=["campaign", "question", "round"], name="review_item_once"),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "lane", "priority", "shuffle_key"], condition=Q(claimable=True), name="review_item_claim"
            ),
            models.Index(
                fields=["campaign", "lane", "priority", "shuffle_key"],
                condition=Q(claimable=True, colour_question=False),
                name="review_item_claim_no_colour",
            ),
            models.Index(fields=["campaign", "state"], condition=~Q(state="open"), name="review_item_ended"),
        ]


class Control(Stamped):
    """A question whose truth is known and hidden. Read by campaign building and quality; never makes a Decision."""

    question = models.OneToOneField(Question, on_delete=models.PROTECT, related_name="control")
    truth = models.CharField(max_length=16, choices=Verdict.choices)
    answer = models.TextField(blank=True)
    box = ArrayField(models.FloatField(), size=4, null=True, blank=True)
    target_share = models.FloatField(null=True, blank=True, help_text="Share of the picture's area.")
    note = models.TextField(blank=True)

    class Meta:
        db_table = "control"
        constraints = [known("truth", Verdict, "control_truth_known")]


class Assignment(Stamped):
    """A lease of one item to one person. `live` is derived by the database."""

    token = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    item = protected(ReviewItem, "assignments", db_index=False)
    person = protected(Person, "assignments", db_index=False)
    pair = models.BigIntegerField()
    state = models.CharField(max_length=16, choices=AssignmentState.choices, default=AssignmentState.LEASED)
    leased_until = models.DateTimeField()
    renewed_at = models.DateTimeField(db_default=Now())
    live = models.GeneratedField(
        expression=Q(state__in=["reserved", "leased"]),  # type: ignore[arg-type]
        output_field=models.BooleanField(),
        db_persist=True,
    )

    class Meta:
        db_table = "assignment"
        constraints = [
            known("state", AssignmentState, "assignment_state_known"),
            models.UniqueConstraint(fields=["person", "pair"], condition=Q(live=True), name="assignment_live_person_pair"),
        ]
        indexes = [
            # Predicates that the claim's probe cannot imply keep these two indexes out of its way (see claim.md).
            models.Index(fields=["item"], condition=Q(live=True, item__isnull=False), name="assignment_live_item"),
            models.Index(
                fields=["leased_until"], condition=Q(live=True, leased_until__isnull=False), name="assignment_live_until"
            ),
            models.Index(fields=["person", "pair"], condition=Q(state="skipped"), name="assignment_skipped"),
            models.Index(fields=["person", "leased_until"], condition=Q(state="expired"), name="assignment_ended"),
        ]


class Vote(Stamped):
    """One immutable answer of one person about one item. A revision is a new vote that supersedes the old one."""

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    assignment = protected(Assignment, "votes", db_index=False)
    item = protected(ReviewItem, "votes", db_index=False)
    person = protected(Person, "votes", db_index=False)
    pair = models.BigIntegerField()
    round = models.PositiveSmallIntegerField()
    verdict = models.CharField(max_length=16, choices=Verdict.choices)
    answer = models.TextField(blank=True, default="")
    evidence_kind = models.CharField(max_length=16, choices=EvidenceKind.choices)
    evidence = models.JSONField(default=dict)
    premise = models.CharField(max_length=16, choices=Premise.choices, blank=True, default="")
    code = models.CharField(max_length=24, choices=AmbiguityCode.choices, blank=True, default="")
    waiver = models.CharField(max_length=24, choices=Waiver.choices, blank=True, default="")
    comment = models.TextField(blank=True, default="")
    confidence = models.PositiveSmallIntegerField(null=True, blank=True)
    active_ms = models.PositiveIntegerField(default=0)
    late = models.BooleanField(default=False, help_text="It came when the item was closed: kept, not counted.")
    supersedes = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="superseded_by")

    class Meta:
        db_table = "vote"
        constraints = [
            known("verdict", Verdict, "vote_verdict_known"),
            known("evidence_kind", EvidenceKind, "vote_evidence_known"),
            models.CheckConstraint(condition=Q(premise="") | Q(premise__in=Premise.values), name="vote_premise_known"),
            models.CheckConstraint(condition=Q(code="") | Q(code__in=AmbiguityCode.values), name="vote_code_known"),
            models.CheckConstraint(condition=Q(waiver="") | Q(waiver__in=Waiver.values), name="vote_waiver_known"),
            models.CheckConstraint(
                condition=~Q(verdict="answerable") | (~Q(answer="") & Q(evidence_kind__in=["box", "points", "whole"])),
                name="vote_answerable_has_answer",
            ),
            models.CheckConstraint(condition=~Q(verdict="unanswerable") | ~Q(premise=""), name="vote_unanswerable_has_premise"),
            models.CheckConstraint(condition=~Q(verdict="ambiguous") | ~Q(code=""), name="vote_ambiguous_has_code"),
            models.CheckConstraint(
                condition=Q(confidence__isnull=True) | Q(confidence__gte=1, confidence__lte=5), name="vote_confidence_range"
            ),
            models.UniqueConstraint(fields=["item", "person", "round"], condition=Q(supersedes__isnull=True), name="vote_once"),
            models.UniqueConstraint(fields=["id", "item", "person"], name="vote_identity"),
        ]
        indexes = [
            models.Index(fields=["person", "pair"], name="vote_person_pair"),
            models.Index(fields=["person", "-created_at"], include=["pair"], name="vote_recent"),
            models.Index(fields=["item"], name="vote_item"),
        ]


class SearchRecord(Stamped):
    """Which parts of the picture a voter saw, at which scale, for how long: the trace, and the grid a version made of it."""

    vote = models.OneToOneField(Vote, on_delete=models.PROTECT, related_name="search_record")
    trace = models.JSONField(default=list)
    grid = models.JSONField(default=dict)
    grid_version = models.CharField(max_length=16)
    needed_scale = models.FloatField(help_text="CSS pixels per image pixel at which the smallest plausible target shows.")
    seen_share = models.FloatField()
    server_ms = models.PositiveIntegerField(help_text="From lease to submit by the database's clock; bounds the dwell.")

    class Meta:
        db_table = "search_record"
        constraints = [
            models.CheckConstraint(condition=Q(seen_share__gte=0, seen_share__lte=1), name="search_record_share_range")
        ]


class Draft(Stamped):
    """A form not sent yet, with the trace so far. The only row here that is overwritten."""

    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="draft")
    form = models.JSONField(default=dict)
    saved_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "draft"


class IdempotencyKey(Stamped):
    """A client's key with the hash of the body it came with and the first answer. Kept for ever."""

    actor = protected(Person, "idempotency_keys")
    key = models.CharField(max_length=80)
    body_hash = models.CharField(max_length=64)
    answer = models.JSONField(default=dict)

    class Meta:
        db_table = "idempotency_key"
        constraints = [models.UniqueConstraint(fields=["actor", "key"], name="idempotency_key_once")]
