"""When must an adjudicator look at a question, and why? Values in, values out.

Four things call for one: the votes are in dispute, a voter appeals, an original's settled answer contradicts its source
(a wrong original blocks its edits), or a vote that came late shows evidence against what was decided.
"""

from dataclasses import dataclass

from annotation.questions.answers import same_answer
from annotation.review.settling import Disputed, NeedMore, Outcome, SameAnswer, Settled


@dataclass(frozen=True, slots=True)
class Referral:
    """Why an adjudicator is asked. `urgency` sorts the queue: 0 first. `reason` is a sentence for people."""

    code: str
    reason: str
    urgency: int


@dataclass(frozen=True, slots=True)
class LateVote:
    """A vote that came when the item was closed: kept, not counted, but heard if it shows something."""

    verdict: str
    evidence: bool


def referral(
    outcome: Outcome,
    *,
    reference: str = "",
    options: tuple[str, ...] = (),
    appeal: str = "",
    late: tuple[LateVote, ...] = (),
    same: SameAnswer = same_answer,
) -> Referral | None:
    """The most urgent reason to ask an adjudicator, or None.

    `reference` is the source's answer of an original (leave it empty for edits), `appeal` the words of a voter who
    wants the decision looked at again.
    """
    if isinstance(outcome, NeedMore):
        return None
    if isinstance(outcome, Disputed):
        return Referral(outcome.code, outcome.reason, urgency=0)
    return _appealed(appeal) or _late_evidence(outcome, late) or _against_the_source(outcome, reference, options, same)


def _appealed(appeal: str) -> Referral | None:
    return Referral("appeal", f"A voter asks to look again: {appeal.strip()}", urgency=1) if appeal.strip() else None


def _late_evidence(outcome: Settled, late: tuple[LateVote, ...]) -> Referral | None:
    against = [vote for vote in late if vote.verdict == "answerable" and vote.evidence]
    if outcome.verdict != "unanswerable" or not against:
        return None
    return Referral("late-evidence", "A vote that came after the decision shows where the answer is.", urgency=1)


def _against_the_source(outcome: Settled, reference: str, options: tuple[str, ...], same: SameAnswer) -> Referral | None:
    if not reference:
        return None
    if outcome.verdict != "answerable":
        reason = f"The source answers “{reference}”, the votes settled on “{outcome.verdict}”."
        return Referral("unsound-original", reason, urgency=2)
    if not same(outcome.answer, reference, options=options):
        reason = f"The source answers “{reference}”, the votes settled on “{outcome.answer}”."
        return Referral("wrong-original", reason, urgency=2)
    return None
