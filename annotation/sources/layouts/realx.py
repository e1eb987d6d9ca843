"""RealX-Bench (DeepEyesV2): questions that need looking, and some that need a web search too."""

from collections.abc import Iterator
from typing import Any

from annotation.sources.alternatives import alternatives
from annotation.sources.layouts import checks, naming
from annotation.sources.layouts.asking import asked
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, Values
from annotation.sources.rows import LeftOut, Record, Row


def listed(value: Any) -> tuple[str, ...]:
    """Reference answers: a list, or one text whose alternatives are joined with " or "."""
    return tuple(dict.fromkeys(part for answer in checks.answers(value) for part in alternatives(answer)))


RULES = (
    Rule("query", "the question", True, checks.long_text),
    Rule("answer", 'the reference answer; alternatives are joined with " or "', True, listed),
    Rule("image", "the picture: its bytes, or a path below the image folder", True, naming.picture),
    Rule("search", "1 where the question needs a web search: the picture alone does not answer it", True, checks.flag),
    Rule("perception", "1 where looking closely is needed; kept as it stands", False, checks.flag),
    Rule("reason", "1 where reasoning is needed; kept as it stands", False, checks.flag),
    Rule("id", "the row's id; where there is none, its number in the file, from 1", False, checks.row_id, ""),
)
NEEDS = ("perception", "search", "reason")


def build(values: Values, record: Record, options: Options) -> Iterator[Found]:
    """One row, or none where it needs a search. A list of ids stands over that filter."""
    if values["search"] and options.only_without_search and not options.ids:
        yield LeftOut(record.line, "The question needs a web search (search = 1).")
        return
    kept: dict[str, Any] = {name: int(values[name]) for name in NEEDS if values[name] is not None}
    yield Row(
        line=record.line,
        image=values["image"],
        answers=values["answer"],
        key=values["id"] or str(record.line),
        **asked(values["query"], answer=record.fields["answer"], **kept),
    )


LAYOUT = Layout("realx", 1, "RealX-Bench", RULES, build, source_key="realx")
