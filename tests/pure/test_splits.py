"""Which questions go into which split: nothing leaks, nothing depends on chance, and a shortfall says what would do."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.releases.plans import Plan, SplitPlan
from annotation.releases.splits import CutRow, Placed, Placement, Shortfall, groups_of, place


def original(name: str, *, image: str = "", **changes: Any) -> CutRow:
    image = image or f"image-{name}"
    values: dict[str, Any] = {
        "question": name,
        "original": name,
        "image": image,
        "cluster": image,
        "text_hash": name,
        "source": "tallyqa",
        "edited": False,
        "verdict": "answerable",
    }
    return CutRow(**(values | changes))


def edit(of: CutRow, name: str = "", **changes: Any) -> CutRow:
    name = name or f"{of.question}-edit"
    values: dict[str, Any] = {
        "question": name,
        "original": of.question,
        "image": of.image,
        "cluster": of.cluster,
        "text_hash": name,
        "source": of.source,
        "edited": True,
        "verdict": "unanswerable",
        "component": "object",
    }
    return CutRow(**(values | changes))


def pairs(count: int, prefix: str = "q", **changes: Any) -> list[CutRow]:
    rows = []
    for index in range(count):
        row = original(f"{prefix}{index:03}", **changes)
        rows += [row, edit(row)]
    return rows


def plan(*splits: SplitPlan, cap: int = 4, seed: int = 1) -> Plan:
    return Plan("small", seed, splits, cap)


TEST, VAL = SplitPlan("test", "test", 4), SplitPlan("val", "val", 2)
TRAIN = SplitPlan("train", "train", 4, ratio=(3, 1))


def by_split(placement: Placement) -> dict[str, list[Placed]]:
    assert not placement.shortfalls
    found: dict[str, list[Placed]] = defaultdict(list)
    for row in placement.rows:
        found[row.split].append(row)
    return found


def roles(rows: Iterable[Placed]) -> dict[str, int]:
    return dict(Counter(row.role for row in rows))


def only_gap(placement: Placement) -> Shortfall:
    assert placement.rows == ()
    (gap,) = placement.shortfalls
    return gap


def test_every_split_gets_its_rows_in_its_ratio() -> None:
    lone = [original(f"lone{index}") for index in range(3)]
    splits = by_split(place(pairs(6) + lone, plan(TRAIN, VAL, TEST)))
    assert roles(splits["test"]) == {"original": 2, "edit": 2}
    assert roles(splits["val"]) == {"original": 1, "edit": 1}
    assert roles(splits["train"]) == {"original": 3, "edit": 1}


def test_an_edit_stands_beside_its_original_under_one_pair() -> None:
    rows = place(pairs(3), plan(TEST)).rows
    for row in rows:
        twin = next(other for other in rows if other.pair == row.pair and other is not row)
        assert row.pair == row.row.original == twin.row.original
        assert {row.role, twin.role} == {"original", "edit"}


def test_lone_originals_have_no_pair_and_are_taken_from_families_without_edits_first() -> None:
    lone = [original("lone1"), original("lone2")]
    train = by_split(place(pairs(5) + lone, plan(TRAIN)))["train"]
    assert {row.row.question for row in train if row.pair == ""} == {"lone1", "lone2"}


def test_scarce_rows_go_to_the_benchmark_before_test_val_and_train() -> None:
    vstar = SplitPlan("vstar", "benchmark", 2, sources=("vstar",))
    scarce = pairs(1, "v", source="vstar")
    assert {row.row.source for row in by_split(place(scarce + pairs(3), plan(TEST, vstar)))["vstar"]} == {"vstar"}
    gap = only_gap(place(scarce + pairs(1), plan(SplitPlan("test", "test", 4), vstar)))
    assert (gap.split, gap.wanted, gap.found) == ("test", 2, 1)


def test_near_duplicates_and_twins_stay_in_one_split() -> None:
    alike = [original(f"a{index}", cluster="alike") for index in range(4)]
    rows = alike + [edit(row) for row in alike] + pairs(9)
    placement = place(rows, plan(TEST, VAL, TRAIN, cap=6))
    assert not placement.shortfalls
    assert len({row.split for row in placement.rows if row.row.cluster == "alike"}) <= 1


def test_rows_hang_together_through_image_cluster_and_original() -> None:
    one, two, three = original("1", image="x"), original("2", image="x", cluster="c"), original("3", cluster="c")
    far = original("far")
    assert sorted(len(group) for group in groups_of([one, far, two, edit(three), three])) == [1, 4]


def test_a_cluster_gives_only_so_many_rows() -> None:
    rows = pairs(5, image="one")
    gap = only_gap(place(rows, plan(SplitPlan("test", "test", 6), cap=4)))
    assert (gap.what, gap.wanted, gap.found) == ("pairs", 3, 2)
    assert "raise max_rows_per_cluster to 6" in gap.relaxations
    assert not place(rows, plan(SplitPlan("test", "test", 6), cap=6)).shortfalls


def test_an_unsound_original_blocks_its_edits() -> None:
    unsound = original("q", verdict="unanswerable")
    gap = only_gap(place([unsound, edit(unsound)], plan(VAL)))
    assert (gap.what, gap.found) == ("pairs", 0)
    orphan = edit(original("undecided"))
    assert only_gap(place([orphan], plan(VAL))).found == 0


def test_an_original_gets_one_edit_only() -> None:
    row = original("q")
    several = [edit(row, f"e{index}") for index in range(4)]
    gap = only_gap(place([row, *several], plan(TEST, cap=9)))
    assert (gap.wanted, gap.found) == (2, 1)


def test_traps_come_in_only_where_the_plan_asks_and_are_never_the_unanswerable_side() -> None:
    row = original("q")
    rows = [row, edit(row), edit(row, "trap", verdict="answerable"), *pairs(3)]
    assert "trap" not in roles(place(rows, plan(TEST, VAL)).rows)
    asks = SplitPlan("train", "train", 4, ratio=(3, 1), traps=1)
    assert roles(place(rows, plan(asks)).rows) == {"original": 2, "edit": 1, "trap": 1}
    assert only_gap(place(pairs(5), plan(asks))).what == "traps"


def test_the_same_question_on_the_same_image_is_taken_once_and_stays_an_original() -> None:
    row = original("q")
    repeated = [row, original("copy", image=row.image, text_hash="q"), edit(row, text_hash="q"), *pairs(1, "p")]
    gap = only_gap(place(repeated, plan(TEST)))
    assert (gap.wanted, gap.found) == (2, 1)


def test_components_are_spread_as_evenly_as_the_cut_allows() -> None:
    rows = []
    for index in range(6):
        row = original(f"q{index}")
        rows += [row, *(edit(row, f"{row.question}-{part}", component=part) for part in ("object", "relation", "attribute"))]
    chosen = [row.row.component for row in place(rows, plan(SplitPlan("test", "test", 12))).rows if row.role == "edit"]
    assert Counter(chosen) == {"object": 2, "relation": 2, "attribute": 2}


def test_exact_components_are_kept_or_missed_aloud() -> None:
    rows = pairs(4)
    row = original("rel")
    rows += [row, edit(row, component="relation")]
    wants = SplitPlan("test", "test", 4, components={"object": 1, "relation": 1})
    chosen = [placed.row.component for placed in place(rows, plan(wants)).rows if placed.role == "edit"]
    assert sorted(chosen) == ["object", "relation"]
    gaps = place(pairs(4), plan(wants)).shortfalls
    assert [gap.what for gap in gaps] == ["pairs with an edited relation", "pairs"]
    assert "let test take components as feasible" in gaps[1].relaxations


def test_a_shortfall_names_relaxations_that_were_tried_and_are_enough() -> None:
    vstar = pairs(2, "v", source="vstar") + pairs(4)
    wants = SplitPlan("vstar", "benchmark", 6, sources=("vstar",))
    gap = only_gap(place(vstar, plan(wants)))
    assert gap.relaxations == (
        "lower the rows of vstar to 4",
        "let vstar draw from any source",
        "bring more pairs for vstar to a decision: 1",
    )
    assert not place(vstar, plan(SplitPlan("vstar", "benchmark", 4, sources=("vstar",)))).shortfalls
    assert not place(vstar, plan(SplitPlan("vstar", "benchmark", 6))).shortfalls


def test_missing_lone_originals_are_a_shortfall_of_their_own() -> None:
    gap = only_gap(place(pairs(1), plan(TRAIN)))
    assert (gap.what, gap.wanted, gap.found) == ("lone originals", 2, 0)
    assert gap.as_json()["relaxations"] == ["bring more lone originals for train to a decision: 2"]


def test_an_empty_cut_misses_everything_and_says_so() -> None:
    assert [gap.found for gap in place([], plan(TRAIN)).shortfalls] == [0, 0]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_seed_chooses_and_the_same_seed_chooses_alike(seed: int) -> None:
    rows = pairs(30)
    first = place(rows, plan(TEST, seed=seed))
    assert place(rows, plan(TEST, seed=seed)) == first
    assert place(rows, plan(TEST, seed=seed + 2)) != first


families = st.lists(
    st.tuples(
        st.integers(0, 5),
        st.sampled_from(["answerable", "answerable", "unanswerable"]),
        st.lists(st.tuples(st.sampled_from(["object", "relation"]), st.booleans()), max_size=2),
    ),
    max_size=14,
)


def cut_of(described: list[Any]) -> list[CutRow]:
    rows = []
    for index, (image, verdict, edits) in enumerate(described):
        row = original(f"q{index}", image=f"i{image}", cluster=f"c{image // 2}", verdict=verdict)
        rows.append(row)
        for number, (component, holds) in enumerate(edits):
            rows.append(edit(row, f"q{index}e{number}", component=component, verdict="answerable" if holds else "unanswerable"))
    return rows


@given(families, st.integers(2, 8), st.randoms(use_true_random=False))
def test_nothing_leaks_and_the_order_of_the_cut_does_not_matter(described: list[Any], cap: int, dice: random.Random) -> None:
    rows, wanted = cut_of(described), plan(SplitPlan("val", "val", 2), SplitPlan("train", "train", 2), cap=cap)
    outcome = place(rows, wanted)
    assert place(dice.sample(rows, len(rows)), wanted) == outcome
    for key in ("original", "image", "cluster"):
        where: dict[str, set[str]] = defaultdict(set)
        for placed in outcome.rows:
            where[getattr(placed.row, key)].add(placed.split)
        assert all(len(splits) == 1 for splits in where.values())
    assert len({placed.row.question for placed in outcome.rows}) == len(outcome.rows)
    assert all(count <= cap for count in Counter(placed.row.cluster for placed in outcome.rows).values())
    assert bool(outcome.rows) != bool(outcome.shortfalls)
    if outcome.rows:
        assert roles(outcome.rows) == {"original": 2, "edit": 2}
        assert all(placed.row.verdict == ("unanswerable" if placed.role == "edit" else "answerable") for placed in outcome.rows)
