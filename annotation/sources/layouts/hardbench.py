"""HARDBench's own rows: originals, and unanswerable twins with the reason why no answer is right."""

from collections.abc import Iterator

from annotation.sources.layouts import checks
from annotation.sources.layouts.asking import settled
from annotation.sources.layouts.generic import SHARED, shared
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, Values
from annotation.sources.rows import Record, Row

RULES = (
    *SHARED,
    Rule("answer", "the reference answer, text or a number; not read as one where the row is unanswerable", True, checks.answers),
    Rule("data_source", "the lower-case tag of the source the row comes from, such as tallyqa", True, checks.tag),
    Rule("is_unanswerable", "whether the picture supports no answer: true or false, not 0 or 1", True, checks.boolean),
    Rule("reason", "which presupposition fails; falls back to the answer, as Rotus does", False, checks.long_text, ""),
)


def build(values: Values, record: Record, options: Options) -> Iterator[Found]:
    """One row; an unanswerable one has no answers."""
    yield settled(
        Row(
            **shared(values, record),
            answers=values["answer"],
            data_source=values["data_source"],
            unanswerable=values["is_unanswerable"],
            reason=values["reason"],
        )
    )


LAYOUT = Layout("hardbench", 2, "HARDBench rows", RULES, build, source_key="hardbench")
