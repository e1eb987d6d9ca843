"""Which decided questions go into which split? (cut, plan) -> a placement, or the reasons why not.

Nothing here reads a table, a clock or a global dice: the same cut and plan give the same placement on any machine, in
whatever order the rows arrive (ties are broken by hashes seeded with the plan).

Rows that share an original (twins), an image or a near-duplicate cluster form one **group**. A group serves one split
only, so neither twins, nor near-duplicates, nor the same question on the same image can straddle two splits. Splits are
filled by tier (benchmark, test, val, train), each by taking groups one after another: pairs first, then traps, then lone
originals. A group gives at most `max_rows_per_cluster` rows. What the builder cannot reach it says, with relaxations of
the plan that it has tried and found enough.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from annotation.releases.plans import Plan, SplitPlan

Role = Literal["original", "edit", "trap"]


@dataclass(frozen=True, slots=True)
class CutRow:
    """A decided question as the builder sees it. `question` and `original` are stable ids (an original is its own
    original), `cluster` that of near-duplicate images, or the image itself; `verdict` is the decision's."""

    question: str
    original: str
    image: str
    cluster: str
    text_hash: str
    source: str
    edited: bool
    verdict: Literal["answerable", "unanswerable"]
    component: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A row's place. `pair` names the original that an edit and its twin share, "" for lone rows and traps."""

    row: CutRow
    split: str
    role: Role
    pair: str


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Something a split wants and the cut cannot give, and the smallest changes of the plan that would do."""

    split: str
    what: str
    wanted: int
    found: int
    relaxations: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {
            "split": self.split,
            "what": self.what,
            "wanted": self.wanted,
            "found": self.found,
            "relaxations": list(self.relaxations),
        }


@dataclass(frozen=True, slots=True)
class Placement:
    """Rows with their places, sorted by split and question; or the shortfalls, and then no rows at all."""

    rows: tuple[Placed, ...] = ()
    shortfalls: tuple[Shortfall, ...] = ()


def place(rows: Iterable[CutRow], plan: Plan) -> Placement:
    """A place for each row that the plan takes; or every reason why the plan cannot be met."""
    cut = list(rows)
    builder = _filled(cut, plan)
    if builder.shortfalls:
        return Placement(shortfalls=tuple(replace(gap, relaxations=_relaxations(cut, plan, gap)) for gap in builder.shortfalls))
    return Placement(rows=tuple(sorted(builder.placed, key=lambda placed: (placed.split, placed.row.question))))


def groups_of(rows: Sequence[CutRow]) -> list[list[CutRow]]:
    """Rows that must not be parted: joined, however indirectly, by original, image or cluster."""
    leader: dict[str, str] = {}

    def find(key: str) -> str:
        while leader.setdefault(key, key) != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    for row in rows:
        for key in (f"image:{row.image}", f"cluster:{row.cluster}"):
            leader[find(key)] = find(f"original:{row.original}")
    groups: dict[str, list[CutRow]] = defaultdict(list)
    for row in rows:
        groups[find(f"original:{row.original}")].append(row)
    return list(groups.values())


class _Family:
    """An original and its edits inside a group, as far as decisions allow them: a family whose original is not decided
    answerable gives nothing, because an unsound original blocks its edits."""

    def __init__(self, rows: Sequence[CutRow]) -> None:
        self.original = next((r for r in rows if not r.edited and r.verdict == "answerable"), None)
        sound = [row for row in rows if row.edited] if self.original else []
        self.edits = [row for row in sound if row.verdict == "unanswerable"]
        self.traps = [row for row in sound if row.verdict == "answerable"]


class _Builder:
    """One run over a cut: which groups are taken by which split, how many rows each gave, what is placed, what lacks."""

    def __init__(self, cut: Sequence[CutRow], plan: Plan) -> None:
        self.plan = plan
        self.placed: list[Placed] = []
        self.shortfalls: list[Shortfall] = []
        self.used: set[str] = set()
        self.taken_by: dict[int, str] = {}
        self.given: Counter[int] = Counter()
        self.groups = [_families(group) for group in groups_of(_without_repeats(cut))]

    def fill(self, split: SplitPlan) -> None:
        """Place all that one split asks for, or note what lacks."""
        self._note(split, "pairs", split.unanswerable, self._pairs(split))
        self._note(split, "traps", split.traps, self._traps(split))
        self._note(split, "lone originals", split.lone, self._lone(split))

    def _pairs(self, split: SplitPlan) -> int:
        quota = Counter(split.components or {})
        chosen: Counter[str] = Counter()

        def best_edit(family: _Family) -> CutRow | None:
            open_to = [e for e in family.edits if split.components is None or chosen[e.component] < quota[e.component]]
            # The component used least so far: spread as evenly as the cut allows.
            return min(open_to, key=lambda e: (chosen[e.component], self._dice(split, e.question)), default=None)

        for index, family in self._families_for(split, has_edits=True):
            if chosen.total() == split.unanswerable:
                break
            edit, original = best_edit(family), family.original
            if edit is None or original is None or not self._room(index, 2) or original.question in self.used:
                continue
            chosen[edit.component] += 1
            self._put(split, index, (original, "original"), (edit, "edit"), pair=original.question)
        if split.components is not None:
            self._note_components(split, quota, chosen)
        return chosen.total()

    def _traps(self, split: SplitPlan) -> int:
        found = 0
        for index, family in self._families_for(split, has_edits=None):
            for trap in family.traps:
                if found < split.traps and self._room(index, 1):
                    self._put(split, index, (trap, "trap"), pair="")
                    found += 1
        return found

    def _lone(self, split: SplitPlan) -> int:
        found = 0
        # Families without edits first: those with edits may still be somebody's pair.
        for has_edits in (False, True):
            for index, family in self._families_for(split, has_edits=has_edits):
                original = family.original
                if found == split.lone or original is None or original.question in self.used or not self._room(index, 1):
                    continue
                self._put(split, index, (original, "original"), pair="")
                found += 1
        return found

    def _families_for(self, split: SplitPlan, *, has_edits: bool | None) -> list[tuple[int, _Family]]:
        """The families this split may draw from, group by group: its own groups first, then free ones by dice."""
        open_to = [index for index in range(len(self.groups)) if self.taken_by.get(index, split.name) == split.name]
        open_to.sort(key=lambda index: (index not in self.taken_by, self._dice(split, self.groups[index][0])))
        return [
            (index, family)
            for index in open_to
            for family in self.groups[index][1]
            if family.original is not None
            and (split.sources is None or family.original.source in split.sources)
            and (has_edits is None or bool(family.edits) == has_edits)
        ]

    def _room(self, group: int, rows: int) -> bool:
        return self.given[group] + rows <= self.plan.max_rows_per_cluster

    def _put(self, split: SplitPlan, group: int, *rows: tuple[CutRow, Role], pair: str) -> None:
        self.taken_by[group] = split.name
        self.given[group] += len(rows)
        for row, role in rows:
            self.used.add(row.question)
            self.placed.append(Placed(row, split.name, role, pair))

    def _note(self, split: SplitPlan, what: str, wanted: int, found: int) -> None:
        if found < wanted:
            self.shortfalls.append(Shortfall(split.name, what, wanted, found))

    def _note_components(self, split: SplitPlan, quota: Counter[str], chosen: Counter[str]) -> None:
        for component in sorted(quota):
            self._note(split, f"pairs with an edited {component}", quota[component], chosen[component])

    def _dice(self, split: SplitPlan, key: str) -> bytes:
        return _dice(self.plan.seed, split.name, key)


def _filled(cut: Sequence[CutRow], plan: Plan) -> _Builder:
    builder = _Builder(cut, plan)
    for split in plan.by_tier():
        builder.fill(split)
    return builder


def _families(group: Sequence[CutRow]) -> tuple[str, list[_Family]]:
    """A group's name (the least of its original ids, so that it does not depend on the order) and its families."""
    members: dict[str, list[CutRow]] = defaultdict(list)
    for row in sorted(group, key=lambda row: row.question):
        members[row.original].append(row)
    return min(members), [_Family(members[original]) for original in sorted(members)]


def _without_repeats(cut: Sequence[CutRow]) -> list[CutRow]:
    """Each (image, question) once; where an edit says what an original says already, the original stays."""
    first: dict[tuple[str, str], CutRow] = {}
    for row in sorted(cut, key=lambda row: (row.edited, row.question)):
        first.setdefault((row.image, row.text_hash), row)
    return list(first.values())


def _dice(*parts: object) -> bytes:
    """A throw that everybody gets alike: the hash of what it is thrown for."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()


def _relaxations(cut: Sequence[CutRow], plan: Plan, gap: Shortfall) -> tuple[str, ...]:
    """The changes of the plan that close this gap, each tried on the cut; then what more decisions would do."""
    split = next(split for split in plan.splits if split.name == gap.split)
    tried = [
        (_fewer_rows(split, gap), "lower the rows of {name} to {new.rows}"),
        (replace(split, components=None) if split.components else None, "let {name} take components as feasible"),
        (replace(split, sources=None) if split.sources else None, "let {name} draw from any source"),
    ]
    works = [text.format(name=split.name, new=new) for new, text in tried if new and _closes(cut, _with_split(plan, new), gap)]
    cap = _smallest_cap(cut, plan, gap)
    if cap is not None:
        works.append(f"raise max_rows_per_cluster to {cap}")
    return (*works, f"bring more {gap.what} for {split.name} to a decision: {gap.wanted - gap.found}")


def _fewer_rows(split: SplitPlan, gap: Shortfall) -> SplitPlan | None:
    """The split with as many rows as its ratio allows on what was found; None if that is nothing."""
    answerable, unanswerable = split.ratio
    per_part = {"pairs": (gap.found, unanswerable), "lone originals": (gap.found + split.traps, answerable - unanswerable)}
    if gap.what not in per_part or split.components is not None:
        return None
    found, share = per_part[gap.what]
    rows = found // share * (answerable + unanswerable)
    return replace(split, rows=rows) if rows else None


def _smallest_cap(cut: Sequence[CutRow], plan: Plan, gap: Shortfall) -> int | None:
    """The least max_rows_per_cluster that closes the gap, by halving; None if none does."""
    low, high = plan.max_rows_per_cluster + 1, max((len(group) for group in groups_of(cut)), default=0)
    if high < low or not _closes(cut, replace(plan, max_rows_per_cluster=high), gap):
        return None
    while low < high:
        middle = (low + high) // 2
        if _closes(cut, replace(plan, max_rows_per_cluster=middle), gap):
            high = middle
        else:
            low = middle + 1
    return high


def _closes(cut: Sequence[CutRow], plan: Plan, gap: Shortfall) -> bool:
    return not any((other.split, other.what) == (gap.split, gap.what) for other in _filled(cut, plan).shortfalls)


def _with_split(plan: Plan, new: SplitPlan) -> Plan:
    return replace(plan, splits=tuple(new if split.name == new.name else split for split in plan.splits))
