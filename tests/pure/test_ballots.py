"""A ballot is checked before it touches the database: closed lists, ranges, places inside the picture, and its evidence."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.review.ballots import (
    CODES,
    EVIDENCE,
    PREMISES,
    SHAPES_AT_MOST,
    TEXT_AT_MOST,
    WAIVERS,
    Ballot,
    BallotInvalid,
    EvidenceMissing,
    check_evidence,
    read_ballot,
)

WIDTH, HEIGHT = 2400, 1600
BOX = {"kind": "box", "boxes": [[10, 10, 60, 60]]}


def read(**raw: Any) -> Ballot:
    return read_ballot({"verdict": "answerable", "answer": "green", "evidence": BOX, **raw}, width=WIDTH, height=HEIGHT)


def refused_field(**raw: Any) -> str | None:
    with pytest.raises(BallotInvalid) as refusal:
        read(**raw)
    return refusal.value.field


def missing_field(seen: float = 0.0, **raw: Any) -> str | None:
    with pytest.raises(EvidenceMissing) as refusal:
        check_evidence(read(**raw), seen_share=seen, needed_share=0.9)
    return refusal.value.field


def accepted(seen: float = 0.0, **raw: Any) -> bool:
    check_evidence(read(**raw), seen_share=seen, needed_share=0.9)
    return True


def test_a_full_ballot_is_read_as_it_was_sent() -> None:
    ballot = read(comment=" near the door ", confidence=4, active_ms=2000, trace=[{"t": 0}])
    assert ballot == Ballot(
        verdict="answerable",
        answer="green",
        evidence_kind="box",
        boxes=((10.0, 10.0, 60.0, 60.0),),
        comment="near the door",
        confidence=4,
        active_ms=2000,
        trace=[{"t": 0}],
    )
    assert ballot.evidence() == {"boxes": [[10.0, 10.0, 60.0, 60.0]], "points": []}


@pytest.mark.parametrize("name", ["verdict", "premise", "code", "comment", "confidence", "active_ms"])
def test_a_field_of_the_wrong_type_is_named(name: str) -> None:
    verdicts = {"premise": "unanswerable", "code": "ambiguous"}
    value = 7 if name in ("verdict", "premise", "code", "comment") else "seven"
    assert refused_field(**{"verdict": verdicts.get(name, "answerable"), name: value}) == name


@pytest.mark.parametrize(
    "evidence",
    [
        {"kind": "circle"},
        {"kind": None},
        {},
        {"kind": "box", "boxes": "all"},
        {"kind": "box", "boxes": [[0, 0, 10]]},
        {"kind": "box", "boxes": [[0, 0, 10, "10"]]},
        {"kind": "box", "boxes": [[0, 0, 10, float("nan")]]},
        {"kind": "box", "boxes": [[0, 0, 10, float("inf")]]},
        {"kind": "box", "boxes": [[0, 0, 10, True]]},
        {"kind": "box", "boxes": [[0, 0, 10, 10**400]]},
        {"kind": "box", "boxes": [[5, 5, 5, 50]]},
        {"kind": "box", "boxes": [[WIDTH, 0, WIDTH + 50, 50]]},
        {"kind": "box", "boxes": [[0, 0, 5, 5]] * (SHAPES_AT_MOST + 1)},
        {"kind": "points", "points": [[1]]},
        {"kind": "points", "points": [[WIDTH + 1, 5]]},
        {"kind": "points", "points": [[5, -0.5]]},
        {"kind": "none", "reason": "did_not_feel_like_it"},
        ["box"],
        "box",
    ],
)
def test_evidence_that_cannot_be_a_place_in_the_picture_is_refused(evidence: Any) -> None:
    if evidence == {}:  # an empty object is no evidence at all, not wrong evidence
        assert read(evidence=evidence).evidence_kind == "none"
    else:
        assert refused_field(evidence=evidence) == "evidence"


@pytest.mark.parametrize("confidence", [0, 6, -1, 2.5, True, "3"])
def test_confidence_is_a_whole_number_from_one_to_five(confidence: Any) -> None:
    assert refused_field(confidence=confidence) == "confidence"


@pytest.mark.parametrize("active_ms", [-1, 86_400_001, 1.5, True])
def test_active_time_is_at_most_a_day(active_ms: Any) -> None:
    assert refused_field(active_ms=active_ms) == "active_ms"


@pytest.mark.parametrize("text", ["nul\x00", "half a pair \ud800", "x" * (TEXT_AT_MOST + 1)])
@pytest.mark.parametrize("name", ["answer", "comment"])
def test_text_that_cannot_be_stored_or_is_endless_is_refused(name: str, text: str) -> None:
    assert refused_field(**{name: text}) == name


def test_text_in_any_script_passes() -> None:
    assert read(answer="  茶壶 🫖 ", comment="é" * TEXT_AT_MOST).answer == "茶壶 🫖"


def test_what_belongs_to_another_verdict_is_left_out() -> None:
    full = {"premise": "object", "code": "vague_wording", "answer": "green"}
    assert (read(**full).premise, read(**full).code) == ("", "")
    absent = read(**{**full, "verdict": "unanswerable"})
    assert (absent.answer, absent.premise, absent.code) == ("", "object", "")
    unclear = read(**{**full, "verdict": "ambiguous"})
    assert (unclear.answer, unclear.premise, unclear.code) == ("", "", "vague_wording")


numbers = st.floats(-1e5, 1e5)


@given(st.tuples(numbers, numbers, numbers, numbers))
def test_an_accepted_box_lies_inside_the_picture_with_its_corners_in_order(corners: tuple[float, ...]) -> None:
    try:
        ((left, top, right, bottom),) = read(evidence={"kind": "box", "boxes": [list(corners)]}).boxes
    except BallotInvalid:
        return
    assert 0 <= left <= right - 1 <= WIDTH - 1
    assert 0 <= top <= bottom - 1 <= HEIGHT - 1


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["kind", "boxes", "points", "reason"]), inner),
        max_leaves=12,
    )
)
def test_any_json_at_all_is_read_or_refused_by_name(value: Any) -> None:
    for name in ("verdict", "answer", "evidence", "premise", "code", "comment", "confidence", "active_ms"):
        for verdict in ("answerable", "unanswerable", "ambiguous"):
            assert fault_of(**{"verdict": verdict, name: value}) in (None, name)


def fault_of(**raw: Any) -> str | None:
    """The field that is refused, None where the ballot is read."""
    try:
        read(**raw)
    except BallotInvalid as refusal:
        return refusal.field
    return None


def test_an_answer_needs_words_and_a_place() -> None:
    assert missing_field(answer="   ") == "answer"
    assert missing_field(evidence={"kind": "none"}) == "evidence"
    assert missing_field(evidence={"kind": "region", "boxes": [[0, 0, 9, 9]]}) == "evidence"
    assert missing_field(evidence={"kind": "points", "points": []}, seen=1.0) == "evidence"
    assert accepted(evidence={"kind": "points", "points": [[5, 5]]})
    assert accepted(evidence={"kind": "whole"})


@pytest.mark.parametrize("premise", PREMISES)
def test_absent_needs_a_premise_and_a_search_of_nine_tenths(premise: str) -> None:
    absent = {"verdict": "unanswerable", "premise": premise, "evidence": {"kind": "none"}}
    assert missing_field(**{**absent, "premise": ""}, seen=1.0) == "premise"
    assert missing_field(**absent, seen=0.899) == "evidence"
    assert accepted(**absent, seen=0.9)


@pytest.mark.parametrize("waiver", WAIVERS)
def test_absent_without_a_search_needs_a_place_or_a_closed_reason(waiver: str) -> None:
    absent = {"verdict": "unanswerable", "premise": "object"}
    assert accepted(**absent, evidence={"kind": "none", "reason": waiver})
    assert accepted(**absent, evidence=BOX)
    assert accepted(**absent, evidence={"kind": "region", "boxes": [[0, 0, 100, 100]]})
    assert missing_field(**absent, evidence={"kind": "region", "boxes": []}) == "evidence"
    assert missing_field(**absent, evidence={"kind": "whole"}) == "evidence"


@pytest.mark.parametrize("code", CODES)
def test_ambiguous_needs_one_of_the_codes(code: str) -> None:
    assert accepted(verdict="ambiguous", code=code, evidence={"kind": "none"})
    assert missing_field(verdict="ambiguous", evidence=BOX) == "code"


def test_no_verdict_passes_without_evidence() -> None:
    for kind in EVIDENCE:
        bare = {"evidence": {"kind": kind}, "answer": ""}
        assert missing_field(verdict="answerable", **bare) == "answer"
        assert missing_field(verdict="unanswerable", **bare) == "premise"
        assert missing_field(verdict="ambiguous", **bare) == "code"


def test_the_refusal_tells_how_much_was_seen_and_what_helps() -> None:
    with pytest.raises(EvidenceMissing, match=r"74% .* 90% .* draw a box"):
        accepted(verdict="unanswerable", premise="object", evidence={"kind": "none"}, seen=0.74)
