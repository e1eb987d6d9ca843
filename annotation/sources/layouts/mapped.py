"""Any file of rows, whose columns a person maps to the fields of a row.

A column may be inside another: `extra_info.answer`, `images.0.image`. A column of exactly that name goes first.
Cells of text are understood: "4, 8, 15, 16" is a box where a comma parts it, "true" is a truth.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from annotation.sources.faults import WrongLayout
from annotation.sources.layouts import checks, naming
from annotation.sources.layouts.asking import asked, named_option, settled
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, Unfit, Values
from annotation.sources.rows import Record, Row

TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
KEEP = "extra"


def truth(value: Any) -> bool:
    """true or false, as a value or in words."""
    if isinstance(value, str) and value.strip().lower() in TRUTHS:
        return TRUTHS[value.strip().lower()]
    return checks.flag(value)


def numbers(value: Any) -> Any:
    """A list whose entries are numbers where they are text that says one; lists inside it likewise."""
    if isinstance(value, list):
        return [numbers(entry) for entry in value]
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError as error:
        raise Unfit(f"{value[:40]!r} is no number.") from error


def corners(value: Any) -> Any:
    return checks.corner_box(numbers(value))


def sized(value: Any) -> Any:
    return checks.size_box(numbers(value))


def answers_apart(value: Any) -> Any:
    return checks.many_answers(value if isinstance(value, list) else [value])


RULES = (
    Rule("image", "the picture: a path below the image folder, an http(s) address, or bytes", True, naming.picture),
    Rule("question", "the question; lettered options and a trailer in it are taken apart", True, checks.long_text),
    Rule("answer", "the reference answer, text or a number", False, checks.one_answer, ()),
    Rule("answers", "several reference answers; text is parted where `split` says by what", False, answers_apart, ()),
    Rule("letter", "the letter of the right option, where there is no answer in words", False, checks.word, ""),
    Rule("options", "the options of a choice; text is parted where `split` says by what", False, checks.option_list, ()),
    Rule("id", "the row's own id", False, checks.row_id, ""),
    Rule("box", "the evidence as [x1, y1, x2, y2]", False, corners),
    Rule("box_xywh", "the evidence as [x, y, width, height]", False, sized),
    Rule("points", "one point per counted thing", False, checks.point_list, ()),
    Rule("family", "what kind of question it is", False, checks.tag, ""),
    Rule("data_source", "the key of the source the row comes from", False, checks.tag, ""),
    Rule("image_sha256", "sha256 of the picture's bytes", False, naming.sha256, ""),
    Rule("is_unanswerable", "whether the picture supports no answer", False, truth, False),
    Rule("reason", "which presupposition fails", False, checks.long_text, ""),
    Rule(KEEP, "kept as it stands, under the column's name; any number of columns", False, checks.kept),
)
TARGETS = {rule.field: rule for rule in RULES}


def refusals(options: Options) -> list[str]:
    """What is wrong with a mapping, whatever the file; empty if nothing is."""
    given = [*options.mapping.values(), *options.constants]
    twice = {name for name in given if given.count(name) > 1 and name != KEEP}
    return [
        *(f"There is no field {name!r}: choose among {', '.join(TARGETS)}." for name in given if name not in TARGETS),
        *(f"Two columns are mapped to {name}." for name in sorted(twice)),
        *(f"No column is mapped to {rule.field}." for rule in RULES if rule.required and rule.field not in given),
        *(f"{name} is not mapped, and cannot be parted." for name in options.split if name not in given),
        *(f"The text that parts {name} is empty." for name, mark in options.split.items() if not mark),
    ]


def missing_columns(columns: Iterable[str], options: Options) -> tuple[str, ...]:
    """The mapped columns that a file with these columns does not have."""
    known = set(columns)
    return tuple(name for name in options.mapping if name not in known and name.split(".")[0] not in known)


def chosen(options: Options) -> tuple[Rule, ...]:
    """A rule for every column that is mapped. Raises WrongLayout where the mapping is none."""
    if found := refusals(options):
        raise WrongLayout(" ".join(found), field="mapping")
    tops: dict[str, Rule] = {}
    for column, target in options.mapping.items():
        rule = TARGETS[target]
        for name in {column, column.split(".")[0]} if "." in column else {column}:
            needed = rule.required and name == column and "." not in column
            tops[name] = Rule(name, f"{target}: {rule.means}", needed)
    return tuple(tops.values())


def build(values: Values, record: Record, options: Options) -> Iterator[Found]:
    """One row."""
    found = {rule.field: rule.otherwise for rule in RULES}
    for target, constant in options.constants.items():
        found[target] = _checked(target, constant, target, options)
    kept = {}
    for column, target in options.mapping.items():
        value = cell(record.fields, column)
        if target == KEEP:
            kept[column] = _checked(target, value, column, options)
        elif value is not None and value != "":
            found[target] = _checked(target, value, column, options)
        elif TARGETS[target].required:
            raise Unfit("This must not be empty.", column)
    yield settled(_row(found, record, kept))


def cell(fields: Mapping[str, Any], column: str) -> Any:
    """The value of a column, which may lie inside another; None where there is none."""
    if column in fields:
        return fields[column]
    value: Any = fields
    for step in column.split("."):
        if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, Mapping):
            value = value.get(step)
        else:
            return None
    return value


def _checked(target: str, value: Any, column: str, options: Options) -> Any:
    mark = options.split.get(target)
    parted = [part.strip() for part in value.split(mark) if part.strip()] if mark and isinstance(value, str) else value
    try:
        return TARGETS[target].check(parted)
    except Unfit as unfit:
        raise Unfit(str(unfit), column, value) from unfit


def _row(found: Values, record: Record, kept: dict[str, Any]) -> Row:
    parts = asked(found["question"], found["options"], **kept)
    letter = (named_option(found["letter"], parts["options"]),) if found["letter"] else ()
    image, sha256 = found["image"], found["image_sha256"]
    return Row(
        line=record.line,
        image=replace(image, sha256=sha256) if sha256 else image,
        answers=tuple(dict.fromkeys((*found["answer"], *found["answers"], *letter))),
        key=found["id"],
        boxes=tuple(box for box in (found["box"], found["box_xywh"]) if box),
        points=found["points"],
        family=found["family"],
        data_source=found["data_source"],
        unanswerable=found["is_unanswerable"],
        reason=found["reason"],
        **parts,
    )


LAYOUT = Layout("mapped", 1, "Columns mapped by hand", RULES, build, chosen=chosen)
