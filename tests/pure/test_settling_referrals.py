"""When is Rae asked to adjudicate, and why?"""

from annotation.adjudication.rules import LateVote, referral
from annotation.review.settling import Disputed, NeedMore, Settled


def settled(verdict: str, answer: str = "") -> Settled:
    return Settled(verdict, answer, "", "consensus", 0.99, (1, 2, 3), {})  # type: ignore[arg-type]


def code(*args: object, **more: object) -> str | None:
    found = referral(*args, **more)  # type: ignore[arg-type]
    return found.code if found else None


def test_rae_is_not_asked_while_votes_are_missing() -> None:
    assert referral(NeedMore(1, {}), appeal="please") is None


def test_a_dispute_comes_first_with_its_own_reason() -> None:
    found = referral(Disputed("evidence-against-absent", "1 person showed it, 2 people found none.", {}))
    assert found is not None
    assert (found.code, found.reason, found.urgency) == ("evidence-against-absent", "1 person showed it, 2 people found none.", 0)


def test_a_settled_edit_needs_no_adjudicator() -> None:
    assert referral(settled("unanswerable")) is None
    assert referral(settled("answerable", "red")) is None


def test_a_voter_may_appeal() -> None:
    assert code(settled("unanswerable"), appeal=" It is behind the door. ") == "appeal"
    assert code(settled("unanswerable"), appeal="  ") is None


def test_a_late_vote_with_evidence_reopens_an_absent_verdict() -> None:
    late = (LateVote("answerable", evidence=True),)
    assert code(settled("unanswerable"), late=late) == "late-evidence"
    assert code(settled("answerable", "red"), late=late) is None
    assert code(settled("unanswerable"), late=(LateVote("answerable", evidence=False),)) is None
    assert code(settled("unanswerable"), late=(LateVote("unanswerable", evidence=True),)) is None


def test_an_original_whose_answer_is_not_the_sources_goes_to_rae() -> None:
    found = referral(settled("answerable", "blue"), reference="red")
    assert found is not None
    assert found.code == "wrong-original"
    assert "red" in found.reason
    assert "blue" in found.reason


def test_an_original_that_settles_otherwise_is_unsound() -> None:
    assert code(settled("ambiguous"), reference="red") == "unsound-original"
    assert code(settled("unanswerable"), reference="red") == "unsound-original"


def test_an_original_confirmed_in_other_words_is_sound() -> None:
    assert referral(settled("answerable", "grey"), reference="gray") is None
    assert referral(settled("answerable", "B"), reference="blue", options=("red", "blue")) is None
