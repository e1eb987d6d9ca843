"""One reading of one file in one layout. Pure: a path in; rows, problems and rows left out come out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from annotation.sources.faults import Problem, WrongLayout
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, absent
from annotation.sources.records import records
from annotation.sources.rows import Record

PATIENCE = 1000  # rows without the fields that a layout needs, after which the file is in another layout


class Reading:
    """Iterate over it once for rows, problems and rows left out, in the order of the file. Raises FileFault.

    `ignored` counts the fields that the layout does not know, as far as was read. `after` lines are skipped.
    """

    def __init__(self, path: Path, layout: Layout, options: Options, *, after: int = 0) -> None:
        self._path = path
        self._layout = layout
        self._options = options
        self._after = after
        self._rules = layout.rules_for(options)
        self.ignored: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Found]:
        layout, options, rules = self._layout, self._options, self._rules
        fitting = _Fitting(layout.key, rules, known=self._after > 0)
        names = {rule.field for rule in rules}
        for record in self._records():
            if isinstance(record, Problem):
                yield record
                continue
            fields = record.fields
            self._refuse_other_layout(fields)
            if not fitting.found:
                fitting.look(fields)
            if others := fields.keys() - names:
                self.ignored.update(others)
            yield from layout.read(record, options, rules)
        fitting.end()

    def _records(self) -> Iterator[Record | Problem]:
        options, layout = self._options, self._layout
        if layout.opening is not None:
            return layout.opening(self._path, options, self._after)
        return records(self._path, form=options.form, encoding=options.encoding, after=self._after)

    def _refuse_other_layout(self, fields: dict[str, Any]) -> None:
        for name, other in self._layout.foreign.items():
            if name in fields:
                raise WrongLayout(f"The rows have {name}: import them with the layout {other}.", field="layout")


class _Fitting:
    """Whether any row has all that a layout needs; a file without one is in another layout."""

    def __init__(self, key: str, rules: Sequence[Rule], *, known: bool) -> None:
        self._key = key
        self._rules = tuple(rules)
        self._missing: Counter[str] = Counter()
        self._seen = 0
        self.found = known

    def look(self, fields: dict[str, Any]) -> None:
        missing = absent(fields, self._rules)
        self.found = not missing
        self._missing.update(missing)
        self._seen += 1
        if self._seen >= PATIENCE:
            self.end()

    def end(self) -> None:
        if not self.found and self._missing:
            names = ", ".join(self._missing)
            raise WrongLayout(f"No row has all that the layout {self._key} needs. Missing: {names}.", field="layout")
