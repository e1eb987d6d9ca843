"""V*Bench: forced choices about very small things, as test_questions.jsonl or as the files beside the pictures.

The lines of options and the trailer are taken off the text and kept as the prompt setting. With `Options.root` the
boxes of the file beside each picture are joined to the row.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from annotation.hashing import sha256_hex
from annotation.sources.faults import Problem
from annotation.sources.layouts import checks, naming, vstar_files
from annotation.sources.layouts.asking import asked
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, Unfit, Values, checked
from annotation.sources.prompts import chosen_option
from annotation.sources.records import records
from annotation.sources.rows import Record, Row, Wanted

FAMILIES = {"direct_attributes": "attribute", "relative_position": "relation", "OCR": "text"}


def named(value: Any) -> Wanted | None:
    """A path of a picture; null where a copy of the rows does not name it."""
    return None if value is None else Wanted(naming.image_path(value))


def targets(value: Any) -> list[str]:
    """Names of the targets."""
    if not isinstance(value, list):
        raise Unfit("Targets are a list of names.")
    return [checks.word(entry) for entry in value]


BESIDE = (
    Rule("question", "the stem (files beside the pictures)", False, checks.long_text, ""),
    Rule("options", "the options, the right one first (files beside the pictures)", False, checks.option_list, ()),
    Rule("target_object", "names of the targets; kept as they stand (files beside the pictures)", False, targets, []),
    Rule(
        "bbox",
        "boxes of the targets, each [x, y, width, height] (files beside the pictures)",
        False,
        checks.box_list(checks.size_box),
        (),
    ),
)
RULES = (
    Rule("image", "path of the picture; null: named after the folder and question_id, as folder/17.jpg", True, named),
    Rule("category", "the folder of the picture: it gives the family, and is kept as it stands", True, checks.tag),
    Rule("text", "the stem, a line for each option, and a trailer that asks for a letter", False, checks.long_text, ""),
    Rule("label", "the letter of the right option", False, checks.word, ""),
    Rule("question_id", "the row's id", False, checks.row_id, ""),
    *BESIDE,
)


def opening(path: Path, options: Options, after: int) -> Iterator[Record | Problem]:
    """Records of the files beside the pictures where the path leads to such, otherwise of a file of rows."""
    if vstar_files.is_beside(path):
        return vstar_files.records(path, after)
    return records(path, form=options.form, encoding=options.encoding, after=after)


def build(values: Values, record: Record, options: Options) -> Iterator[Found]:
    """One row of either form."""
    yield _of_text(values, record, options) if values["text"] else _of_file(values, record)


def _of_text(values: Values, record: Record, options: Options) -> Row:
    parts = asked(values["text"])
    if not parts["options"]:
        raise Unfit("The text has no lines with options.", "text", values["text"])
    right = chosen_option(values["label"], parts["options"])
    if right is None:
        raise Unfit("The label names none of the options.", "label", values["label"])
    image = values["image"] or _after_question(values)
    known = _joined(image.name, right, options.root)
    parts["extra"] |= {"category": values["category"], **_targets(known)}
    return Row(
        line=record.line,
        image=image,
        answers=(right,),
        key=values["question_id"],
        boxes=known.get("bbox", ()),
        family=_family(values["category"]),
        **parts,
    )


def _after_question(values: Values) -> Wanted:
    if not values["question_id"]:
        raise Unfit("The row names neither its image nor a question_id to call it after.", "image")
    return Wanted(naming.image_path(f"{values['category']}/{values['question_id']}.jpg"))


def _of_file(values: Values, record: Record) -> Row:
    if not values["question"] or len(values["options"]) < 2:
        raise Unfit("The row has neither a text with options nor a question with options.", "question")
    if values["image"] is None:
        raise Unfit("The row has no image.", "image")
    name = values["image"].name
    parts = asked(values["question"], _shuffled(values["options"], name), category=values["category"], **_targets(values))
    return Row(
        line=record.line,
        image=values["image"],
        answers=(values["options"][0],),
        key=values["question_id"],
        boxes=values["bbox"],
        family=_family(values["category"]),
        **parts,
    )


def _joined(name: str, right: str, root: Path | None) -> Mapping[str, Any]:
    """What the file beside a picture knows. Raises Unfit where it names another right option."""
    path = root / Path(name).with_suffix(".json") if root else None
    if path is None or not path.is_file():
        return {}
    try:
        known = checked(vstar_files.beside(path), BESIDE)
    except (vstar_files.Broken, OSError) as error:
        raise Unfit(f"The file beside the picture cannot be used: {error}", "image", name) from error
    if known["options"] and known["options"][0].casefold() != right.casefold():
        raise Unfit("The file beside the picture has another right option.", "label", known["options"][0])
    return known


def _targets(known: Mapping[str, Any]) -> dict[str, Any]:
    return {"target_object": known["target_object"]} if known.get("target_object") else {}


def _shuffled(options: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The options in an order that does not give the right one away, and is the same each time."""
    return tuple(sorted(options, key=lambda option: sha256_hex(f"{name}\n{option}".encode())))


def _family(category: str) -> str:
    return FAMILIES.get(category, "")


LAYOUT = Layout("vstar", 1, "V*Bench", RULES, build, source_key="vstar", opening=opening)
