"""What a person chose about a reading, as JSON that is kept with the import, and back. Pure."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from annotation.sources.layouts.shape import Options

NOT_KEPT = {"root"}  # a folder of one machine


def choices(options: Options) -> dict[str, Any]:
    """Only what differs from the defaults, so that asking for a default is asking for nothing."""
    usual = Options()
    values = {one.name: getattr(options, one.name) for one in fields(Options) if one.name not in NOT_KEPT}
    return {name: _plain(value) for name, value in values.items() if value != getattr(usual, name)}


def options_of(kept: Mapping[str, Any], *, root: Path | None = None) -> Options:
    """The options that were kept."""
    values = {**kept, "root": root}
    if "ids" in values:
        values["ids"] = frozenset(values["ids"])
    if "templates" in values:
        values["templates"] = tuple(values["templates"])
    return Options(**values)


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
