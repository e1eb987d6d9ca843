"""Decided questions for tests of releases and of what is scored on them."""

from typing import Any

from annotation.models import Decision, Person, Question, Release
from annotation.releases import operations
from tests import factories
from tests.people import make_person

PLAN: dict[str, Any] = {
    "name": "small",
    "seed": 3,
    "max_rows_per_cluster": 4,
    "splits": [{"name": "train", "tier": "train", "rows": 4}, {"name": "test", "tier": "test", "rows": 2}],
}


def decide(question: Question, verdict: str = "answerable", **values: Any) -> Decision:
    """A decision of record; "answerable" answers green."""
    answer = {"answer": "green"} if verdict == "answerable" else {}
    defaults = {"method": "consensus", "rule_version": "settle-1", "posterior": 0.97}
    return Decision.objects.create(question=question, verdict=verdict, **{**defaults, **answer, **values})


def decided_pair(**values: Any) -> tuple[Question, Question]:
    """An original that people answered and its edit that they found unanswerable."""
    original = factories.make_original(answers=["green"], **values)
    edit = factories.make_edit(original, reason="The picture has no teapot.")
    decide(original)
    decide(edit, "unanswerable")
    return original, edit


def built_release(*, pairs: int = 3, version: str = "1.0", plan: Any = PLAN, by: Person | None = None) -> Release:
    """A built release of fresh pairs; needs a database without a surrounding transaction."""
    for _ in range(pairs):
        decided_pair()
    maintainer = by or make_person("max")
    release = operations.draft_release(version=version, plan=plan, by=maintainer)
    unit = operations.request_build(release_key=release.key, by=maintainer)
    return operations.build_release(release_id=unit.payload["release_id"])
