"""The training form (VeRL): the prompt as turns, the answer as a reward model's ground truth, the rest in extra_info."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.hashing import normalised_text
from annotation.sources.layouts import checks, naming
from annotation.sources.layouts.asking import asked, settled
from annotation.sources.layouts.shape import Found, Layout, Options, Rule, Unfit, Values
from annotation.sources.layouts.unwrapping import unwrapped, user_words
from annotation.sources.rows import Record, Row

RULES = (
    Rule("images", 'the one picture, as [{"image": path}], a path, or its bytes', True, naming.picture),
    Rule("prompt", "the turns; their one user's words are the question where extra_info has none", True, user_words),
    Rule("reward_model", "its `ground_truth` is the answer where extra_info has none; `style` is not read", True, checks.mapping),
    Rule("extra_info", "`answer`, `question`, `is_unanswerable`; where known `reason` and `index`", False, checks.mapping, {}),
    Rule("data_source", "the tag of the source the row comes from", True, checks.tag),
    Rule("env_name", "the tool environment; kept as it stands", False, checks.tag, ""),
)


def build(values: Values, record: Record, options: Options) -> Iterator[Found]:
    """One row. The reward model and extra_info must not name two answers."""
    info = values["extra_info"]
    unanswerable = _part(info, "is_unanswerable", checks.boolean, False)
    wording = _part(info, "question", checks.long_text, "") or values["prompt"]
    extra = {"env_name": values["env_name"]} if values["env_name"] else {}
    yield settled(
        Row(
            line=record.line,
            image=values["images"],
            answers=_answers(info, values["reward_model"], unanswerable),
            key=_part(info, "index", checks.row_id, "") or _part(info, "id", checks.row_id, ""),
            data_source=values["data_source"],
            unanswerable=unanswerable,
            reason=_part(info, "reason", checks.long_text, ""),
            **asked(unwrapped(wording), **extra),
        )
    )


def _answers(info: Mapping[str, Any], reward: Mapping[str, Any], unanswerable: bool) -> tuple[str, ...]:
    told = _part(info, "answer", checks.answers, ())
    rewarded = _part(reward, "ground_truth", checks.answers, (), "reward_model")
    if told and rewarded and not unanswerable and _keys(told) != _keys(rewarded):
        raise Unfit("extra_info and reward_model name different answers.", "reward_model.ground_truth", rewarded[0])
    return told or rewarded


def _keys(answers: tuple[str, ...]) -> set[str]:
    return {normalised_text(answer) for answer in answers}


def _part(whole: Mapping[str, Any], name: str, check: Any, otherwise: Any, of: str = "extra_info") -> Any:
    """A value inside an object; absent, null and empty text mean that nothing is known."""
    value = whole.get(name)
    if value is None or value == "":
        return otherwise
    try:
        return check(value)
    except Unfit as unfit:
        raise Unfit(str(unfit), f"{of}.{name}", value) from unfit


LAYOUT = Layout("verl", 1, "Training form (VeRL)", RULES, build, source_key="hardbench")
