"""Ada reads how far people agree. Expected values come from the literature, or are worked out by hand in the comment."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.quality.agreement import (
    SEED,
    agreement,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    per_person,
    raw_agreement,
    specific_agreement,
)
from annotation.quality.figures import Figure

VALSE = Path(__file__).parent.parent / "data" / "valse_votes_198.jsonl"

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve units, with
# missing data; alpha 0.743. The same table is worked through by Gwet (2014), table 2.10: AC1 0.775, raw 0.818,
# Fleiss' kappa 0.761.
OBSERVERS = {
    "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    "C": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
}
KRIPPENDORFF = [
    {person: str(given[unit]) for person, given in OBSERVERS.items() if given[unit] is not None} for unit in range(12)
]
FIVE = ["1", "2", "3", "4", "5"]

# Fleiss' own worked example as it stands in Wikipedia, "Fleiss' kappa": fourteen raters, ten subjects, five
# categories; raw agreement 0.378, kappa 0.210.
FOURTEEN_RATERS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]


def from_counts(rows: list[tuple[int, ...]], labels: list[str]) -> list[dict[str, str]]:
    table = []
    for row in rows:
        given = [label for label, count in zip(labels, row, strict=True) for _ in range(count)]
        table.append({f"p{index}": label for index, label in enumerate(given)})
    return table


def from_pairs(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"ann": one, "bo": other} for one, other in pairs]


def valse() -> list[dict[str, str]]:
    rows = [json.loads(line)["mturk"] for line in VALSE.read_text(encoding="utf-8").splitlines()]
    return from_counts([(row["caption"], row["foil"], row["other"]) for row in rows], ["caption", "foil", "other"])


def value(figure: Figure) -> float:
    assert figure.value is not None, figure.undefined
    return figure.value


def test_the_table_of_krippendorff_and_gwet_gives_their_published_values() -> None:
    assert value(krippendorff_alpha(KRIPPENDORFF, FIVE)) == pytest.approx(0.743, abs=0.0005)
    assert value(gwet_ac1(KRIPPENDORFF, FIVE)) == pytest.approx(0.77544, abs=0.000005)
    assert value(raw_agreement(KRIPPENDORFF, FIVE)) == pytest.approx(0.81818, abs=0.000005)
    assert value(fleiss_kappa(KRIPPENDORFF, FIVE)) == pytest.approx(0.76117, abs=0.000005)


def test_the_fourteen_raters_give_their_published_kappa() -> None:
    table = from_counts(FOURTEEN_RATERS, FIVE)
    assert value(fleiss_kappa(table, FIVE)) == pytest.approx(0.210, abs=0.0005)
    assert value(raw_agreement(table, FIVE)) == pytest.approx(0.378, abs=0.0005)


def test_valses_raw_votes_give_what_an_independent_program_gives() -> None:
    # irrCAC 0.4.4 (Gwet's own method) on the same 198 items: 0.63973, 0.53008, 0.22802, 0.22932.
    figures = agreement(valse(), ["caption", "foil", "other"], resamples=0)
    assert value(figures["raw"]) == pytest.approx(0.63973, abs=0.000005)
    assert value(figures["ac1"]) == pytest.approx(0.53008, abs=0.000005)
    assert value(figures["kappa"]) == pytest.approx(0.22802, abs=0.000005)
    assert value(figures["alpha"]) == pytest.approx(0.22932, abs=0.000005)
    assert figures["raw"].items == 198


def test_positive_and_negative_agreement_of_two_people_are_those_of_cicchetti_and_feinstein() -> None:
    # a = 40 both yes, b = 9 and c = 6 split, d = 45 both no: 2a/(2a+b+c) = 80/95, 2d/(2d+b+c) = 90/105.
    table = from_pairs(*[("yes", "yes")] * 40, *[("yes", "no")] * 9, *[("no", "yes")] * 6, *[("no", "no")] * 45)
    assert value(specific_agreement(table, ["yes", "no"], "yes")) == pytest.approx(80 / 95)
    assert value(specific_agreement(table, ["yes", "no"], "no")) == pytest.approx(90 / 105)
    assert value(raw_agreement(table, ["yes", "no"])) == pytest.approx(0.85)


def test_skewed_votes_pull_kappa_down_while_people_agree() -> None:
    # Nine of ten agree on yes, the tenth is split: raw 0.9, yes share 0.95; kappa (0.9-0.905)/0.095, AC1 (0.9-0.095)/0.905.
    table = from_pairs(*[("yes", "yes")] * 9, ("yes", "no"))
    assert value(fleiss_kappa(table, ["yes", "no"])) == pytest.approx(-0.005 / 0.095)
    assert value(gwet_ac1(table, ["yes", "no"])) == pytest.approx(0.805 / 0.905)


def test_an_item_only_one_person_saw_says_nothing_about_agreement() -> None:
    table = [*from_pairs(("yes", "yes"), ("yes", "no")), {"ann": "no"}, {}]
    figure = raw_agreement(table, ["yes", "no"])
    assert (figure.value, figure.items) == (0.5, 2)


@pytest.mark.parametrize("table", [[], [{}], [{"ann": "yes"}, {"bo": "no"}]])
def test_without_an_item_that_two_people_saw_every_figure_says_why_it_is_missing(table: list[dict[str, str]]) -> None:
    for name, figure in agreement(table, ["yes", "no"]).items():
        assert figure.value is None, name
        assert figure.undefined.startswith("undefined because"), name


def test_where_everybody_says_the_same_kappa_and_alpha_are_undefined_and_the_others_are_one() -> None:
    figures = agreement(from_pairs(("yes", "yes"), ("yes", "yes")), ["yes", "no"], resamples=10)
    assert value(figures["raw"]) == 1.0
    assert value(figures["ac1"]) == 1.0
    assert figures["kappa"].undefined.startswith("undefined because everybody gave the same label")
    assert figures["alpha"].undefined.startswith("undefined because everybody gave the same label")
    assert figures["specific:no"].undefined.startswith("undefined because nobody gave this label")


def test_one_possible_label_leaves_ac1_undefined() -> None:
    assert gwet_ac1(from_pairs(("yes", "yes")), ["yes"]).undefined == "undefined because there is only one label to give"


def test_a_label_that_cannot_be_given_is_refused() -> None:
    with pytest.raises(ValueError, match="'maybe'"):
        raw_agreement(from_pairs(("yes", "maybe")), ["yes", "no"])


def test_ada_sees_what_each_person_gave_and_how_often_others_agreed() -> None:
    table = [{"ann": "yes", "bo": "yes", "cy": "no"}, {"ann": "no", "bo": "no"}, {"cy": "no"}]
    ann, bo, cy = per_person(table)
    assert (ann.person, ann.labels, ann.votes, ann.pairs, ann.agreed) == ("ann", {"yes": 1, "no": 1}, 2, 3, 2)
    assert (bo.pairs, bo.agreed) == (3, 2)
    assert (cy.labels, cy.votes, cy.pairs, cy.agreed) == ({"no": 2}, 2, 2, 0)


def test_the_interval_is_the_same_every_time_and_holds_the_value() -> None:
    labels = ["caption", "foil", "other"]
    first, again = agreement(valse(), labels, resamples=200), agreement(valse(), labels, resamples=200)
    assert first == again
    for name in ("raw", "ac1", "kappa", "alpha"):
        figure = first[name]
        assert figure.low is not None
        assert figure.high is not None
        assert figure.low < value(figure) < figure.high
    # irrCAC's analytic 95 % interval of AC1 is 0.451 to 0.609.
    assert first["ac1"].low == pytest.approx(0.451, abs=0.02)
    assert first["ac1"].high == pytest.approx(0.609, abs=0.02)
    assert agreement(valse(), labels, resamples=200, seed=7)["raw"].low != first["raw"].low


def test_the_interval_is_that_of_tables_drawn_item_by_item() -> None:
    labels, table = ["caption", "foil", "other"], valse()[:30]
    dice, drawn = np.random.RandomState(SEED), []
    for _ in range(50):
        drawn.append(agreement([table[place] for place in dice.randint(0, 30, 30)], labels, resamples=0))
    for name, figure in agreement(table, labels, resamples=50).items():
        values = [one[name].value for one in drawn if one[name].value is not None]
        assert (figure.low, figure.high) == pytest.approx(tuple(np.percentile(values, [2.5, 97.5]))), name


def test_one_item_gives_a_value_and_no_interval() -> None:
    figure = agreement(from_pairs(("yes", "no")), ["yes", "no"])["raw"]
    assert (figure.value, figure.low, figure.high) == (0.0, None, None)


def test_a_figure_is_json() -> None:
    assert json.loads(json.dumps(raw_agreement(valse(), ["caption", "foil", "other"]).as_json()))["items"] == 198


def small_alpha(table: list[dict[str, str]]) -> float | None:
    """Krippendorff (2011) by coincidences, written as plainly as it stands there."""
    units = [list(item.values()) for item in table if len(item) >= 2]
    coincidences: Counter[tuple[str, str]] = Counter()
    for unit in units:
        for place, one in enumerate(unit):
            for other in unit[:place] + unit[place + 1 :]:
                coincidences[one, other] += 1 / (len(unit) - 1)  # type: ignore[assignment]
    totals: Counter[str] = Counter()
    for (one, _), weight in coincidences.items():
        totals[one] += weight  # type: ignore[assignment]
    everything = sum(totals.values())
    expected = sum(totals[a] * totals[b] for a in totals for b in totals if a != b)
    observed = sum(weight for (a, b), weight in coincidences.items() if a != b)
    return 1 - (everything - 1) * observed / expected if expected else None


tables = st.lists(st.dictionaries(st.sampled_from("abcd"), st.sampled_from(FIVE[:3]), max_size=4), max_size=8)


@given(tables)
def test_alpha_equals_the_formula_written_out(table: list[dict[str, str]]) -> None:
    expected = small_alpha(table)
    figure = krippendorff_alpha(table, FIVE[:3])
    assert figure.value == (None if expected is None else pytest.approx(expected))


@given(tables, st.permutations(FIVE[:3]))
def test_the_names_of_labels_and_the_order_of_items_do_not_matter(table: list[dict[str, str]], names: list[str]) -> None:
    other = dict(zip(FIVE[:3], names, strict=True))
    renamed = [{person: other[label] for person, label in item.items()} for item in reversed(table)]
    for measure in (raw_agreement, gwet_ac1, fleiss_kappa, krippendorff_alpha):
        before, after = measure(table, FIVE[:3]), measure(renamed, FIVE[:3])
        assert after.value == (None if before.value is None else pytest.approx(before.value))
