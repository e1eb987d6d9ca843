"""An engine that does what its script says: for trying runs out, for demonstrations and for tests. Nothing is measured on it.

The run's parameter `script` maps an original's text to one entry, with any of:

    {"edits": [{"edited": "What color is the vase?", "component": "object", "reason": "There is no vase.",
                "operation": "replace", "falsified": ["vase"]}],
     "checks": [{"name": "second-look", "passed": true, "score": 0.9, "detail": ""}],
     "unsound": "…", "refuse": "…", "busy": "…"}

An original without an entry gets no edits.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from annotation.errors import Invalid
from annotation.generation.providers.base import EngineBusy, EngineRefused, Original, Proposal, Unsound
from annotation.questions.edits import (
    Component,
    Decomposition,
    Edit,
    Operation,
    SemanticTuple,
    TupleKind,
    one_span_difference,
)
from annotation.questions.screening import Check


class BadScript(Invalid):
    """The script of a fake run does not have the form that `providers/fake.py` describes."""

    code = "bad-script"


class FakeEngine:
    """Plays a script. The seed changes nothing."""

    name: ClassVar[str] = "fake"
    version: ClassVar[str] = "1"

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        script = parameters.get("script", {})
        if not isinstance(script, Mapping) or not all(isinstance(entry, Mapping) for entry in script.values()):
            raise BadScript("The script maps question texts to entries; see providers/fake.py.", field="parameters")
        self.script: Mapping[str, Mapping[str, Any]] = script

    def decompose(self, original: Original) -> Decomposition | Unsound:
        entry = self._entry(original)
        if "busy" in entry:
            raise EngineBusy(entry["busy"], retry_after=entry.get("retry_after"))
        if "refuse" in entry:
            raise EngineRefused(entry["refuse"])
        return Unsound(entry["unsound"]) if "unsound" in entry else Decomposition(original.text, ())

    def edit(self, original: Original, decomposition: Decomposition, *, seed: int, wanted: int) -> list[Proposal]:
        return [Proposal(_edit(original.text, line)) for line in self._entry(original).get("edits", [])[:wanted]]

    def verify(self, original: Original, proposal: Proposal) -> Sequence[Check]:
        return [
            Check(line["name"], 1, line["passed"], line.get("score"), line.get("detail", ""))
            for line in self._entry(original).get("checks", [])
        ]

    def _entry(self, original: Original) -> Mapping[str, Any]:
        return self.script.get(original.text, {})


def _edit(text: str, line: Mapping[str, Any]) -> Edit:
    change = one_span_difference(text, line["edited"])
    component = Component(line["component"])
    kind = TupleKind.ENTITY if component is Component.OBJECT else TupleKind(component)
    operation = Operation(line.get("operation", Operation.REPLACE if change.old.strip() else Operation.ADD))
    falsified = SemanticTuple(kind, tuple(line.get("falsified", [change.new.strip()])))
    return Edit(change, component, operation, falsified, line["reason"])
