"""The vocabulary of a pool of questions: which things and values it names, and how often.

Edits draw their new phrases from it in proportion, so that a new phrase by itself does not tell an edit from an original
(edits with words from an outside list gave a text-only probe an AUC of 0.68; words from the same pool did not).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from annotation import english
from annotation.questions.grammar import named_things, parse


@dataclass(frozen=True)
class Pool:
    """Counts of singular nouns and of adjectives. `together` counts pairs of nouns asked about in one question."""

    nouns: Mapping[str, int] = field(default_factory=dict)
    values: Mapping[str, int] = field(default_factory=dict)
    together: Mapping[str, int] = field(default_factory=dict)

    def meet(self, first: str, second: str) -> int:
        """How often two nouns were named in one question."""
        return self.together.get(_pair(first, second), 0)


def pool_of(texts: Iterable[str]) -> Pool:
    """The pool of all texts that the grammar reads; the others add nothing."""
    nouns: Counter[str] = Counter()
    values: Counter[str] = Counter()
    together: Counter[str] = Counter()
    for parsed in filter(None, map(parse, texts)):
        found = named_things(parsed)
        heads = sorted({english.singular(phrase.head.lower) for phrase in found})
        nouns.update(heads)
        values.update(word.lower for phrase in found for word in phrase.modifiers)
        together.update(_pair(a, b) for at, a in enumerate(heads) for b in heads[at + 1 :])
    return Pool(dict(nouns), dict(values), dict(together))


def pool_to_json(pool: Pool, limit: int = 400) -> dict[str, dict[str, int]]:
    """The pool as a run's parameters keep it: the most frequent entries, so that a run can be repeated exactly."""
    parts = {"nouns": pool.nouns, "values": pool.values, "together": pool.together}
    return {name: dict(sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:limit]) for name, counts in parts.items()}


def pool_from_json(stored: Mapping[str, Mapping[str, int]]) -> Pool:
    """The pool that `pool_to_json` wrote; parts that are missing are empty."""
    return Pool(stored.get("nouns", {}), stored.get("values", {}), stored.get("together", {}))


def _pair(first: str, second: str) -> str:
    return "|".join(sorted((first, second)))
