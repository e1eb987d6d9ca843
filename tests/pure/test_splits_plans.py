"""Max writes release plans as data; what contradicts itself is named."""

import json
from typing import Any

import pytest

from annotation.releases.plans import DEFAULT_PLAN, DEMO_PLAN, Plan, PlanInvalid, arithmetic, plan_from_json, plan_to_json


def split(**changes: Any) -> dict[str, Any]:
    return {"name": "train", "tier": "train", "rows": 8, "ratio": [3, 1]} | changes


def plan(*splits: Any, **changes: Any) -> dict[str, Any]:
    return {"name": "small", "seed": 1, "splits": list(splits) or [split()]} | changes


@pytest.mark.parametrize("known", [DEFAULT_PLAN, DEMO_PLAN])
def test_a_plan_survives_the_way_through_json(known: Plan) -> None:
    assert plan_from_json(json.loads(json.dumps(plan_to_json(known)))) == known


def test_the_default_plan_prints_its_arithmetic() -> None:
    lines = arithmetic(DEFAULT_PLAN)
    assert lines == [
        "train: 7,500 answerable + 2,500 unanswerable = 2,500 pairs + 5,000 lone originals",
        "val: 100 answerable + 100 unanswerable = 100 pairs + 0 lone originals",
        "test: 250 answerable + 250 unanswerable = 250 pairs + 0 lone originals",
        "realx: 41 answerable + 41 unanswerable = 41 pairs + 0 lone originals",
        "vstar: 191 answerable + 191 unanswerable = 191 pairs + 0 lone originals",
        "together: 8,082 originals, 3,082 edits, 0 traps: 11,164 rows",
        "edits that need votes at 80 % acceptance: about 3,853",
        "edits that need votes at SugarCrepe's 43 %: about 7,168",
    ]


def test_one_of_a_kind_is_said_in_the_singular() -> None:
    one = plan_from_json(plan(split(rows=4, ratio=[3, 1], traps=1)))
    assert arithmetic(one)[:2] == [
        "train: 3 answerable + 1 unanswerable = 1 pair + 1 lone original + 1 trap",
        "together: 2 originals, 1 edit, 1 trap: 4 rows",
    ]


def test_traps_stand_on_the_answerable_side() -> None:
    read = plan_from_json(plan(split(traps=3)))
    (train,) = read.splits
    assert (train.answerable, train.unanswerable, train.lone, train.traps) == (6, 2, 1, 3)
    assert "+ 3 traps" in arithmetic(read)[0]


def test_benchmarks_come_first_and_train_last() -> None:
    tiers = [part.name for part in DEFAULT_PLAN.by_tier()]
    assert tiers == ["realx", "vstar", "test", "val", "train"]


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (None, "plan"),
        ([], "plan"),
        ({"name": "x", "seed": 1}, "plan"),
        (plan(colour="red"), "plan"),
        (plan(splits=[]), "splits"),
        (plan(split(), split()), "splits"),
        (plan(name=""), "name"),
        (plan(name="a/b"), "name"),
        (plan(name="ü"), "name"),
        (plan(seed=-1), "seed"),
        (plan(seed=True), "seed"),
        (plan(max_rows_per_cluster=1), "max_rows_per_cluster"),
        (plan(7), "splits[0]"),
        (plan(split(tier="dev")), "splits[0].tier"),
        (plan(split(tier=[])), "splits[0].tier"),
        (plan(split(rows=0)), "splits[0].rows"),
        (plan(split(rows=8.0)), "splits[0].rows"),
        (plan(split(rows=9)), "splits[0].rows"),
        (plan(split(ratio=[1])), "splits[0].ratio"),
        (plan(split(ratio=[0, 0])), "splits[0].ratio"),
        (plan(split(ratio=[1, 3])), "splits[0].ratio"),
        (plan(split(traps=5)), "splits[0].ratio"),
        (plan(split(sources=[])), "splits[0].sources"),
        (plan(split(sources=[1])), "splits[0].sources"),
        (plan(split(components={"colour": 1})), "splits[0].components"),
        (plan(split(components={"object": 1})), "splits[0].components"),
        (plan(split(components={"object": -1, "relation": 3})), "splits[0].components.object"),
    ],
)
def test_what_is_wrong_with_a_plan_is_named_at_its_place(value: object, field: str) -> None:
    with pytest.raises(PlanInvalid) as refusal:
        plan_from_json(value)
    assert refusal.value.field == field
    assert refusal.value.code == "plan-invalid"


def test_a_plan_that_cannot_be_divided_says_what_would_do() -> None:
    with pytest.raises(PlanInvalid, match="use a multiple of 4"):
        plan_from_json(plan(split(rows=9)))
