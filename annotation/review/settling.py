"""When do votes settle a question? Values in, values out; the caller holds the item's lock and writes the Decision.

The rule (RULE_VERSION), in order:

1. Nothing happens before the votes that the policy asks for; a question about a relation asks for more.
2. **Evidence is asymmetric.** One answer with evidence against any number of "absent" votes is a dispute: finding a
   thing proves that it is there, not finding it proves little. No majority decides that; an adjudicator looks.
3. A verdict settles when as many people as the policy asks for hold it, and they are more than half. "Ambiguous", or
   another answer, can so be outvoted, but costs further votes, up to the policy's most; then it is a dispute.
4. "Answerable" settles on one answer that those people share; "unanswerable" only if the group searched the picture.
5. The posterior of the settled verdict must reach the policy's bound.

There is no early stop: until a person has voted on 20 controls their skill is not known well enough for one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from annotation.questions.answers import normalised, same_answer
from annotation.review.posterior import HARD, HARD_MISS, NO_CONTROLS_YET, Skill, posterior_answerable

RULE_VERSION = "settle-2"

Verdict = Literal["answerable", "unanswerable", "ambiguous"]
ZeroCount = Literal["reject", "answerable", "both"]
Numbers = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ballot:
    """One person's current vote on the item. `vote` is its id, kept for the Decision; `evidence` says whether it shows
    where the answer is (box, points, whole picture)."""

    vote: int
    person: str
    verdict: Verdict
    answer: str = ""
    evidence: bool = False
    premise: str = ""
    coverage: float | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """What the votes are about. `reference` is the source's own answer of an original, "" where there is none."""

    edited: bool = False
    component: str = ""
    options: tuple[str, ...] = ()
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """The campaign's rules. `imported` lets an original settle by its source's answer and one agreeing blind vote
    (for training rows only); `posterior` is the least probability of the settled verdict."""

    votes_needed: int = 3
    votes_at_most: int = 5
    extra_relation_votes: int = 1
    zero_count: ZeroCount = "reject"
    imported: bool = False
    posterior: float = 0.90

    def needed_for(self, subject: Subject) -> int:
        """How many people must hold a verdict; only edits of a relation need the extra ones."""
        extra = self.extra_relation_votes if subject.edited and subject.component == "relation" else 0
        return self.votes_needed + extra

    def at_most_for(self, subject: Subject) -> int:
        """How many votes are asked for at the very most; never fewer than are needed."""
        return max(self.votes_at_most, self.needed_for(subject))


@dataclass(frozen=True, slots=True)
class Settled:
    """The verdict of record, and every number it rests on (JSON)."""

    verdict: Verdict
    answer: str
    premise: str
    method: Literal["consensus", "imported"]
    posterior: float
    votes: tuple[int, ...]
    numbers: Numbers = field(compare=False)


@dataclass(frozen=True, slots=True)
class Disputed:
    """An adjudicator must look. `code` is for storing and counting, `reason` is for people to read."""

    code: str
    reason: str
    numbers: Numbers = field(compare=False)


@dataclass(frozen=True, slots=True)
class NeedMore:
    """That many further votes are asked for."""

    votes: int
    numbers: Numbers = field(compare=False)


Outcome = Settled | Disputed | NeedMore
SameAnswer = Callable[..., bool]


def settle(
    ballots: Sequence[Ballot],
    *,
    policy: Policy,
    subject: Subject,
    skills: Mapping[str, Skill] | None = None,
    prior: float = 0.5,
    searched: bool | None = None,
    same: SameAnswer = same_answer,
) -> Outcome:
    """What the current votes on one item come to. Their order does not matter.

    `skills` by person (missing: NO_CONTROLS_YET); `prior` is the probability, before any vote, that the question can
    be answered; `searched` is whether the group's searches together carry "absent", None where no search is asked for
    (counter-evidence, charts). Raises ValueError for two current votes of one person.
    """
    case = _Case(ballots, policy, subject, skills or {}, prior, searched, same)
    imported = case.imported()
    if imported is not None:
        return imported
    if len(ballots) < case.needed:
        return NeedMore(case.needed - len(ballots), case.numbers())
    return case.dispute_at_once() or case.settled() or case.more_or_dispute()


class _Case:
    """One settling: the votes, sorted once, and the questions the rule asks about them."""

    def __init__(
        self,
        ballots: Sequence[Ballot],
        policy: Policy,
        subject: Subject,
        skills: Mapping[str, Skill],
        prior: float,
        searched: bool | None,
        same: SameAnswer,
    ) -> None:
        if len({ballot.person for ballot in ballots}) < len(ballots):
            raise ValueError("one person has two current votes on this item")
        self.ballots = sorted(ballots, key=lambda ballot: ballot.vote)
        self.policy, self.subject, self.searched, self.same = policy, subject, searched, same
        self.prior = prior
        self.skills = {ballot.person: skills.get(ballot.person, NO_CONTROLS_YET) for ballot in self.ballots}
        self.needed = policy.needed_for(subject)
        self.holders = {verdict: [b for b in self.ballots if b.verdict == verdict] for verdict in _VERDICTS}
        self.agreeing = self._largest_agreeing_group()
        voiced = [(b.verdict == "answerable", self.skills[b.person]) for b in self.ballots if b.verdict != "ambiguous"]
        self.posterior = posterior_answerable(voiced, prior=prior)

    def imported(self) -> Settled | None:
        """A training original whose source answer the first blind vote confirms; any other vote ends this way."""
        if not (self.policy.imported and not self.subject.edited and self.subject.reference and self.ballots):
            return None
        confirmed = all(b.verdict == "answerable" and b.evidence and self._is_reference(b.answer) for b in self.ballots)
        return self._settle("answerable", answer=self.subject.reference, method="imported") if confirmed else None

    def dispute_at_once(self) -> Disputed | None:
        """Disputes that no further vote can end."""
        found, absent = self.holders["answerable"], self.holders["unanswerable"]
        zeros = [ballot for ballot in found if self._is_zero(ballot)]
        if zeros and self.policy.zero_count == "reject":
            return self._dispute("zero-count", f"{_people(len(zeros))} answered zero, and this campaign takes no zero counts.")
        shown = [ballot for ballot in found if ballot.evidence and not self._zero_is_both(ballot)]
        if shown and absent:
            return self._dispute(
                "evidence-against-absent",
                f"{_people(len(shown))} showed where the answer is, {_people(len(absent))} found none.",
            )
        return None

    def settled(self) -> Settled | None:
        """The verdict that enough people hold, if it may settle."""
        found, absent = self.holders["answerable"], self.holders["unanswerable"]
        if self._carried_by(self.holders["ambiguous"]):
            return self._settle("ambiguous")
        if self._counts_as_both() and self._carried_by(found + absent):
            return self._settle("answerable", answer="0")
        if self._carried_by(self.agreeing) and not absent and self._sure("answerable"):
            return self._settle("answerable", answer=_most_common(ballot.answer for ballot in self.agreeing))
        if self._carried_by(absent) and not found and self.searched is not False and self._sure("unanswerable"):
            return self._settle("unanswerable", premise=_most_common(ballot.premise for ballot in absent))
        return None

    def more_or_dispute(self) -> NeedMore | Disputed:
        """One more vote while the policy allows it, then the reason why people could not settle it."""
        if len(self.ballots) < self.policy.at_most_for(self.subject):
            return NeedMore(1, self.numbers())
        votes, vague = _people(len(self.ballots)), len(self.holders["ambiguous"])
        if vague:
            return self._dispute("called-ambiguous", f"{vague} of {votes} called it ambiguous.")
        if self.holders["answerable"] and self.holders["unanswerable"]:
            return self._dispute("verdicts-differ", f"After {votes} the verdicts still differ.")
        if self.holders["answerable"] and not self._carried_by(self.agreeing):
            return self._dispute("answers-differ", f"{votes} found an answer, but not the same one.")
        if self.searched is False:
            return self._dispute("not-searched", f"{votes} found nothing, but together they left parts of the picture unseen.")
        return self._dispute("not-sure", f"{votes} agree, but their records on controls are too weak to settle on.")

    def numbers(self) -> Numbers:
        """All that the outcome rests on, as JSON: enough to derive it again."""
        return {
            "rule": RULE_VERSION,
            "prior": self.prior,
            "hard": HARD,
            "hard_miss": HARD_MISS,
            "posterior_answerable": self.posterior,
            "posterior_needed": self.policy.posterior,
            "needed": self.needed,
            "at_most": self.policy.at_most_for(self.subject),
            "zero_count": self.policy.zero_count,
            "imported": self.policy.imported,
            "searched": self.searched,
            "votes": [ballot.vote for ballot in self.ballots],
            "counts": {verdict: len(holders) for verdict, holders in self.holders.items()},
            "skills": {
                person: {
                    "sensitivity": [skill.sensitivity.hits, skill.sensitivity.misses],
                    "specificity": [skill.specificity.hits, skill.specificity.misses],
                }
                for person, skill in sorted(self.skills.items())
            },
        }

    def _settle(
        self,
        verdict: Verdict,
        *,
        answer: str = "",
        premise: str = "",
        method: Literal["consensus", "imported"] = "consensus",
    ) -> Settled:
        return Settled(
            verdict=verdict,
            answer=answer,
            premise=premise,
            method=method,
            posterior=1 - self.posterior if verdict == "unanswerable" else self.posterior,
            votes=tuple(ballot.vote for ballot in self.ballots),
            numbers=self.numbers(),
        )

    def _dispute(self, code: str, reason: str) -> Disputed:
        return Disputed(code, reason, self.numbers())

    def _sure(self, verdict: Verdict) -> bool:
        return (self.posterior if verdict == "answerable" else 1 - self.posterior) >= self.policy.posterior

    def _is_reference(self, answer: str) -> bool:
        return self.same(answer, self.subject.reference, options=self.subject.options)

    def _is_zero(self, ballot: Ballot) -> bool:
        """Zero counts are a question of policy for edits only: an original's zero is an answer like any other."""
        return self.subject.edited and self.same(ballot.answer, "0", options=self.subject.options)

    def _zero_is_both(self, ballot: Ballot) -> bool:
        return self.policy.zero_count == "both" and self._is_zero(ballot)

    def _counts_as_both(self) -> bool:
        return bool(self.holders["answerable"]) and all(map(self._zero_is_both, self.holders["answerable"]))

    def _carried_by(self, holders: Sequence[Ballot]) -> bool:
        return len(holders) >= self.needed and 2 * len(holders) > len(self.ballots)

    def _agree(self, one: str, other: str) -> bool:
        # Both ways: a reference may list alternatives, a vote that hedges ("red or blue") agrees with neither.
        options = self.subject.options
        return self.same(one, other, options=options) and self.same(other, one, options=options)

    def _largest_agreeing_group(self) -> list[Ballot]:
        """The ballots that share one answer. Equality of answers is no equivalence, so a group is all who agree with
        one of its members; ties go to the answer that comes first in the alphabet, whatever the order of votes."""
        found = self.holders["answerable"]
        groups = [(ballot, [other for other in found if self._agree(ballot.answer, other.answer)]) for ballot in found]
        groups.sort(key=lambda group: (-len(group[1]), normalised(group[0].answer), group[0].answer))
        return groups[0][1] if groups else []


_VERDICTS: tuple[Verdict, ...] = ("answerable", "unanswerable", "ambiguous")


def _most_common(values: Iterable[str]) -> str:
    """The most frequent one; among equals the shortest, then the first in the alphabet."""
    counted = Counter(values)
    return min(counted, key=lambda value: (-counted[value], len(value), value))


def _people(count: int) -> str:
    return "1 person" if count == 1 else f"{count} people"
