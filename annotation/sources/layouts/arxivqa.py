"""ArxivQA: choices about scientific figures, with options and labels as a model wrote them.

Raw options, what was removed of them and why, the raw label and the rationale are kept in `extra`.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from annotation.sources.layouts import checks, naming
from annotation.sources.layouts.asking import asked
from annotation.sources.layouts.lettering import Ambiguous, Choice, choice, meant
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, Unfit, Values
from annotation.sources.rows import Record, Row, Wanted


def raw_texts(value: Any) -> list[str]:
    """The options as they stand; numbers become text."""
    return [_raw(entry) for entry in checks.raw_options(value)]


def _raw(entry: Any) -> str:
    if isinstance(entry, str) and not entry.strip():
        return ""
    return checks.one_answer(entry)[0]


def figure(value: Any) -> Wanted:
    """A path of a figure."""
    return Wanted(naming.image_path(value))


RULES = (
    Rule("id", "the row's id", False, checks.row_id, ""),
    Rule("image", "path of the figure, as images/….jpg", True, figure),
    Rule("question", "the question, as it stands", True, checks.long_text),
    Rule("options", 'the options; "-" and "### Figure" are removed, letters in front are taken off', True, raw_texts),
    Rule("label", "the right option, as `A`, `A)`, `[A]` or `B. text`; letters count the raw options", True, checks.long_text),
    Rule("rationale", "why, as a model put it; kept as it stands", False, checks.kept_text, ""),
)


def build(values: Values, record: Record, options: Options) -> Iterator[Found]:
    """One row with at least two options, whose answer is the text of the option that the label means."""
    found = choice(values["options"])
    if len(found.kept) < 2:
        raise Unfit(f"Of the options {len(found.kept)} is left; a choice has two.", "options", values["options"])
    if len({option.casefold() for option in found.options}) < len(found.kept):
        raise Unfit("Two options are the same.", "options", values["options"])
    try:
        right = meant(values["label"], found)
    except Ambiguous as ambiguous:
        raise Unfit(str(ambiguous), "label", values["label"]) from ambiguous
    yield Row(
        line=record.line,
        image=values["image"],
        answers=(right.text,),
        key=values["id"],
        family="chart",
        **asked(values["question"], found.options, **_kept(values, found)),
    )


def _kept(values: Values, found: Choice) -> dict[str, Any]:
    removed = {"removed_options": [asdict(one) for one in found.removed]} if found.removed else {}
    rationale = {"rationale": values["rationale"]} if values["rationale"] else {}
    return {"label": values["label"], "raw_options": values["options"], **removed, **rationale}


LAYOUT = Layout("arxivqa", 1, "ArxivQA", RULES, build, source_key="arxivqa")
