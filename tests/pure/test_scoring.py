"""What a model is worth. Every expected number is worked out by hand in the comment beside it."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.evaluation.confidence import calibration_error, confidence_figures, coverage_at, risk_by_coverage
from annotation.evaluation.scoring import Gold, judge, metrics, rotus, score
from annotation.evaluation.submissions import Prediction
from annotation.quality.figures import wilson


def original(name: str, **changes: Any) -> Gold:
    return Gold(row_id=name, is_unanswerable=False, **({"answers": ("red",)} | changes))


def edit(name: str, **changes: Any) -> Gold:
    return Gold(row_id=name, is_unanswerable=True, **changes)


def said(**texts: str) -> dict[str, Prediction]:
    return {row_id: Prediction(row_id, text) for row_id, text in texts.items()}


REFUSES = "It cannot be determined."

# Ten rows, six answerable and four not:
#   a right, b right, c wrong, d refused, e blank, f not there   -> right 2, answered 3, FP 1
#   u refused, v refused, w answered, x blank                    -> TP 2, FN 2
GOLDS = [
    *(original(name, pair="p" + name if name in "abc" else "") for name in "abcdef"),
    edit("u", pair="pa"),
    edit("v", pair="pc"),
    edit("w", pair="pb"),
    edit("x"),
]
SAID = said(a="red", b="Red.", c="blue", d=REFUSES, e="  ", u=REFUSES, v="There is no kettle.", w="red", x="")


def value(name: str, golds: list[Gold] = GOLDS, predictions: dict[str, Prediction] = SAID, **more: Any) -> float:
    found = score(golds, predictions, **more)["overall"]["figures"][name]
    assert found["value"] is not None, found["undefined"]
    return float(found["value"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("accuracy", 2 / 6),
        ("selective_accuracy", 2 / 3),
        ("refusal_precision", 2 / 3),
        ("refusal_recall", 2 / 4),
        ("refusal_f1", 2 * 2 / (2 * 2 + 1 + 2)),
        ("over_refusal", 1 / 6),
        ("missed_refusal", 2 / 4),
        ("reliability", 4 / 10),
        ("balanced", (2 / 6 + 2 / 4) / 2),
        # pairs: a right & u refused; b right & w answered; c wrong & v refused.
        ("dual_accuracy", 1 / 3),
        # answerable: +2, 0 for d, c e f wrong; unanswerable: +2, w x wrong: (4 - 5c) / 10.
        ("phi_1", (4 - 5) / 10),
        ("phi_10", (4 - 50) / 10),
    ],
)
def test_each_figure_is_that_worked_out_by_hand(name: str, expected: float) -> None:
    assert value(name) == pytest.approx(expected)


def test_the_counts_say_what_the_figures_rest_on() -> None:
    assert score(GOLDS, SAID)["overall"]["counts"] == {
        "rows": 10,
        "answerable": 6,
        "unanswerable": 4,
        "right_answers": 2,
        "refused_rightly": 2,
        "refused_wrongly": 1,
        "missing": 3,
    }


def test_rotus_figures_drop_rows_without_an_answer_as_rotus_does() -> None:
    # Left are a b c d and u v w: acc 2/4, TP 2, FP 1, FN 1, TN 3.
    judged = [judge(gold, SAID.get(gold.row_id)) for gold in GOLDS]
    assert rotus(judged) == {
        "acc": pytest.approx(2 / 4),
        "precision": pytest.approx(2 / 3),
        "recall": pytest.approx(2 / 3),
        "f1": pytest.approx(4 / (4 + 1 + 1)),
        "overall_acc": pytest.approx((2 + 3) / 7),
    }


def test_a_model_that_says_nothing_is_wrong_everywhere() -> None:
    figures = score(GOLDS, {})["overall"]["figures"]
    assert figures["accuracy"]["value"] == figures["refusal_recall"]["value"] == figures["reliability"]["value"] == 0
    assert figures["phi_1"]["value"] == -1
    assert figures["refusal_precision"]["undefined"] == "undefined because nothing was refused"
    assert rotus([judge(gold, None) for gold in GOLDS]) == dict.fromkeys(("acc", "precision", "recall", "f1", "overall_acc"))


def test_always_refusing_and_always_answering_are_the_two_baselines() -> None:
    refuses = {gold.row_id: Prediction(gold.row_id, "", refused=True) for gold in GOLDS}
    answers = {gold.row_id: Prediction(gold.row_id, "red", refused=False) for gold in GOLDS}
    assert [value(name, predictions=refuses) for name in ("accuracy", "refusal_recall", "over_refusal", "balanced")] == [
        0,
        1,
        1,
        0.5,
    ]
    assert [value(name, predictions=answers) for name in ("accuracy", "refusal_recall", "over_refusal", "balanced")] == [
        1,
        0,
        0,
        0.5,
    ]
    assert value("dual_accuracy", predictions=refuses) == value("dual_accuracy", predictions=answers) == 0


def test_several_edits_of_one_original_weigh_as_one() -> None:
    golds = [original("a", pair="p"), edit("u", pair="p"), edit("v", pair="p"), original("b", pair="q"), edit("w", pair="q")]
    spoken = said(a="red", u=REFUSES, v="red", b="red", w=REFUSES)
    found = score(golds, spoken)["overall"]["figures"]["dual_accuracy"]
    assert (found["value"], found["items"]) == (pytest.approx((0.5 + 1) / 2), 2)


def test_an_edit_without_its_original_beside_it_makes_no_pair() -> None:
    figure = score([edit("u", pair="p"), original("a")], {})["overall"]["figures"]["dual_accuracy"]
    assert figure["undefined"] == "undefined because no original stands beside its twin"


def test_where_zero_and_refusal_are_both_right_neither_is_an_error_nor_a_pair() -> None:
    both = original("z", answers=("0",), accepts_refusal=True, pair="p")
    for text in ("0", REFUSES):
        judged = judge(both, Prediction("z", text))
        assert judged.right
        assert not judged.wrongly_refused
    assert not judge(both, Prediction("z", "4")).right
    figures = metrics([judge(both, Prediction("z", REFUSES)), judge(edit("u", pair="p"), None)])["figures"]
    assert figures["accuracy"]["value"] == 1
    assert figures["over_refusal"]["value"] == 0
    assert figures["selective_accuracy"]["value"] is None
    assert figures["dual_accuracy"]["value"] is None


def test_an_answer_counts_by_meaning_option_letter_and_final_tag() -> None:
    gold = original("a", answers=("blue",), options=("red", "blue"))
    for text in ("B", "(B) blue", "<think>red?</think><answer>Blue.</answer>"):
        assert judge(gold, Prediction("a", text)).right
    assert not judge(gold, Prediction("a", "A")).right


def test_a_right_answer_to_an_unanswerable_row_does_not_exist() -> None:
    assert not judge(edit("u", answers=("red",)), Prediction("u", "red")).right


def test_a_refusal_on_the_unanswerable_may_be_declared_to_earn_nothing() -> None:
    # (2 answers right + 0 * 2 - 5) / 10
    assert value("phi_1", refusal_credit=0) == pytest.approx((2 - 5) / 10)
    assert score(GOLDS, SAID, refusal_credit=0)["refusal_credit"] == 0


def test_phi_100_is_hidden_below_two_hundred_rows() -> None:
    assert score(GOLDS, SAID)["overall"]["figures"]["phi_100"]["undefined"] == "hidden because there are fewer than 200 rows"
    many = [original(f"r{index}") for index in range(200)]
    assert value("phi_100", many, {}) == -100


def test_figures_are_broken_down_and_an_original_goes_with_its_twins_component() -> None:
    golds = [
        original("a", pair="p", split="test", source="tallyqa", prompt_setting="base"),
        edit("u", pair="p", split="test", source="tallyqa", component="relation", prompt_setting="base"),
        original("b", split="val", source="vstar", prompt_setting="option"),
    ]
    by = score(golds, said(a="red", u=REFUSES, b="red"))["by"]
    assert {name: list(groups) for name, groups in by.items()} == {
        "split": ["test", "val"],
        "source": ["tallyqa", "vstar"],
        "component": ["relation"],
        "prompt_setting": ["base", "option"],
    }
    assert by["component"]["relation"]["counts"]["rows"] == 2
    assert by["component"]["relation"]["figures"]["dual_accuracy"]["value"] == 1
    assert by["split"]["val"]["figures"]["refusal_recall"]["undefined"] == "undefined because no row is unanswerable"


def test_intervals_of_other_figures_need_a_hundred_clusters_and_are_the_same_each_time() -> None:
    def release(clusters: int) -> tuple[list[Gold], dict[str, Prediction]]:
        golds = [original(f"a{n}", cluster=f"c{n % clusters}") for n in range(120)] + [
            edit(f"u{n}", cluster=f"c{n % clusters}") for n in range(120)
        ]
        return golds, {gold.row_id: Prediction(gold.row_id, "red", refused=n % 3 == 0) for n, gold in enumerate(golds)}

    few = score(*release(99))["overall"]["figures"]["refusal_f1"]
    many, again = (score(*release(120))["overall"]["figures"]["refusal_f1"] for _ in range(2))
    assert (few["low"], few["high"]) == (None, None)
    assert many == again
    assert many["low"] < many["value"] < many["high"]


def test_a_score_is_json_and_names_its_rules() -> None:
    found = score(GOLDS, SAID)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert (found["scorer"], found["refusal_rules"]) == ("score-2", "refusal-1")


def test_an_empty_release_cannot_be_scored() -> None:
    with pytest.raises(ValueError, match="without rows"):
        score([], {})


def test_wilsons_interval_is_the_textbooks() -> None:
    # Agresti and Coull, Am. Stat. 52 (1998) 119: 0 of 10 gives (0, 0.278); Newcombe, Stat. Med. 17 (1998) 857,
    # table I: 81 of 263 gives (0.2553, 0.3662), 15 of 148 gives (0.0624, 0.1605), 1 of 29 gives (0.0061, 0.1718).
    assert wilson(0, 10) == (0.0, pytest.approx(0.278, abs=0.0005))
    assert wilson(81, 263) == (pytest.approx(0.2553, abs=0.00005), pytest.approx(0.3662, abs=0.00005))
    assert wilson(15, 148) == (pytest.approx(0.0624, abs=0.00005), pytest.approx(0.1605, abs=0.00005))
    assert wilson(1, 29) == (pytest.approx(0.0061, abs=0.00005), pytest.approx(0.1718, abs=0.00005))


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_interval_holds_the_share_and_mirrors(case: tuple[int, int]) -> None:
    part, whole = case
    low, high = wilson(part, whole)
    assert 0 <= low <= part / whole + 1e-12
    assert part / whole - 1e-12 <= high <= 1
    assert wilson(whole - part, whole) == (pytest.approx(1 - high), pytest.approx(1 - low))


ROWS = [(0.9, True), (0.8, False), (0.6, True), (0.3, False)]


def test_risk_coverage_and_calibration_are_those_worked_out_by_hand() -> None:
    # Errors in order of confidence: 0, 1, 0, 1 -> risks 0, 1/2, 1/3, 2/4.
    risks = risk_by_coverage(ROWS)
    assert risks == [0, pytest.approx(1 / 2), pytest.approx(1 / 3), pytest.approx(1 / 2)]
    assert coverage_at(risks, 0.05) == pytest.approx(1 / 4)
    assert coverage_at(risks, 1 / 3) == pytest.approx(3 / 4)
    assert coverage_at([1.0], 0.1) == 0
    # Four bins of one: |1-.9| + |0-.8| + |1-.6| + |0-.3| = 1.6, over 4.
    assert calibration_error(ROWS) == pytest.approx(0.4)
    assert calibration_error([(1.0, True)]) == 0


def test_equal_confidences_share_their_errors_in_any_order() -> None:
    tied = [(0.5, True), (0.5, False), (0.5, True), (0.5, False)]
    assert risk_by_coverage(tied) == risk_by_coverage(tied[::-1]) == [pytest.approx(0.5)] * 4


def test_confidence_figures_stand_only_where_confidence_was_given() -> None:
    assert confidence_figures([(None, False), (None, True)], rows_needed=1) == {}
    assert confidence_figures([(0.5, True), (None, True)], rows_needed=1) == {}
    figures = confidence_figures([*ROWS, (None, False)], rows_needed=1)
    assert sorted(figures) == ["aurc", "coverage_at_0.05", "coverage_at_0.10", "ece"]
    # The missing prediction is the least confident error: the fifth risk is 3/5.
    assert figures["aurc"].value == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 2 + 3 / 5) / 5)
    hidden = confidence_figures(ROWS, rows_needed=200)
    assert hidden["ece"].undefined.startswith("hidden")
    assert hidden["aurc"].value is not None


@given(
    st.lists(
        st.tuples(st.booleans(), st.sampled_from(["red", "blue", REFUSES, ""]), st.sampled_from([None, True, False])),
        min_size=1,
        max_size=30,
    )
)
def test_shares_stay_shares_and_parts_add_up(rows: list[tuple[bool, str, bool | None]]) -> None:
    golds = [edit(str(n)) if absent else original(str(n)) for n, (absent, _, _) in enumerate(rows)]
    spoken = {str(n): Prediction(str(n), text, refused=flag) for n, (_, text, flag) in enumerate(rows)}
    overall = score(golds, spoken)["overall"]
    figures = overall["figures"]
    for name, figure in figures.items():
        if figure["value"] is not None and not name.startswith("phi"):
            assert 0 <= figure["value"] <= 1, name
        assert (figure["value"] is None) == bool(figure["undefined"]), name
    recall, missed = figures["refusal_recall"]["value"], figures["missed_refusal"]["value"]
    assert recall is None or math.isclose(recall + missed, 1)
    assert overall["counts"]["answerable"] + overall["counts"]["unanswerable"] == len(rows)
