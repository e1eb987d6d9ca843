"""What an adjudicator reads: the queue of disputed items, and one case with everything its voters said.

Voters are numbers here, so that nobody is judged by name. Kind, twin, edit, model verdicts and control truth are not
read at all: whoever decides must stay as blind to them as whoever votes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import Forbidden, Missing
from annotation.models import Campaign, Decision, ItemState, JournalEntry, Person, ReviewItem, Verdict, Vote
from annotation.review import coverage
from annotation.review.replay import Replay, replay


class CaseUnknown(Missing):
    """No item of this key was ever in dispute."""

    code = "case-unknown"


class SearchUnknown(Missing):
    """No such voter in the case, or one who searched nothing."""

    code = "search-unknown"


class AdjudicatorVoted(Forbidden):
    """An adjudicator never decides, nor reads as a case, what they voted on."""

    code = "adjudicator-voted"


@dataclass(frozen=True, slots=True)
class Case:
    """A disputed item (or one that was, with its decision) and its current votes, oldest first."""

    item: ReviewItem
    votes: list[Vote]
    decision: Decision | None

    @property
    def open(self) -> bool:
        return self.item.state == ItemState.DISPUTED

    def searched(self) -> bool:
        """Whether the voters' searches together carry "absent" without any further evidence."""
        image, campaign = self.item.question.image, self.item.campaign
        records = [getattr(vote, "search_record", None) for vote in self.votes]
        target = campaign.target_share * max(image.width, image.height)
        return coverage.searched_together(
            [coverage.Grid.from_json(record.grid) for record in records if record and record.grid],
            needed_scale=coverage.needed_scale(image.width, image.height, target),
            dwell_ms=campaign.dwell_ms,
            target_px=target,
            needed_share=campaign.union_coverage_needed,
        )


def disputed_items(campaign_key: str = "") -> QuerySet[ReviewItem]:
    """Items in dispute, of one campaign or all. The caller orders and bounds.

    The campaigns are named so that the index over (campaign, state) finds the few disputed among many settled.
    """
    campaigns = Campaign.objects.filter(key=campaign_key) if campaign_key else Campaign.objects.all()
    return ReviewItem.objects.filter(campaign__in=campaigns.values("pk"), state=ItemState.DISPUTED)


def open_cases(*, person: Person, campaign_key: str = "") -> QuerySet[ReviewItem]:
    """Disputed items that this person may decide, with question, picture and campaign. The caller orders and bounds."""
    own = Vote.objects.filter(item=OuterRef("pk"), person=person)
    return disputed_items(campaign_key).filter(~Exists(own)).select_related("question__image", "campaign")


def verdicts_of(items: Sequence[ReviewItem]) -> dict[int, dict[str, int]]:
    """How many current votes of each verdict these items have, by the item's id."""
    current = Vote.objects.filter(item__in=[item.pk for item in items], superseded_by__isnull=True)
    found: dict[int, dict[str, int]] = {item.pk: dict.fromkeys(Verdict.values, 0) for item in items}
    for item, verdict, count in current.order_by().values_list("item", "verdict").annotate(Count("pk")):
        found[item][verdict] = count
    return found


def disputed_since(items: Sequence[ReviewItem]) -> dict[int, datetime]:
    """When each of these items last fell into dispute, by the item's id, as the journal has it."""
    entries = JournalEntry.objects.filter(subject_type="reviewitem", subject_id__in=[item.pk for item in items])
    return dict(entries.filter(event="item.disputed").order_by("pk").values_list("subject_id", "created_at"))


def next_case(*, person: Person, after: ReviewItem) -> ReviewItem | None:
    """The oldest case that came after this one, else the oldest of all; None when the queue is empty."""
    cases = open_cases(person=person).order_by("pk")
    return cases.filter(pk__gt=after.pk).first() or cases.exclude(pk=after.pk).first()


def case(*, item_key: str, person: Person) -> Case:
    """One case by its item's public key. Raises CaseUnknown, AdjudicatorVoted."""
    rows = ReviewItem.objects.select_related("question__image", "campaign")
    item = rows.filter(Q(state=ItemState.DISPUTED) | ~Q(dispute_reason=""), key=item_key).first()
    if item is None:
        raise CaseUnknown(_("There is no such case. Open the queue to see what waits for a decision."))
    return case_of(item, person=person)


def search(found: Case, voter: int) -> Replay:
    """How the voter of this number (from 1) searched the picture. Raises SearchUnknown."""
    vote = found.votes[voter - 1] if 1 <= voter <= len(found.votes) else None
    record = getattr(vote, "search_record", None)
    if record is None or not record.grid:
        raise SearchUnknown(_("There is no record of this search."))
    return replay(
        trace=record.trace,
        grid=record.grid,
        needed_scale=record.needed_scale,
        dwell_ms=found.item.campaign.dwell_ms,
        duration_ms=record.server_ms,
    )


def case_of(item: ReviewItem, *, person: Person) -> Case:
    """The case of an item whose lock the caller may hold; raises AdjudicatorVoted."""
    votes = list(current_votes(item))
    if any(vote.person_id == person.pk for vote in votes):
        raise AdjudicatorVoted(_("You have voted on this item; another adjudicator decides it. Open the next case."))
    return Case(item=item, votes=votes, decision=current_decision(item.question_id))


def current_votes(item: ReviewItem) -> QuerySet[Vote]:
    """Votes that no revision superseded, late ones included, with their search records."""
    return item.votes.filter(superseded_by__isnull=True).select_related("search_record").order_by("pk")


def current_decision(question_id: Any) -> Decision | None:
    return Decision.objects.filter(question_id=question_id, superseded_by__isnull=True).first()
