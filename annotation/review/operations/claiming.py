"""Claiming: one item, one person, one lease; renewed while they work, given back when they skip or leave."""

import json
import random
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce, Now, TruncDay
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, Missing
from annotation.models import (
    LANES,
    PRIORITIES,
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Draft,
    Membership,
    Person,
    Vote,
    random_key,
)
from annotation.review import statements
from annotation.review.operations.voting import AlreadyVoted

CLAIM_ATTEMPTS = 40
PAUSE_MS, LONGEST_PAUSE_MS = 2, 20  # grows from attempt to attempt, half a second in all
CAMPAIGNS_AT_MOST = 20
DRAFT_BYTES_AT_MOST = 200_000
RESUMED_WITHIN = timedelta(days=7)
Reason = Literal["no-campaign", "paused", "nothing-left", "skipped-only", "busy"]
dice = random.SystemRandom()


class AssignmentUnknown(Missing):
    """There is no such assignment of this person."""

    code = "assignment-unknown"


class LeaseOver(Conflict):
    """The lease ended; a vote is still taken, but it can no longer be renewed or skipped."""

    code = "lease-over"


class DraftTooLarge(Conflict):
    """The draft is larger than any form can be."""

    code = "draft-too-large"


class DraftInvalid(Invalid):
    """The draft holds characters that cannot be stored."""

    code = "draft-invalid"


@dataclass(frozen=True, slots=True)
class Task:
    """What an annotator is given of an item; nothing of kind, twin, lane or truth is in it."""

    token: str
    leased_until: datetime
    item: str
    question: str
    options: list[str]
    image: str
    width: int
    height: int
    guideline: int | None
    draft: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a claim gave: a task with its campaign's policy, or the true reason why there is none."""

    task: Task | None
    membership: Membership | None
    today: int
    reason: Reason | None = None


def claim_next(*, person: Person) -> Claimed:
    """The person's live assignment if they hold one, else what they had begun when its lease ended, else a new lease
    from their open campaigns, oldest first.

    The claim is one statement of its own transaction: call it outside of atomic blocks.
    """
    memberships = list(_memberships(person))
    if not memberships:
        return Claimed(None, None, _votes_today(person), _why_no_campaign(person))
    today = memberships[0].today
    for membership in memberships:
        held = _task(statements.HELD_TASK, {"assignment": membership.held}) if membership.held else None
        if held is not None:
            return Claimed(held, membership, today)
    for membership in memberships:
        begun = _resume(person, membership.begun) if membership.begun else None
        if begun is not None:
            return Claimed(begun, membership, today)
    reasons: set[Reason] = set()
    for membership in memberships:
        found = _claim(person, membership.campaign)
        if isinstance(found, Task):
            return Claimed(found, membership, today)
        reasons.add(found)
    return Claimed(None, memberships[0], today, _why_none(reasons))


def _why_none(reasons: set[Reason]) -> Reason:
    """What holds most hope of all campaigns' reasons."""
    hopes: tuple[Reason, ...] = ("busy", "skipped-only")
    return next((reason for reason in hopes if reason in reasons), "nothing-left")


def _why_no_campaign(person: Person) -> Reason:
    paused = Membership.objects.filter(person=person, active=True, campaign__state=CampaignState.PAUSED)
    return "paused" if paused.exists() else "no-campaign"


def _votes_today(person: Person) -> int:
    return Vote.objects.filter(person=person, created_at__gte=TruncDay(Now())).count()


def _memberships(person: Person) -> Any:
    """Open campaigns of the person with, as `held`, the live lease they have there, as `begun` the last one that ended
    over a draft, and today's votes."""
    held = Assignment.objects.filter(person=person, live=True, item__campaign=OuterRef("campaign"), item__state="open")
    ended = Assignment.objects.filter(person=person, state="expired", leased_until__gt=Now() - RESUMED_WITHIN)
    begun = ended.filter(item__campaign=OuterRef("campaign"), item__claimable=True, draft__isnull=False).order_by("-leased_until")
    today = Vote.objects.filter(person=person, created_at__gte=TruncDay(Now())).order_by().values("person")
    rows = Membership.objects.filter(person=person, active=True, campaign__state="open").select_related("campaign")
    return rows.annotate(
        held=Subquery(held.values("pk")[:1]),
        begun=Subquery(begun.values("pk")[:1]),
        today=Coalesce(Subquery(today.annotate(n=Count("pk")).values("n")), 0),
    ).order_by("campaign_id")[:CAMPAIGNS_AT_MOST]


def _resume(person: Person, assignment: int) -> Task | None:
    """The lease that ended over a draft, given again; None when its item may not come to this person any more."""
    values = {"assignment": assignment, "person": person.pk, "skips": person.skips_colour}
    try:
        return _task(statements.RESUME, values)
    except IntegrityError:  # another tab took the item or its twin at the same moment
        return None


def _task(statement: str, values: dict[str, Any]) -> Task | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone()
        if row is None:
            return None
        named = dict(zip((column.name for column in cursor.description), row, strict=True))
    return Task(**{**named, "draft": _json(named["draft"])})


def _json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


def _claim(person: Person, campaign: Campaign) -> Task | Reason:
    """A fresh lease, or why there is none: truly nothing left for this person in this campaign, nothing but what they
    skipped a moment ago, or only seats in items that others kept locked through all attempts."""
    for attempt in range(CLAIM_ATTEMPTS):
        task = _try_claim(person, campaign)
        if task is not None:
            return task
        reason = _why_empty(person, campaign)
        if reason != "busy":
            return reason
        time.sleep(dice.random() * min(PAUSE_MS * (attempt + 1), LONGEST_PAUSE_MS) / 1000)
    return "busy"


def _try_claim(person: Person, campaign: Campaign) -> Task | None:
    values = {
        "campaign": campaign.pk,
        "person": person.pk,
        "lanes": LANES,
        "priorities": PRIORITIES,
        "lane": dice.randrange(LANES),
        "start": dice.randrange(2_147_483_647),
        "apart": campaign.twin_distance,
        "token": random_key(),
        "seconds": campaign.lease_seconds,
    }
    return _task(statements.CLAIM_WITHOUT_COLOUR if person.skips_colour else statements.CLAIM, values)


def _why_empty(person: Person, campaign: Campaign) -> Reason:
    values = {"campaign": campaign.pk, "person": person.pk, "skips": person.skips_colour, "apart": campaign.twin_distance}
    with connection.cursor() as cursor:
        cursor.execute(statements.WHY_NONE, values)
        return cursor.fetchone()[0]


def renew(*, token: str, person: Person) -> Assignment:
    """Prolong a live lease by the campaign's time; raises AssignmentUnknown, LeaseOver or AlreadyVoted."""
    with connection.cursor() as cursor:
        cursor.execute(statements.RENEW, {"token": token, "person": person.pk})
        row = cursor.fetchone()
    if row is None:
        raise _why_not(token, person)
    return Assignment.objects.get(pk=row[0])


def skip(*, token: str, person: Person) -> None:
    """Give a lease back unanswered: its seat is free for others at once, and the item stays away from the person as long
    as a lease lasts. One that ran out meanwhile can be skipped too. Raises AssignmentUnknown, AlreadyVoted, or LeaseOver
    when the person skipped it already."""
    with connection.cursor() as cursor:
        cursor.execute(statements.END_LEASE, {"token": token, "person": person.pk})
        if cursor.fetchone() is None:
            raise _why_not(token, person)


def save_draft(*, token: str, person: Person, form: dict[str, Any], size: int) -> None:
    """Keep an unsent form; the newest one wins. `size` is its length in bytes.

    Raises DraftTooLarge, DraftInvalid, AssignmentUnknown, LeaseOver, AlreadyVoted.
    """
    if size > DRAFT_BYTES_AT_MOST:
        raise DraftTooLarge(_("The draft is too large to be kept; shorten the comment."))
    assignment = Assignment.objects.filter(token=token, person=person).first()
    if assignment is None or assignment.state not in (AssignmentState.LEASED, AssignmentState.EXPIRED):
        raise _why_not(token, person)
    try:
        with transaction.atomic():
            Draft.objects.update_or_create(assignment=assignment, defaults={"form": form, "saved_at": Now()})
    except (DataError, UnicodeEncodeError) as error:
        raise DraftInvalid(_("The draft holds characters that cannot be stored; type them again."), field="form") from error


def _why_not(token: str, person: Person) -> AssignmentUnknown | LeaseOver | AlreadyVoted:
    state = Assignment.objects.filter(token=token, person=person).values_list("state", flat=True).first()
    if state == AssignmentState.SUBMITTED:
        return AlreadyVoted(_("Your vote on this item is stored already; nothing was changed."))
    if state is not None:
        return LeaseOver(_("This assignment has ended. Your work is kept: submit the vote, or go on with the next item."))
    return AssignmentUnknown(_("There is no such assignment of yours. Load the page again to get your next item."))


def expire_leases() -> int:
    """End all overdue leases and free their seats; returns how many ended. Two sweepers share the work harmlessly."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statements.EXPIRE)
        return sum(row[0] for row in cursor.fetchall())
