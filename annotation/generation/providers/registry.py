"""Which engines there are, by name. To add one: a folder or module beside this file, and a line here."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from annotation.errors import Invalid
from annotation.generation.providers.base import Engine

ENGINES: Mapping[str, str] = {
    "offline": "annotation.generation.providers.offline.engine.OfflineEngine",
    "fake": "annotation.generation.providers.fake.FakeEngine",
}


class UnknownEngine(Invalid):
    """No engine goes by this name."""

    code = "unknown-engine"


def load(name: str, parameters: Mapping[str, Any]) -> Engine:
    """The engine of a run, made from the run's parameters. Raises UnknownEngine, and whatever Invalid the engine
    raises where a parameter is wrong."""
    if name not in ENGINES:
        raise UnknownEngine(f"There is no engine {name!r}; choose one of {', '.join(sorted(ENGINES))}.", field="engine")
    module, _, attribute = ENGINES[name].rpartition(".")
    engine: Engine = getattr(import_module(module), attribute)(parameters)
    return engine
