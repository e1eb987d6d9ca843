"""What is read of review work: questions that a campaign can take, how far it is, who is on its roster, what a person did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Now, TruncDay

from annotation.models import (
    Campaign,
    CampaignState,
    ItemState,
    Kind,
    Membership,
    Person,
    Question,
    QuestionState,
    ReviewItem,
    Role,
    Vote,
)

Choice = Literal["all", "pairs"]
REVIEWABLE = (
    Q(kind=Kind.ORIGINAL, state=QuestionState.ACTIVE)
    | Q(kind=Kind.MIRROR, state=QuestionState.ACTIVE)
    | Q(kind=Kind.EDITED, state=QuestionState.CANDIDATE)
)


@dataclass(frozen=True, slots=True)
class Figures:
    """A campaign at a glance: people, their votes, whether any item still takes votes, whether any is in dispute."""

    people: int
    votes: int
    seats_left: bool
    disputed: bool


@dataclass(frozen=True, slots=True)
class OpenWork:
    """One open campaign of a person: what they voted there, and whether any item of it still takes votes."""

    campaign: str
    voted: int
    seats_left: bool


def questions_to_review(*, which: Choice, at_most: int, fresh_only: bool = True) -> list[Question]:
    """Questions for a new campaign, oldest first, with the edit and the control that dealing them asks for.

    `all` takes active originals and mirrors and candidates; `pairs` takes candidates, each with its original unless
    that is in a campaign already. `fresh_only` leaves out what a campaign has.
    """
    rows = Question.objects.select_related("edit", "control").order_by("pk")
    wanted = rows.filter(~Exists(ReviewItem.objects.filter(question=OuterRef("pk")))) if fresh_only else rows
    if which == "all":
        return list(wanted.filter(REVIEWABLE)[:at_most])
    edits = list(wanted.filter(kind=Kind.EDITED, state=QuestionState.CANDIDATE)[:at_most])
    parents = {edit.parent_id for edit in edits}
    originals = rows.filter(kind=Kind.ORIGINAL, state=QuestionState.ACTIVE).in_bulk(parents)
    done = set(ReviewItem.objects.filter(question__in=parents).values_list("question", flat=True)) if fresh_only else set()
    return list(_pairs(edits, originals, done, at_most))


def _pairs(edits: list[Question], originals: dict[Any, Question], done: set[int], at_most: int) -> Iterator[Question]:
    """Each edit with its original before it, as long as both fit; an original that is done or dealt does not come again."""
    left, dealt = at_most, set(done)
    for edit in edits:
        original = originals.get(edit.parent_id)
        if original is None:
            continue
        new = [edit] if original.pk in dealt else [original, edit]
        if len(new) <= left:
            dealt.add(original.pk)
            left -= len(new)
            yield from new


def items_by_state(campaign: Campaign) -> dict[str, int]:
    """How many of a campaign's items are in each state."""
    found = campaign.items.order_by().values_list("state").annotate(Count("pk"))
    return {**dict.fromkeys(ItemState.values, 0), **dict(found)}


def figures(campaigns: Sequence[Campaign]) -> dict[int, Figures]:
    """What a list shows of these campaigns, by id: nothing is counted but memberships, which are few."""
    rows = Campaign.objects.filter(pk__in=[campaign.pk for campaign in campaigns])
    seats = ReviewItem.objects.filter(campaign=OuterRef("pk"), claimable=True)
    disputes = ReviewItem.objects.filter(campaign=OuterRef("pk"), state=ItemState.DISPUTED)
    sums = Count("memberships"), Coalesce(Sum("memberships__voted"), 0)
    return {row[0]: Figures(*row[1:]) for row in rows.values_list("pk", *sums, Exists(seats), Exists(disputes))}


def roster(campaign: Campaign) -> QuerySet[Membership]:
    """Who is on a campaign, with what they voted."""
    return campaign.memberships.select_related("person")


def votes_today(memberships: Sequence[Membership]) -> dict[int, int]:
    """How many votes these members of one campaign cast today (UTC), by the person's id."""
    people, campaigns = {member.person_id for member in memberships}, {member.campaign_id for member in memberships}
    votes = Vote.objects.filter(person__in=people, created_at__gte=TruncDay(Now()), item__campaign__in=campaigns)
    return dict(votes.order_by().values_list("person").annotate(Count("pk")))


def reviewers() -> QuerySet[Person]:
    """People who may be put on a roster: those whose log-in may vote, and programs that vote in demonstrations."""
    may_vote = Q(user__is_active=True, user__roles__overlap=[Role.ANNOTATOR, Role.ADJUDICATOR])
    return Person.objects.filter(may_vote | Q(simulated=True)).order_by("pseudonym")


def open_work(*, person: Person, at_most: int) -> list[OpenWork]:
    """Open campaigns that the person is on, oldest first."""
    seats = ReviewItem.objects.filter(campaign=OuterRef("campaign"), claimable=True)
    rows = Membership.objects.filter(person=person, active=True, campaign__state=CampaignState.OPEN).order_by("campaign_id")
    return [OpenWork(*row) for row in rows.values_list("campaign__name", "voted", Exists(seats))[:at_most]]
