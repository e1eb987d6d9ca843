"""When do votes settle a question? Ann, Bo, Cy and friends vote; Rae is asked where they cannot."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.review.posterior import Beta, Skill, posterior_answerable
from annotation.review.settling import (
    Ballot,
    Disputed,
    NeedMore,
    Outcome,
    Policy,
    Settled,
    Subject,
    settle,
)

PEOPLE = ["ann", "bo", "cy", "di", "ed", "flo", "gus"]
RELATION_EDIT = Subject(edited=True, component="relation")
OBJECT_EDIT = Subject(edited=True, component="object")


def found(answer: str = "red", *, evidence: bool = True) -> dict[str, Any]:
    return {"verdict": "answerable", "answer": answer, "evidence": evidence}


ABSENT: dict[str, Any] = {"verdict": "unanswerable", "premise": "object"}
VAGUE: dict[str, Any] = {"verdict": "ambiguous"}


def votes(*kinds: dict[str, Any]) -> list[Ballot]:
    return [Ballot(vote=index, person=PEOPLE[index], **kind) for index, kind in enumerate(kinds)]


def outcome(*kinds: dict[str, Any], policy: Policy | None = None, subject: Subject = OBJECT_EDIT, **more: Any) -> Outcome:
    return settle(votes(*kinds), policy=policy or Policy(), subject=subject, **more)


def settled(result: Outcome) -> Settled:
    assert isinstance(result, Settled)
    return result


def code(result: Outcome) -> str:
    assert isinstance(result, Disputed)
    return result.code


def missing(result: Outcome) -> int:
    assert isinstance(result, NeedMore)
    return result.votes


def test_nothing_settles_before_the_votes_that_are_needed() -> None:
    assert missing(outcome()) == 3
    assert missing(outcome(ABSENT, ABSENT)) == 1


def test_three_who_found_the_same_answer_settle_it() -> None:
    result = settled(outcome(found("Red"), found("red"), found("red")))
    assert (result.verdict, result.answer, result.method) == ("answerable", "red", "consensus")
    assert result.votes == (0, 1, 2)


def test_three_who_searched_and_found_nothing_settle_absent_with_the_premise_most_of_them_named() -> None:
    result = settled(outcome(ABSENT, ABSENT | {"premise": "relation"}, ABSENT, searched=True))
    assert (result.verdict, result.premise) == ("unanswerable", "object")


def test_the_relation_of_an_edit_takes_one_more_person() -> None:
    assert missing(outcome(ABSENT, ABSENT, ABSENT, subject=RELATION_EDIT)) == 1
    assert settled(outcome(ABSENT, ABSENT, ABSENT, ABSENT, subject=RELATION_EDIT)).verdict == "unanswerable"


def test_an_original_about_a_relation_takes_no_more_people() -> None:
    assert settled(outcome(found(), found(), found(), subject=Subject(component="relation"))).verdict == "answerable"


@pytest.mark.parametrize("absent", [2, 4, 6])
def test_one_box_with_an_answer_beats_any_number_who_saw_nothing_until_rae_looks(absent: int) -> None:
    result = outcome(found(), *[ABSENT] * absent)
    assert code(result) == "evidence-against-absent"
    assert isinstance(result, Disputed)
    assert f"1 person showed where the answer is, {absent} people found none." == result.reason


def test_a_majority_with_evidence_does_not_silence_the_one_who_saw_nothing_either() -> None:
    assert code(outcome(found(), found(), ABSENT)) == "evidence-against-absent"


def test_an_answer_without_evidence_costs_further_votes_then_goes_to_rae() -> None:
    bare = found(evidence=False)
    assert missing(outcome(bare, ABSENT, ABSENT)) == 1
    assert code(outcome(bare, ABSENT, ABSENT, ABSENT, ABSENT)) == "verdicts-differ"


def test_three_who_call_it_ambiguous_settle_that() -> None:
    assert settled(outcome(VAGUE, VAGUE, VAGUE)).verdict == "ambiguous"


def test_one_ambiguous_vote_is_outvoted_by_as_many_as_are_needed() -> None:
    assert missing(outcome(found(), found(), VAGUE)) == 1
    assert settled(outcome(found(), found(), VAGUE, found())).verdict == "answerable"


def test_two_who_call_it_ambiguous_bring_it_to_rae() -> None:
    result = outcome(found(), VAGUE, found(), VAGUE, ABSENT | {"verdict": "ambiguous"})
    assert settled(result).verdict == "ambiguous"
    assert code(outcome(found(), VAGUE, found("blue"), VAGUE, found("green"))) == "called-ambiguous"


def test_different_answers_cost_further_votes_then_go_to_rae() -> None:
    assert missing(outcome(found("red"), found("blue"), found("red"))) == 1
    assert settled(outcome(found("red"), found("blue"), found("red"), found("red"))).answer == "red"
    assert code(outcome(found("red"), found("blue"), found("red"), found("blue"), found("green"))) == "answers-differ"


def test_two_against_two_settle_nothing_even_where_two_are_enough() -> None:
    policy = Policy(votes_needed=2, votes_at_most=4)
    assert code(outcome(found("red"), found("blue"), found("red"), found("blue"), policy=policy)) == "answers-differ"
    assert code(outcome(found(), VAGUE, found(), VAGUE, policy=policy)) == "called-ambiguous"


def test_answers_are_compared_by_meaning() -> None:
    assert settled(outcome(found("two"), found("2"), found("2 dogs"))).answer == "2"
    with_options = Subject(options=("red", "blue"))
    assert settled(outcome(found("B"), found("blue"), found("(B) blue"), subject=with_options)).verdict == "answerable"


def test_a_vote_that_hedges_agrees_with_neither() -> None:
    assert missing(outcome(found("red"), found("red or blue"), found("red"))) == 1


def test_absent_does_not_settle_while_parts_of_the_picture_are_unseen() -> None:
    assert missing(outcome(ABSENT, ABSENT, ABSENT, searched=False)) == 1
    assert code(outcome(*[ABSENT] * 5, searched=False)) == "not-searched"
    assert settled(outcome(ABSENT, ABSENT, ABSENT, searched=None)).verdict == "unanswerable"


def test_people_who_miss_often_cannot_settle_absent() -> None:
    poor = Skill(sensitivity=Beta(5, 5), specificity=Beta(6, 4))
    skills = dict.fromkeys(PEOPLE, poor)
    assert missing(outcome(ABSENT, ABSENT, ABSENT, skills=skills)) == 1
    strict = Policy(posterior=0.95)
    assert code(outcome(*[ABSENT] * 5, skills=skills, policy=strict)) == "not-sure"


ZERO = found("0", evidence=False)


def test_a_zero_count_of_an_edit_goes_to_rae_where_the_campaign_takes_none() -> None:
    assert code(outcome(ZERO, ABSENT, ABSENT)) == "zero-count"


def test_a_zero_count_is_an_answer_where_the_campaign_says_so() -> None:
    policy = Policy(zero_count="answerable")
    assert settled(outcome(ZERO, found("none seen: 0"), ZERO, found("zero"), policy=policy)).answer == "0"


def test_zero_and_refusal_agree_where_both_count_as_right() -> None:
    policy = Policy(zero_count="both")
    result = settled(outcome(ZERO | {"evidence": True}, ABSENT, ABSENT, policy=policy))
    assert (result.verdict, result.answer) == ("answerable", "0")
    assert result.numbers["zero_count"] == "both"


def test_a_zero_is_the_plain_answer_of_an_original() -> None:
    assert settled(outcome(found("0"), found("zero"), found("0"), subject=Subject(reference="0"))).answer == "0"


def test_a_training_original_settles_by_its_source_and_one_blind_vote() -> None:
    policy, subject = Policy(imported=True), Subject(reference="gray")
    result = settled(outcome(found("grey"), policy=policy, subject=subject))
    assert (result.method, result.answer, result.votes) == ("imported", "gray", (0,))


@pytest.mark.parametrize("vote", [found("blue"), found("gray", evidence=False), ABSENT, VAGUE])
def test_any_other_vote_ends_the_short_way(vote: dict[str, Any]) -> None:
    assert missing(outcome(vote, policy=Policy(imported=True), subject=Subject(reference="gray"))) == 2


def test_the_short_way_is_closed_to_edits_and_to_other_campaigns() -> None:
    assert missing(outcome(found("gray"), policy=Policy(imported=True), subject=Subject(edited=True, reference="gray"))) == 2
    assert missing(outcome(found("gray"), subject=Subject(reference="gray"))) == 2
    assert missing(outcome(policy=Policy(imported=True), subject=Subject(reference="gray"))) == 3


def test_one_person_cannot_be_counted_twice() -> None:
    with pytest.raises(ValueError, match="two current votes"):
        settle([Ballot(1, "ann", "ambiguous"), Ballot(2, "ann", "ambiguous")], policy=Policy(), subject=Subject())


def test_the_numbers_are_json_and_hold_all_that_was_used() -> None:
    numbers = settled(outcome(ABSENT, ABSENT, ABSENT, skills={"bo": Skill(Beta(30, 10))})).numbers
    assert json.loads(json.dumps(numbers)) == numbers
    assert numbers["rule"] == "settle-2"
    assert numbers["votes"] == [0, 1, 2]
    assert numbers["skills"]["bo"] == {"sensitivity": [30, 10], "specificity": [19.0, 1.0]}
    assert numbers["skills"]["ann"] == {"sensitivity": [8.0, 2.0], "specificity": [19.0, 1.0]}


def test_the_posterior_is_that_worked_out_by_hand() -> None:
    # Three absent votes with the default skill, prior 0.5:
    #   answerable:   0.9 * 0.2^3 + 0.1 * 0.6^3 = 0.0072 + 0.0216 = 0.0288
    #   unanswerable: 0.95^3                                      = 0.857375
    numbers = settled(outcome(ABSENT, ABSENT, ABSENT)).numbers
    assert numbers["posterior_answerable"] == pytest.approx(0.0288 / (0.0288 + 0.857375))


def test_hard_items_keep_three_absent_votes_from_looking_independent() -> None:
    # Domain rule A3: 10 % hard items each missed 60 % of the time leave 0.6 % wrong where independence says 0.01 %.
    keen = [(False, Skill(Beta(95, 5), Beta(99, 1)))] * 3
    prior = 0.22
    assert posterior_answerable(keen, prior=prior) == pytest.approx(0.006, abs=0.001)
    assert posterior_answerable(keen, prior=prior, hard=0) < 0.0001


@pytest.mark.parametrize("prior", [0, 1, -1, 2])
def test_a_prior_no_vote_could_move_is_refused(prior: float) -> None:
    with pytest.raises(ValueError, match="prior"):
        posterior_answerable([], prior=prior)


betas = st.builds(Beta, st.floats(0.5, 50), st.floats(0.5, 50))
skilled_votes = st.lists(st.tuples(st.booleans(), st.builds(Skill, betas, betas)), max_size=6)
priors = st.floats(0.05, 0.95)


@given(skilled_votes, priors)
def test_without_hard_items_the_two_labels_are_symmetric(cast: list[tuple[bool, Skill]], prior: float) -> None:
    mirrored = [(not find, Skill(skill.specificity, skill.sensitivity)) for find, skill in cast]
    there = posterior_answerable(cast, prior=prior, hard=0)
    assert posterior_answerable(mirrored, prior=1 - prior, hard=0) == pytest.approx(1 - there, abs=1e-9)


@given(skilled_votes, priors)
def test_no_votes_leave_the_prior_and_certainty_is_never_reached(cast: list[tuple[bool, Skill]], prior: float) -> None:
    assert posterior_answerable([], prior=prior) == pytest.approx(prior)
    assert 0 < posterior_answerable(cast, prior=prior) < 1


ballot_kinds = st.one_of(
    st.builds(found, st.sampled_from(["red", "blue", "two", "2 dogs", "2", "0"]), evidence=st.booleans()),
    st.sampled_from([ABSENT, ABSENT | {"premise": "relation"}, VAGUE]),
)
policies = st.builds(
    Policy,
    votes_needed=st.integers(1, 4),
    votes_at_most=st.integers(1, 7),
    zero_count=st.sampled_from(["reject", "answerable", "both"]),
    imported=st.booleans(),
)
subjects = st.builds(
    Subject, edited=st.booleans(), component=st.sampled_from(["relation", "object"]), reference=st.sampled_from(["", "2"])
)
situations = st.tuples(st.lists(ballot_kinds, max_size=7), policies, subjects, st.sampled_from([None, True, False]))


@given(situations, st.randoms(use_true_random=False))
def test_the_order_of_votes_does_not_matter(situation: tuple[Any, ...], dice: random.Random) -> None:
    kinds, policy, subject, searched = situation
    cast = votes(*kinds)
    shuffled = dice.sample(cast, len(cast))
    before = settle(cast, policy=policy, subject=subject, searched=searched)
    after = settle(shuffled, policy=policy, subject=subject, searched=searched)
    assert after == before
    assert after.numbers == before.numbers


@given(situations)
def test_names_do_not_matter(situation: tuple[Any, ...]) -> None:
    kinds, policy, subject, searched = situation
    renamed = [
        Ballot(
            vote=b.vote, person=b.person[::-1] + "x", verdict=b.verdict, answer=b.answer, evidence=b.evidence, premise=b.premise
        )
        for b in votes(*kinds)
    ]
    assert settle(renamed, policy=policy, subject=subject, searched=searched) == settle(
        votes(*kinds), policy=policy, subject=subject, searched=searched
    )


@given(st.lists(st.sampled_from([found("red"), found("blue"), VAGUE, ABSENT]), max_size=7), policies)
def test_exchanging_two_answers_exchanges_them_in_the_outcome(kinds: list[dict[str, Any]], policy: Policy) -> None:
    other = {"red": "blue", "blue": "red"}
    swapped = [kind | {"answer": other[kind["answer"]]} if "answer" in kind else kind for kind in kinds]
    before, after = outcome(*kinds, policy=policy), outcome(*swapped, policy=policy)
    if isinstance(before, Settled):
        assert settled(after).verdict == before.verdict
        assert settled(after).answer == other.get(before.answer, "")
    else:
        assert after == before


@given(situations)
def test_evidence_and_absent_never_settle_together_and_every_item_comes_to_an_end(situation: tuple[Any, ...]) -> None:
    kinds, policy, subject, searched = situation
    result = outcome(*kinds, policy=policy, subject=subject, searched=searched)
    shown = any(kind.get("evidence") and kind["answer"] != "0" for kind in kinds)
    if shown and ABSENT in kinds:
        assert not isinstance(result, Settled)
    if len(kinds) >= policy.at_most_for(subject):
        assert not isinstance(result, NeedMore)
    if isinstance(result, NeedMore):
        assert result.votes >= 1
