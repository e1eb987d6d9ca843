"""A release plan: what a release shall hold, as data. Values in, values out.

A split asks for `rows` in a `ratio` of answerable to unanswerable. Each unanswerable row is an edit that stands beside
its original (a pair), so the answerable side is those originals, then `traps` (edits that people found answerable, only
where the plan asks), then lone originals. One edit per original.

As JSON:

    {"name": "small", "seed": 1, "max_rows_per_cluster": 4,
     "splits": [{"name": "train", "tier": "train", "rows": 8, "ratio": [3, 1],
                 "sources": ["tallyqa"], "traps": 0, "components": {"object": 1, "attribute": 1}}]}

`sources` (null: any) limits where rows come from; `components` (null: as feasible, spread evenly) asks for exact numbers
of edits by component.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import ceil
from typing import Any, Literal, get_args

from annotation.errors import Invalid
from annotation.wording import counted

Tier = Literal["benchmark", "test", "val", "train"]
TIERS: tuple[Tier, ...] = get_args(Tier)
"""Conflicts over an image go to the split whose tier comes first here."""

COMPONENTS = ("object", "relation", "attribute")
ROWS_AT_MOST = 1_000_000
ACCEPTANCE = {"at 80 % acceptance": 0.80, "at SugarCrepe's 43 %": 0.43}
"""Shares of edits that people keep: what a good generator reaches, and what SugarCrepe measured (7,511 of 17,478)."""


class PlanInvalid(Invalid):
    """The plan cannot be read or contradicts itself. `field` names the place, such as `splits[0].ratio`."""

    code = "plan-invalid"


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """One split of a plan; see the module's docstring."""

    name: str
    tier: Tier
    rows: int
    ratio: tuple[int, int] = (1, 1)
    sources: tuple[str, ...] | None = None
    traps: int = 0
    components: Mapping[str, int] | None = None

    @property
    def unanswerable(self) -> int:
        return self.rows * self.ratio[1] // sum(self.ratio)

    @property
    def answerable(self) -> int:
        return self.rows - self.unanswerable

    @property
    def lone(self) -> int:
        """Originals without an edit beside them."""
        return self.answerable - self.unanswerable - self.traps


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole plan. Splits keep the order in which they were given; the builder fills them by tier."""

    name: str
    seed: int
    splits: tuple[SplitPlan, ...]
    max_rows_per_cluster: int = 4

    def by_tier(self) -> list[SplitPlan]:
        """The splits in the order in which conflicts are settled."""
        return sorted(self.splits, key=lambda split: TIERS.index(split.tier))


def plan_from_json(value: object) -> Plan:
    """Read a plan and check that it can be met in principle. Raises PlanInvalid naming the field."""
    fields = _object(value, "plan", {"name", "seed", "splits"}, {"max_rows_per_cluster"})
    if not isinstance(fields["splits"], list) or not fields["splits"]:
        raise PlanInvalid("The plan needs a list of at least one split.", field="splits")
    splits = tuple(_split(split, f"splits[{index}]") for index, split in enumerate(fields["splits"]))
    names = [split.name for split in splits]
    if len(set(names)) < len(names):
        raise PlanInvalid("Two splits have the same name.", field="splits")
    return Plan(
        name=_name(fields["name"], "name"),
        seed=_whole(fields["seed"], "seed", 0, 2**63 - 1),
        splits=splits,
        max_rows_per_cluster=_whole(fields.get("max_rows_per_cluster", 4), "max_rows_per_cluster", 2, ROWS_AT_MOST),
    )


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """The JSON form, complete: reading it gives the same plan."""
    value = asdict(plan)
    for split in value["splits"]:
        split["ratio"] = list(split["ratio"])
        split["sources"] = None if split["sources"] is None else list(split["sources"])
    return value | {"splits": list(value["splits"])}


def arithmetic(plan: Plan) -> list[str]:
    """What the plan comes to, line by line: rows by split, sums, and how many edits people will have to judge."""
    lines = [_split_line(split) for split in plan.splits]
    answerable = sum(split.answerable for split in plan.splits)
    edits = sum(split.unanswerable for split in plan.splits)
    traps = sum(split.traps for split in plan.splits)
    parts = [counted(answerable - traps, "original"), counted(edits, "edit"), counted(traps, "trap")]
    lines.append(f"together: {', '.join(parts)}: {counted(answerable + edits, 'row')}")
    lines += [f"edits that need votes {name}: about {ceil(edits / share):,}" for name, share in ACCEPTANCE.items()]
    return lines


def _split_line(split: SplitPlan) -> str:
    parts = [counted(split.unanswerable, "pair"), counted(split.lone, "lone original")]
    parts += [counted(split.traps, "trap")] if split.traps else []
    return f"{split.name}: {split.answerable:,} answerable + {split.unanswerable:,} unanswerable = {' + '.join(parts)}"


def _split(value: object, place: str) -> SplitPlan:
    fields = _object(value, place, {"name", "tier", "rows"}, {"ratio", "sources", "traps", "components"})
    if fields["tier"] not in TIERS:
        raise PlanInvalid(f"{fields['tier']!r} is no tier; use one of {', '.join(TIERS)}.", field=f"{place}.tier")
    split = SplitPlan(
        name=_name(fields["name"], f"{place}.name"),
        tier=fields["tier"],
        rows=_whole(fields["rows"], f"{place}.rows", 1, ROWS_AT_MOST),
        ratio=_ratio(fields.get("ratio", [1, 1]), f"{place}.ratio"),
        sources=_sources(fields.get("sources"), f"{place}.sources"),
        traps=_whole(fields.get("traps", 0), f"{place}.traps", 0, ROWS_AT_MOST),
        components=_components(fields.get("components"), f"{place}.components"),
    )
    _check_sums(split, place)
    return split


def _check_sums(split: SplitPlan, place: str) -> None:
    if split.rows % sum(split.ratio):
        raise PlanInvalid(
            f"{counted(split.rows, 'row')} cannot be divided {split.ratio[0]} to {split.ratio[1]}; "
            f"use a multiple of {sum(split.ratio)}.",
            field=f"{place}.rows",
        )
    if split.lone < 0:
        raise PlanInvalid(
            f"Each unanswerable row needs its original among the answerable ones, beside the traps, but {split.unanswerable} and "
            f"{split.traps} are more than {split.answerable}: lower the unanswerable side or the traps.",
            field=f"{place}.ratio",
        )
    if split.components is not None and sum(split.components.values()) != split.unanswerable:
        raise PlanInvalid(
            f"The components add up to {sum(split.components.values())}, its unanswerable rows to {split.unanswerable}.",
            field=f"{place}.components",
        )


def _object(value: object, place: str, needed: set[str], optional: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise PlanInvalid("Here an object is needed.", field=place)
    missing, strange = sorted(needed - set(value)), sorted(map(str, set(value) - needed - optional))
    if missing:
        raise PlanInvalid(f"The field {missing[0]!r} is missing.", field=place)
    if strange:
        raise PlanInvalid(f"The field {strange[0]!r} is unknown.", field=place)
    return value


def _name(value: object, place: str) -> str:
    # A split's name becomes a file name and a key in many tools.
    if not isinstance(value, str) or not value.isascii() or not value.replace("_", "a").isalnum() or len(value) > 40:
        raise PlanInvalid("A name has 1 to 40 letters, digits or underscores.", field=place)
    return value


def _whole(value: object, place: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise PlanInvalid(f"Here a whole number from {least} to {most} is needed.", field=place)
    return value


def _ratio(value: object, place: str) -> tuple[int, int]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise PlanInvalid("A ratio is two whole numbers: answerable, unanswerable.", field=place)
    answerable, unanswerable = (_whole(part, place, 0, 1000) for part in value)
    if answerable + unanswerable == 0:
        raise PlanInvalid("One side of the ratio must be above zero.", field=place)
    return answerable, unanswerable


def _sources(value: object, place: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple) or not value or not all(isinstance(key, str) for key in value):
        raise PlanInvalid("The sources are a list of source keys, or null for any.", field=place)
    return tuple(value)


def _components(value: object, place: str) -> dict[str, int] | None:
    if value is None:
        return None
    fields = _object(value, place, set(), set(COMPONENTS))
    return {key: _whole(count, f"{place}.{key}", 0, ROWS_AT_MOST) for key, count in sorted(fields.items())}


DEFAULT_PLAN = Plan(
    name="hardbench",
    seed=2026,
    splits=(
        SplitPlan("train", "train", 10_000, ratio=(3, 1)),
        SplitPlan("val", "val", 200),
        SplitPlan("test", "test", 500),
        SplitPlan("realx", "benchmark", 82, sources=("realx",)),
        SplitPlan("vstar", "benchmark", 382, sources=("vstar",)),
    ),
)
"""The published sizes of HARDBench: ratio 3 to 1 in train; val's ratio is not published and taken as 1 to 1."""

DEMO_PLAN = Plan(
    name="demo",
    seed=7,
    splits=(SplitPlan("train", "train", 8, ratio=(3, 1)), SplitPlan("val", "val", 2), SplitPlan("test", "test", 4)),
    max_rows_per_cluster=8,
)
"""Small enough for the demo's ten photographs."""
