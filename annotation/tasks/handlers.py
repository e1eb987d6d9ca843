"""Which verb does which kind of background work: translate the payload, call one verb, translate back."""

from collections.abc import Callable
from typing import Any

Verb = Callable[[dict[str, Any]], dict[str, Any]]

HANDLERS: dict[str, Verb] = {}
