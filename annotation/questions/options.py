"""Options of forced-choice questions, and what an edit of the stem does to them."""

import re
from collections.abc import Sequence

from annotation.questions.edits import Change, Span, apply
from annotation.sources.prompts import Prompt, PromptSetting, chosen_option, letter_of, split_prompt

__all__ = ["Prompt", "PromptSetting", "chosen_option", "edited_options", "letter_of", "split_prompt"]


def edited_options(options: Sequence[str], change: Change) -> tuple[str, ...]:
    """The options after an edit of the stem. An option that names the changed words of the stem changes with them:
    "the black car or the silver car" edited to "… the purple car" needs the option "purple car".
    """
    return tuple(_carried(option, change) for option in options)


def _carried(option: str, change: Change) -> str:
    for match in re.finditer(rf"\b{re.escape(option)}\b", change.text, re.IGNORECASE):
        place = Span(*match.span())
        if place.covers(change.span) and option:
            inside = Span(change.span.start - place.start, change.span.end - place.start)
            return apply(Change(match[0], inside, change.new))
    return option
