"""What a layout is: documented rules for the fields of a source, and how a record becomes rows. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.sources.faults import Problem, problem
from annotation.sources.rows import LeftOut, Record, Row

Found = Row | Problem | LeftOut
Check = Callable[[Any], Any]
Values = dict[str, Any]


class Unfit(Exception):
    """A value that a field cannot have; the text says why. `name` and `value` are set where more than one is read."""

    def __init__(self, reason: str, name: str = "", value: object = "") -> None:
        super().__init__(reason)
        self.name = name
        self.value = value


def as_it_stands(value: Any) -> Any:
    """The check of a field that is kept raw."""
    return value


@dataclass(frozen=True, slots=True)
class Rule:
    """One field of a source: its name there, what it means and what is done with it, and its check (raises Unfit).

    A field that is not required may be absent, null or empty text: then `otherwise` stands for it.
    """

    field: str
    means: str
    required: bool = False
    check: Check = as_it_stands
    otherwise: Any = None


@dataclass(frozen=True, slots=True)
class Options:
    """What a person may choose about a reading; each layout looks at its own.

    `ids` keeps only the rows with these keys (empty: all). `only_without_search` leaves out RealX rows that need a web
    search, unless `ids` names them. `templates` are ids of PixMo wordings (empty: the default one). `root` is the
    folder with V*'s files beside the pictures. `mapping` (column -> field), `constants` (field -> value) and `split`
    (field -> the text between the parts of a list) belong to the mapped layout. `form` and `encoding` are the
    reader's, where they shall not be found out from the content.
    """

    ids: frozenset[str] = frozenset()
    only_without_search: bool = True
    templates: tuple[str, ...] = ()
    root: Path | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    split: Mapping[str, str] = field(default_factory=dict)
    form: str | None = None
    encoding: str | None = None


Build = Callable[[Values, Record, Options], Iterable[Found]]
Opening = Callable[[Path, Options, int], Iterator[Record | Problem]]


@dataclass(frozen=True, slots=True)
class Layout:
    """A source's way of writing rows. Raise `version` when the same file would give other rows.

    `source_key` is the key of the source in `cards`, empty where any source may write so. `foreign` names fields that
    prove another layout, and which. `build` turns checked values into rows and may raise Unfit. `opening` reads what
    no general reader knows. `chosen` gives the rules where they depend on the options, and raises WrongLayout where
    the options are none.
    """

    key: str
    version: int
    title: str
    rules: tuple[Rule, ...]
    build: Build
    source_key: str = ""
    foreign: Mapping[str, str] = field(default_factory=dict)
    opening: Opening | None = None
    chosen: Callable[[Options], tuple[Rule, ...]] | None = None

    def row(self, record: Record, options: Options) -> Iterable[Found]:
        """The rows of a record, or why it gives none."""
        return self.read(record, options, self.rules_for(options))

    def rules_for(self, options: Options) -> tuple[Rule, ...]:
        """The rules that hold for a reading. Raises WrongLayout where the options do not fit."""
        return self.rules if self.chosen is None else self.chosen(options)

    def read(self, record: Record, options: Options, rules: tuple[Rule, ...]) -> list[Found]:
        """The same as `row`, with rules that were asked for once."""
        try:
            found = list(self.build(checked(record.fields, rules), record, options))
        except Unfit as unfit:
            return [problem(record.line, str(unfit), unfit.name, unfit.value)]
        return [_listed(one, options.ids) for one in found] if options.ids else found


def checked(fields: Mapping[str, Any], rules: tuple[Rule, ...]) -> Values:
    """Each rule's value by the name of its field. Raises Unfit with the field that is to blame."""
    values: Values = {}
    for rule in rules:
        name = rule.field
        raw = fields.get(name)
        if not rule.required and (raw is None or raw == ""):
            values[name] = rule.otherwise
            continue
        if raw is None and name not in fields:
            raise _absent(fields, rules)
        try:
            values[name] = rule.check(raw)
        except Unfit as unfit:
            raise Unfit(str(unfit), name, raw) from unfit
    return values


def absent(fields: Mapping[str, Any], rules: tuple[Rule, ...]) -> list[str]:
    """The required fields that are not there at all."""
    return [rule.field for rule in rules if rule.required and rule.field not in fields]


def _absent(fields: Mapping[str, Any], rules: tuple[Rule, ...]) -> Unfit:
    names = absent(fields, rules)
    return Unfit(f"The row has no {' and no '.join(names)}.", names[0])


def _listed(found: Found, ids: frozenset[str]) -> Found:
    if isinstance(found, Row) and found.key not in ids:
        return LeftOut(found.line, "The row is not in the list of ids.")
    return found
