"""What is known about the quality of a campaign's votes: agreement, each person's record, and how they met controls."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation import access
from annotation.errors import Forbidden
from annotation.models import Campaign, Control, Decision, Membership, Method, Verdict, Vote, Waiver
from annotation.quality import agreement
from annotation.quality.agreement import PersonCounts
from annotation.quality.figures import Figure, share

LABELS = [str(verdict) for verdict in Verdict.values]


class TruthHidden(Forbidden):
    """Controls are a secret towards everybody who reviews."""

    code = "truth-hidden"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Raw agreement, AC1, kappa, alpha and agreement on each verdict by name; each voter's counts, by pseudonym."""

    figures: dict[str, Figure]
    people: list[PersonCounts]


@dataclass(frozen=True, slots=True)
class ControlRecord:
    """How one person met controls: of those that can be answered, the share found (`sensitivity`); of those that cannot,
    the share called unanswerable (`specificity`)."""

    person: str
    sensitivity: Figure
    specificity: Figure


def newest_to_measure() -> Campaign | None:
    """The newest campaign that somebody voted in; where nobody did in any, the newest."""
    voted = Membership.objects.filter(campaign=OuterRef("pk"), voted__gt=0)
    return Campaign.objects.annotate(has_votes=Exists(voted)).order_by("-has_votes", "-pk").first()


def verdict_table(campaign: Campaign) -> list[dict[str, str]]:
    """One mapping person -> verdict for each item and round of the campaign; revised votes once, in their last form.

    People are their pseudonyms. Late votes are left out: whoever came after an item closed did not settle it.
    """
    items: dict[tuple[int, int], dict[str, str]] = defaultdict(dict)
    rows = _current_votes(campaign).values_list("item_id", "round", "person__pseudonym", "verdict")
    for item, round_, person, verdict in rows:
        items[item, round_][person] = verdict
    return list(items.values())


def agreement_of(campaign: Campaign, *, resamples: int = agreement.RESAMPLES) -> Agreement:
    """How far a campaign's people agree over all rounds; see `quality.agreement`. Its votes are read once."""
    table = verdict_table(campaign)
    figures = agreement.agreement(table, LABELS, resamples=resamples)
    return Agreement(figures=figures, people=agreement.per_person(table))


def waiver_share(campaign: Campaign) -> Figure:
    """Of the "unanswerable" votes, the share that rests on a closed reason instead of a search or a place."""
    absent = _current_votes(campaign).filter(verdict=Verdict.UNANSWERABLE)
    waived = absent.filter(waiver__in=Waiver.values).count()
    return share(waived, absent.count(), nothing="nobody voted unanswerable")


def decided(campaign: Campaign) -> dict[str, int]:
    """How many questions of the campaign stand decided now, by method."""
    current = Decision.objects.filter(item__campaign=campaign, superseded_by__isnull=True)
    found = dict(current.order_by().values_list("method").annotate(Count("pk")))
    return {str(method): found.get(method, 0) for method in Method.values}


def control_records(campaign: Campaign, *, viewer: access.Viewer) -> list[ControlRecord]:
    """How each person met the campaign's controls. Raises TruthHidden for whoever reviews or may not know the truth."""
    if not access.may_know_truth(viewer):
        raise TruthHidden(_("Whoever reviews does not see how controls were met."))
    truths = dict(Control.objects.filter(question__items__campaign=campaign).values_list("question_id", "truth"))
    met: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    votes = _current_votes(campaign).filter(item__question__in=truths)
    for question, person, verdict in votes.values_list("item__question_id", "person__pseudonym", "verdict"):
        met[person][truths[question]].append(verdict == truths[question])
    return [_record(person, by_truth) for person, by_truth in sorted(met.items())]


def _record(person: str, by_truth: dict[str, list[bool]]) -> ControlRecord:
    there, absent = by_truth[Verdict.ANSWERABLE], by_truth[Verdict.UNANSWERABLE]
    return ControlRecord(
        person=person,
        sensitivity=share(sum(there), len(there), nothing="they met no control that can be answered"),
        specificity=share(sum(absent), len(absent), nothing="they met no control that cannot be answered"),
    )


def _current_votes(campaign: Campaign) -> QuerySet[Vote]:
    return Vote.objects.filter(item__campaign=campaign, superseded_by__isnull=True, late=False).order_by("pk")
