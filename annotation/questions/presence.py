"""What a text says is in the picture, word by word, without parsing: for finding out that a "new" thing is not new."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from annotation import english
from annotation.questions import vocabulary

WORD = re.compile(r"[\w'’-]+")
LONGEST_NAME = 3


@lru_cache(maxsize=4096)
def things_in(text: str) -> frozenset[str]:
    """Every known thing that a text names, singular and lower case: "two wine glasses" names a glass."""
    return frozenset(name for name in _names(text) if name in vocabulary.nouns() or name in _broader())


def values_in(text: str) -> frozenset[str]:
    """Every known adjective in a text."""
    return frozenset(word.lower() for word in WORD.findall(text)) & vocabulary.values().keys()


def kin_of(thing: str, texts: Iterable[str]) -> str | None:
    """A thing named in the texts that may be the same thing by another name, a kind of it, or what it is a kind of."""
    present = sorted(frozenset().union(*map(things_in, texts), *map(_last_word, texts)))
    return next((other for other in present if vocabulary.kindred(thing, other)), None)


def near_value(value: str, texts: Iterable[str]) -> str | None:
    """An adjective in the texts that may describe the same sight."""
    present = sorted(frozenset().union(*map(values_in, texts)))
    return next((other for other in present if vocabulary.near_values(value, other)), None)


def _names(text: str) -> Iterable[str]:
    words = [re.sub(r"['’]s$", "", word.lower()) for word in WORD.findall(text)]
    spans = ((at, at + n) for n in range(1, LONGEST_NAME + 1) for at in range(len(words) - n + 1))
    return (english.singular(" ".join(words[start:end])) for start, end in spans)


def _last_word(text: str) -> frozenset[str]:
    words = WORD.findall(text.lower())
    return frozenset({english.singular(words[-1])}) if words else frozenset()


@cache
def _broader() -> frozenset[str]:
    return frozenset().union(*(noun.also for noun in vocabulary.nouns().values()))
