"""Prompts made for training, taken apart again: whose words they are, and which of them are the question. Pure."""

import re
from collections.abc import Mapping
from typing import Any

from annotation.sources.layouts.checks import kept_text, long_text
from annotation.sources.layouts.shape import Unfit

IMAGE_TAG = re.compile(r"<\s*(?:image|img)(?:_\d+)?\s*/?>", re.IGNORECASE)
HEAD = re.compile(r"\s*question\s*:\s*", re.IGNORECASE)
THINK = re.compile(r"\s*\bthink\s+in\s+the\s+mind\s+first\b.*", re.IGNORECASE | re.DOTALL)


def user_words(prompt: Any) -> str:
    """What the one user of [{"role", "content"}, ..] says; content may be text or [{"type": "text", "text"}, ..]."""
    if not isinstance(prompt, list) or not all(isinstance(turn, Mapping) for turn in prompt):
        raise Unfit("A prompt is a list of turns with role and content.")
    said = [_content(turn.get("content")) for turn in prompt if turn.get("role") == "user"]
    if len(said) != 1:
        raise Unfit(f"A prompt has one turn of the user; here are {len(said)}.")
    return kept_text(said[0])


def unwrapped(words: str) -> str:
    """The question without picture tags, "Question:" in front and the trailer "Think in the mind first, …"."""
    bare = THINK.sub("", IMAGE_TAG.sub("", words))
    question = HEAD.sub("", bare, count=1) if HEAD.match(bare) else bare
    if not question.strip():
        raise Unfit("Nothing is left of the prompt without its wrapping.")
    return str(long_text(question))


def _content(content: Any) -> Any:
    if not isinstance(content, list):
        return content
    parts = [part.get("text") for part in content if isinstance(part, Mapping) and part.get("type", "text") == "text"]
    return "\n".join(part for part in parts if isinstance(part, str))
