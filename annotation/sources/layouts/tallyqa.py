"""TallyQA: counting questions about COCO and Visual Genome pictures, in train.json and test.json."""

from collections.abc import Iterator
from typing import Any

from annotation.sources.layouts import checks, naming
from annotation.sources.layouts.asking import asked
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, Unfit, Values
from annotation.sources.rows import Record, Row, Wanted

ROOTS = ("train2014", "val2014", "VG_100K", "VG_100K_2")
MOST_COUNT = 15


def rooted(value: Any) -> Wanted:
    """A path that starts with one of the four image folders."""
    path = naming.image_path(value)
    if path.split("/")[0] not in ROOTS or "/" not in path:
        raise Unfit(f"A picture of TallyQA lies in {', '.join(ROOTS[:-1])} or {ROOTS[-1]}.")
    return Wanted(path)


def simple(value: Any) -> bool | None:
    """Whether a question is simple; -1 is how loaders write that it is not known."""
    return None if not isinstance(value, bool) and value == -1 else checks.flag(value)


RULES = (
    Rule("image", f"path of the picture, which starts with {', '.join(ROOTS)}", True, rooted),
    Rule("question", "the counting question, as it stands", True, checks.long_text),
    Rule("answer", f"the count, a whole number from 0 to {MOST_COUNT}; others are rejected", True, checks.whole(0, MOST_COUNT)),
    Rule("question_id", "the row's id", False, checks.row_id, ""),
    Rule("image_id", "id of the picture in its own collection; kept as it stands", False, checks.row_id, ""),
    Rule("issimple", "whether the question is simple; may be missing (or -1): then it is not known", False, simple),
    Rule("data_source", "where the question comes from (amt, imported_genome, ..); kept as it stands", False, checks.word, ""),
)


def build(values: Values, record: Record, options: Options) -> Iterator[Found]:
    """One row. The tag is kept in `extra`: it names no source of ours."""
    kept = {name: values[name] for name in ("image_id", "issimple", "data_source") if values[name] not in ("", None)}
    yield Row(
        line=record.line,
        image=values["image"],
        answers=(str(values["answer"]),),
        key=values["question_id"],
        family="count",
        **asked(values["question"], **kept),
    )


LAYOUT = Layout("tallyqa", 1, "TallyQA", RULES, build, source_key="tallyqa")
