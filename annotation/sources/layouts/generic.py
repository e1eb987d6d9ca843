"""Rows that any source may write: one question, its picture and its answers, under plain names."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from annotation.sources.layouts import checks, naming
from annotation.sources.layouts.asking import asked, settled
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, Values
from annotation.sources.rows import Record, Row

SHARED = (
    Rule("image", "path of the picture below the image folder, or its http(s) address", True, naming.picture),
    Rule("question", "the question; lettered options and a trailer in it are taken apart", True, checks.long_text),
    Rule("id", "the row's own id in its source, text or a whole number", False, checks.row_id, ""),
    Rule("options", "the options of a choice, in order, without letters", False, checks.option_list, ()),
    Rule("box", "where the evidence is: [x1, y1, x2, y2] in pixels of the upright picture", False, checks.corner_box),
    Rule("boxes", "the same, where there are several", False, checks.box_list(checks.corner_box), ()),
    Rule("points", "one point per counted thing, in pixels of the upright picture", False, checks.point_list, ()),
    Rule("family", "what kind of question it is, such as count or attribute", False, checks.tag, ""),
    Rule("image_sha256", "sha256 of the picture's bytes, compared when it arrives", False, naming.sha256, ""),
)
RULES = (
    *SHARED,
    Rule("answer", "the reference answer, text or a number; this or `answers` is needed", False, checks.one_answer, ()),
    Rule("answers", "several reference answers, any of them right", False, checks.many_answers, ()),
    Rule("data_source", "the key of the source the row comes from, where it is not this one", False, checks.tag, ""),
)


def shared(values: Values, record: Record) -> dict[str, Any]:
    """The parts of a Row that the shared rules give."""
    box = (values["box"],) if values["box"] else ()
    image = values["image"]
    return {
        "line": record.line,
        "image": replace(image, sha256=values["image_sha256"]) if values["image_sha256"] else image,
        "key": values["id"],
        "boxes": tuple(dict.fromkeys((*box, *values["boxes"]))),
        "points": values["points"],
        "family": values["family"],
        **asked(values["question"], values["options"]),
    }


def build(values: Values, record: Record, options: Options) -> Iterator[Found]:
    """One row."""
    answers = tuple(dict.fromkeys((*values["answer"], *values["answers"])))
    yield settled(Row(**shared(values, record), answers=answers, data_source=values["data_source"]))


# Read as generic rows, HARDBench's edited questions would become originals with the answer "unanswerable".
FOREIGN: Mapping[str, str] = {"is_unanswerable": "hardbench"}

LAYOUT = Layout("generic", 2, "Plain rows", RULES, build, foreign=FOREIGN)
