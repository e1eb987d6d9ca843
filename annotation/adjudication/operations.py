"""Deciding a disputed item: under the row lock, on evidence, with a reason, once."""

from collections import Counter
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.adjudication import queries
from annotation.adjudication.queries import AdjudicatorVoted, Case, CaseUnknown
from annotation.errors import Conflict, Invalid
from annotation.models import VOTE_GATE, Decision, ItemState, Method, Person, ReviewItem, Verdict
from annotation.review import ballots
from annotation.review.ballots import Ballot, BallotInvalid, EvidenceMissing

RULE_VERSION = "adjudicate-2"

__all__ = [
    "AdjudicatorVoted",
    "BallotInvalid",
    "CaseUnknown",
    "EvidenceMissing",
    "NotDisputed",
    "ReasonMissing",
    "adjudicate",
]


class NotDisputed(Conflict):
    """The item is not in dispute, or not any more: somebody else decided it."""

    code = "not-disputed"


class ReasonMissing(Invalid):
    """A decision against votes needs words that the voters and an auditor can read."""

    code = "reason-missing"


def adjudicate(
    *,
    item_key: str,
    by: Person,
    verdict: str,
    comment: str,
    answer: str = "",
    premise: str = "",
    code: str = "",
    evidence: dict[str, Any] | None = None,
) -> Decision:
    """Decide a disputed item and settle it; the decision supersedes the question's current one.

    `evidence` has the shape of a ballot's ({kind, boxes, points, reason}) and must carry the verdict as a vote's does;
    "unanswerable" may also rest on the voters' searches together. Raises CaseUnknown, NotDisputed, AdjudicatorVoted,
    ReasonMissing, BallotInvalid, EvidenceMissing.
    """
    raw = {"verdict": verdict, "answer": answer, "premise": premise, "code": code, "evidence": evidence, "comment": comment}
    try:
        return _adjudicate(item_key, by, raw)
    except IntegrityError:
        # The question was decided in another campaign at the same moment: the next look finds that decision.
        return _adjudicate(item_key, by, raw)


@transaction.atomic
def _adjudicate(item_key: str, by: Person, raw: dict[str, Any]) -> Decision:
    case = _locked_case(item_key, by)
    image = case.item.question.image
    ballot = ballots.read_ballot(raw, width=image.width, height=image.height)
    if not ballot.comment:
        raise ReasonMissing(_("Write why you decide so; voters and auditors read it."), field="comment")
    _check_evidence(ballot, case)
    decision = _decide(case, ballot, by)
    _settle(case.item, decision, by)
    return decision


def _locked_case(item_key: str, by: Person) -> Case:
    """The case under its item's lock, so that nobody decides it twice; inside the gate that a release build closes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [VOTE_GATE])
    rows = ReviewItem.objects.select_for_update(of=("self",)).select_related("question__image", "campaign")
    item = rows.filter(key=item_key).first()
    if item is None:
        raise CaseUnknown(_("There is no such case. Open the queue to see what waits for a decision."))
    if item.state != ItemState.DISPUTED:
        raise NotDisputed(_("This item is not in dispute any more; nothing was changed. Open the next case."))
    return queries.case_of(item, person=by)


def _check_evidence(ballot: Ballot, case: Case) -> None:
    shown = ballot.waiver or (ballot.evidence_kind in ("box", "region") and ballot.boxes)
    if ballot.verdict == Verdict.UNANSWERABLE and ballot.premise and not shown and not case.searched():
        raise EvidenceMissing(
            _(
                "The voters together left parts of the picture unseen, so their search alone does not carry this verdict. "
                "Take over a box, draw one where the premise fails, or give the reason why no search is needed."
            ),
            field="evidence",
        )
    # What is left to ask for does not depend on a search: that of the voters was judged above.
    ballots.check_evidence(ballot, seen_share=1.0, needed_share=1.0)


def _decide(case: Case, ballot: Ballot, by: Person) -> Decision:
    return Decision.objects.create(
        question=case.item.question,
        item=case.item,
        verdict=ballot.verdict,
        answer=ballot.answer,
        premise=ballot.premise,
        method=Method.ADJUDICATION,
        rule_version=RULE_VERSION,
        numbers=_numbers(case, ballot),
        votes=[vote.pk for vote in case.votes],
        comment=ballot.comment,
        by=by,
        supersedes=case.decision,
    )


def _numbers(case: Case, ballot: Ballot) -> dict[str, Any]:
    """What the decision rests on: the dispute, the votes that were read, and what the adjudicator points at."""
    return {
        "rule": RULE_VERSION,
        "dispute": case.item.dispute_reason,
        "votes": [vote.pk for vote in case.votes],
        "counts": {**dict.fromkeys(Verdict.values, 0), **Counter(vote.verdict for vote in case.votes)},
        "searched": case.searched(),
        "code": ballot.code,
        "evidence": {"kind": ballot.evidence_kind, "reason": ballot.waiver, **ballot.evidence()},
    }


def _settle(item: ReviewItem, decision: Decision, by: Person) -> None:
    ReviewItem.objects.filter(pk=item.pk).update(state=ItemState.SETTLED)
    made = {"verdict": decision.verdict, "method": decision.method, "rule": decision.rule_version}
    before = {"state": ItemState.DISPUTED.value, "reason": item.dispute_reason}
    journal.record_many(
        [
            journal.entry(event="decision.made", actor=by, subject=decision, after=made),
            journal.entry(event="item.settled", actor=by, subject=item, before=before, after={"verdict": decision.verdict}),
        ]
    )
