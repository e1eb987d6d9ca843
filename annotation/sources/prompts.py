"""Texts that ask for a choice: the stem, the options, the trailer, and the letter that names an option. Pure.

Trailers such as "Answer with the option's letter from the given choices directly." punish refusal, so they are
stripped and only the row's prompt setting is kept.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

OPTION_LINE = re.compile(r"\(?([A-Z])[).:]\s+(\S.*)")
TRAILER = re.compile(r"answer\b.*\b(option|letter|choices?|word|phrase|directly)\b.*", re.IGNORECASE)
LETTER = re.compile(r"(?:option\s+)?[(\[]?([a-z])[)\].:]?", re.IGNORECASE)
LETTER_AND_TEXT = re.compile(r"[(\[]?([a-z])[)\].:]\s*(.+)", re.IGNORECASE | re.DOTALL)


class PromptSetting(StrEnum):
    """How a row asked: plainly, with options, or with options and an instruction to choose one."""

    BASE = "base"
    OPTION = "option"
    INSTRUCTION = "instruction"


@dataclass(frozen=True)
class Prompt:
    """A question text taken apart. `options` hold no letters; `setting` says what the source's text had."""

    stem: str
    options: tuple[str, ...]
    setting: PromptSetting


def split_prompt(text: str) -> Prompt:
    """Take a source's question text apart into stem, options and setting.

    Only lines after the first count as options, and only where they are lettered A, B, C… without a gap: a stem that
    starts with "A." stays a stem. A trailer is a last line that tells how to answer.
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    trailer = len(lines) > 1 and TRAILER.fullmatch(lines[-1]) is not None
    body = lines[:-1] if trailer else lines
    first = next((at for at in range(1, len(body)) if _lettered(body[at:])), len(body))
    options = tuple(OPTION_LINE.sub(r"\2", line) for line in body[first:])
    return Prompt(" ".join(body[:first]), options, _setting(options, trailer))


def letter_of(index: int) -> str:
    """The letter of an option: 0 is A."""
    return chr(ord("A") + index)


def chosen_option(answer: str, options: Sequence[str]) -> str | None:
    """The option that an answer names by its letter ("B", "(b)", "option B", "B. red"); None if it names none so.

    "B. cereus" names option B only where option B reads "cereus".
    """
    text = answer.strip()
    if match := LETTER.fullmatch(text):
        return _at(options, match[1])
    if match := LETTER_AND_TEXT.fullmatch(text):
        option = _at(options, match[1])
        same = option is not None and option.strip().casefold() == match[2].strip().rstrip(".").casefold()
        return option if same else None
    return None


def _lettered(lines: list[str]) -> bool:
    matches = [OPTION_LINE.fullmatch(line) for line in lines]
    return len(lines) > 1 and all(match and match[1] == letter_of(at) for at, match in enumerate(matches))


def _setting(options: tuple[str, ...], trailer: bool) -> PromptSetting:
    if trailer:
        return PromptSetting.INSTRUCTION
    return PromptSetting.OPTION if options else PromptSetting.BASE


def _at(options: Sequence[str], letter: str) -> str | None:
    index = ord(letter.upper()) - ord("A")
    return options[index] if index < len(options) else None
