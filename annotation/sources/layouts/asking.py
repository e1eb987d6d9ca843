"""The parts of a Row that the source's wording gives: stem, options and prompt setting, and the source's own words. Pure."""

from dataclasses import replace
from typing import Any

from annotation.sources.layouts.shape import Unfit
from annotation.sources.prompts import PromptSetting, chosen_option, split_prompt
from annotation.sources.rows import Row


def asked(wording: str, options: tuple[str, ...] = (), **extra: Any) -> dict[str, Any]:
    """`question`, `options`, `setting` and `extra` of a Row. Where the stem is not all that the source wrote, its
    wording is kept in `extra`."""
    if "\n" not in wording:
        return {
            "question": wording,
            "options": options,
            "setting": str(PromptSetting.OPTION if options else PromptSetting.BASE),
            "extra": extra,
        }
    prompt = split_prompt(wording)
    options = options or prompt.options
    setting = PromptSetting.OPTION if options and prompt.setting == PromptSetting.BASE else prompt.setting
    words = {"question": wording} if prompt.stem != wording else {}
    return {"question": prompt.stem, "options": options, "setting": str(setting), "extra": {**words, **extra}}


def named_option(answer: str, options: tuple[str, ...]) -> str:
    """The option that a letter names; an answer that names none so stays itself."""
    return chosen_option(answer, options) or answer


def settled(row: Row) -> Row:
    """A row that is either unanswerable with a reason, or has an answer. Raises Unfit.

    Rotus' own evaluation falls back to the answer where an unanswerable row has no reason; so do we.
    """
    if row.unanswerable:
        return replace(row, answers=(), reason=row.reason or " ".join(row.answers))
    if not row.answers:
        raise Unfit("The row has no answer.", "answer")
    return row
