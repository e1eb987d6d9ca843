"""Campaigns: opened with their questions and roster, told apart by policy, paused and closed."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict, Invalid
from annotation.models import (
    LANES,
    Campaign,
    CampaignState,
    Guideline,
    Kind,
    Membership,
    Person,
    Question,
    QuestionState,
    ReviewItem,
)
from annotation.review.planning import Card, Dealt, deal

NORMAL_PRIORITY = 1
MOVES = {
    CampaignState.OPEN: {CampaignState.PAUSED, CampaignState.CLOSED},
    CampaignState.PAUSED: {CampaignState.OPEN, CampaignState.CLOSED},
    CampaignState.CLOSED: set(),
}


class CampaignInvalid(Invalid):
    """The campaign's name, policy or questions cannot be used."""

    code = "campaign-invalid"


class CampaignMoved(Conflict):
    """The campaign is in a state from which it cannot go there."""

    code = "campaign-moved"


@transaction.atomic
def open_campaign(
    *,
    name: str,
    questions: Sequence[Question],
    people: Iterable[Person],
    by: Person,
    guideline: str,
    seed: int = 1,
    **policy: Any,
) -> Campaign:
    """Open a campaign over these questions with this roster; raises CampaignInvalid naming what is wrong.

    `policy` takes the policy columns of Campaign; what is left out has the default of the house.
    """
    if not questions:
        raise CampaignInvalid(
            _("A campaign needs at least one question; choose some candidates or originals."), field="questions"
        )
    refused = [question for question in questions if question.state in (QuestionState.REJECTED, QuestionState.WITHDRAWN)]
    if refused:
        raise CampaignInvalid(
            _("Leave out the questions that are rejected or withdrawn: %(count)d of them.") % {"count": len(refused)}
        )
    try:
        with transaction.atomic():
            campaign = Campaign.objects.create(name=name, by=by, **policy)
    except IntegrityError as error:
        raise CampaignInvalid(_policy_fault(str(error)), field="name" if "name" in str(error) else None) from error
    write_guideline(campaign=campaign, text=guideline, by=by)
    for person in people:
        add_member(campaign=campaign, person=person, by=by)
    items = _items(campaign, questions, seed)
    ReviewItem.objects.bulk_create(items, batch_size=2000)
    journal.record(event="campaign.opened", actor=by, subject=campaign, after={"name": name, "items": len(items), "seed": seed})
    return campaign


def _policy_fault(words: str) -> str:
    if "campaign_name_key" in words or "campaign_name" in words:
        return _("There is a campaign of this name already; choose another name.")
    return _("A policy number is out of its range: %(detail)s") % {"detail": words.splitlines()[0]}


def _items(campaign: Campaign, questions: Sequence[Question], seed: int) -> list[ReviewItem]:
    cards = [_card(question) for question in questions]
    dealt = deal(
        cards,
        lanes=LANES,
        priority=NORMAL_PRIORITY,
        votes_needed=campaign.votes_needed,
        extra_relation_votes=campaign.extra_relation_votes,
        seed=seed,
    )
    return [_item(campaign, place) for place in dealt]


def _card(question: Question) -> Card:
    edit = question.edit
    control = getattr(question, "control", None)
    return Card(
        question=question.pk,
        pair=question.parent_id or question.pk,
        expected_answerable=control.truth == "answerable" if control else question.kind != Kind.EDITED,
        relation_edit=edit is not None and edit.component == "relation",
        colour_question="color" in question.text.lower() or "colour" in question.text.lower(),
    )


def _item(campaign: Campaign, dealt: Dealt) -> ReviewItem:
    return ReviewItem(
        campaign=campaign,
        question_id=dealt.card.question,
        pair=dealt.card.pair,
        colour_question=dealt.card.colour_question,
        lane=dealt.lane,
        priority=dealt.priority,
        shuffle_key=dealt.shuffle_key,
        needed=dealt.needed,
    )


@transaction.atomic
def write_guideline(*, campaign: Campaign, text: str, by: Person) -> Guideline:
    """A new version of what annotators are told; old versions stay readable."""
    if not text.strip():
        raise CampaignInvalid(_("The guideline is empty; tell annotators what to do."), field="guideline")
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    latest = campaign.guidelines.aggregate(latest=Max("version"))["latest"] or 0
    guideline = Guideline.objects.create(campaign=campaign, version=latest + 1, text=text.strip(), by=by)
    journal.record(event="guideline.written", actor=by, subject=campaign, after={"version": guideline.version})
    return guideline


@transaction.atomic
def add_member(*, campaign: Campaign, person: Person, by: Person) -> Membership:
    """Put a person on the roster; doing it twice changes nothing."""
    membership, created = Membership.objects.get_or_create(campaign=campaign, person=person)
    if created:
        journal.record(event="member.added", actor=by, subject=campaign, after={"person": person.key})
    return membership


@transaction.atomic
def set_campaign_state(*, campaign: Campaign, state: str, by: Person) -> Campaign:
    """Open, pause or close a campaign; raises CampaignMoved for a move the table above does not have."""
    held = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if state not in MOVES[CampaignState(held.state)]:
        raise CampaignMoved(_("The campaign is %(now)s and cannot become %(then)s.") % {"now": held.state, "then": state})
    before, held.state = held.state, state
    held.save(update_fields=["state"])
    journal.record(event=f"campaign.{state}", actor=by, subject=held, before={"state": before}, after={"state": state})
    return held
