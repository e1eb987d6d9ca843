"""CoF-RL-Data (mm-adaptive-cof): training prompts whose wrapping is taken off again."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.sources.layouts import checks, naming
from annotation.sources.layouts.asking import asked, named_option
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, Unfit, Values
from annotation.sources.layouts.unwrapping import unwrapped, user_words
from annotation.sources.rows import Record, Row


def truth(value: Any) -> tuple[str, ...]:
    """The ground truth inside the reward model; it may have several words."""
    return checks.answers(checks.mapping(value).get("ground_truth"))


def info(value: Any) -> Mapping[str, Any]:
    """extra_info, whose index is text or a whole number where there is one."""
    found = checks.mapping(value)
    if found.get("index") is not None:
        checks.row_id(found["index"])
    return found


RULES = (
    Rule("prompt", 'the turns; the user\'s words lose "<image>", "Question:" and "Think in the mind first, …"', True, user_words),
    Rule("images", 'the one picture, as [{"image": "./images/…"}] or its bytes', True, naming.picture),
    Rule("reward_model", "its `ground_truth` is the answer, of one or several words", True, truth),
    Rule("extra_info", "its `index` (and `split`) make the row's id", False, info, {}),
    Rule("groundtruth_complete", "the answer as a sentence; kept as it stands", False, checks.kept_text, ""),
    Rule("data_source", "the collection a row was taken from; a tag, kept as it stands", False, checks.word, ""),
    Rule("agent_name", "the agent that the row was made for; kept as it stands", False, checks.word, ""),
    Rule("ability", "what the row trains; kept as it stands", False, checks.word, ""),
)
KEPT = ("groundtruth_complete", "data_source", "agent_name", "ability")


def build(values: Values, record: Record, options: Options) -> Iterator[Found]:
    """One row. A letter as ground truth becomes the option it names.

    The tag goes to `extra`, never to Row.data_source: CoF tags rows with names of other sources ("vstar"), and their
    licence is not known to be that source's.
    """
    try:
        parts = asked(unwrapped(values["prompt"]), **{name: values[name] for name in KEPT if values[name]})
    except Unfit as unfit:
        raise Unfit(str(unfit), "prompt", values["prompt"]) from unfit
    parts["extra"]["prompt"] = values["prompt"]
    yield Row(
        line=record.line,
        image=values["images"],
        answers=tuple(named_option(answer, parts["options"]) for answer in values["reward_model"]),
        key=_key(values["extra_info"]),
        **parts,
    )


def _key(found: Mapping[str, Any]) -> str:
    """ "train-17": an index counts within its split."""
    index, split = found.get("index"), found.get("split")
    if index is None:
        return ""
    return f"{split}-{index}" if isinstance(split, str) and split else checks.row_id(index)


LAYOUT = Layout("cof", 1, "CoF-RL-Data (mm-adaptive-cof)", RULES, build, source_key="mm-adaptive-cof")
