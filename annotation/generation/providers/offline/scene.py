"""What the offline editor knows while it edits one question, and the few ways in which it writes an edit down."""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from annotation import english
from annotation.generation.providers.base import Original, Proposal
from annotation.questions import vocabulary
from annotation.questions.decomposing import claim_at
from annotation.questions.edits import Change, Component, Decomposition, Edit, Operation, SemanticTuple, Span, TupleKind
from annotation.questions.grammar import ParsedQuestion, phrases_of
from annotation.questions.phrases import NounPhrase
from annotation.questions.screening import Candidate

Item = TypeVar("Item")

# A word that the pool does not hold still has a small chance, so that a small pool does not run dry.
UNSEEN_WEIGHT = 0.05
# Things of the same kind make harder edits than far ones, so they come up more often.
FAVOUR = 10


@dataclass(frozen=True)
class Scene:
    """One question under the knife. `rng` is seeded by the caller: the same seed gives the same edits."""

    original: Original
    parsed: ParsedQuestion
    decomposition: Decomposition
    rng: random.Random

    @property
    def said(self) -> tuple[str, ...]:
        """Every text that says what is in the picture."""
        siblings = (text for s in self.original.siblings for text in (s.text, *s.answers))
        return (self.original.text, *self.original.answers, *siblings)

    def shuffled(self, words: Iterable[str], weights: Mapping[str, int], favoured: Collection[str] = ()) -> list[str]:
        """The words in random order, frequent ones earlier in proportion (Efraimidis and Spirakis 2006); a favoured
        word counts as often as `FAVOUR` others."""
        keys = {}
        for word in sorted(words):
            weight = (weights.get(word, 0) or UNSEEN_WEIGHT) * (FAVOUR if word in favoured else 1)
            keys[word] = self.rng.random() ** (1 / weight)
        return sorted(keys, key=lambda word: -keys[word])

    def taken_for_granted(self) -> list[NounPhrase]:
        """The things whose existence the question presupposes: definite ones, and what describes them ("the man with
        yellow cap"). What is counted is never among them."""
        definite = [phrase for phrase in phrases_of(self.parsed) if phrase.definite]
        describing = [phrase.attached.landmark for phrase in definite if phrase.attached and phrase.attached.landmark]
        return [phrase for phrase in dict.fromkeys([*definite, *describing]) if phrase.names_thing]

    def entity(self, phrase: NounPhrase) -> tuple[int, ...]:
        """The index of a phrase's entity, as parents of a claim about it."""
        index = claim_at(self.decomposition, phrase.head.span)
        return () if index is None else (index,)

    def proposal(
        self,
        change: Change,
        component: Component,
        operation: Operation,
        falsified: SemanticTuple,
        reason: str,
        *,
        subtype: str,
        distance: str = "",
    ) -> Proposal:
        return Proposal(Edit(change, component, operation, falsified, reason, subtype, self.decomposition.tuples), distance)

    def candidate(self, proposal: Proposal) -> Candidate:
        """The proposal as the screening chain sees it."""
        o = self.original
        return Candidate(proposal.edit, o.options, o.answers, o.siblings)


def in_turn(sources: Sequence[Iterator[Item]]) -> Iterator[Item]:
    """The first of each source, then the second of each, until all are empty."""
    waiting = list(sources)
    while waiting:
        for source in list(waiting):
            try:
                yield next(source)
            except StopIteration:
                waiting.remove(source)


def rewritten(text: str, phrase: NounPhrase, span: Span, new: str) -> Change:
    """A change inside a noun phrase. An indefinite article right before the changed words changes with them."""
    article = phrase.determiner
    if article is None or article.lower not in ("a", "an") or text[article.span.end : span.start].strip():
        return Change(text, span, new)
    if article.lower == english.article(new):
        return Change(text, span, new)
    return Change(text, Span(article.span.start, span.end), f"{english.article(new)} {new}")


def in_number_of(noun: str, model: str) -> str | None:
    """The noun in the number of another; None where it has no such form."""
    known = vocabulary.noun(noun)
    if not english.is_plural(model):
        return None if english.is_plural(noun) else noun
    return None if known is not None and known.mass else english.plural(noun)


def some(thing: str) -> str:
    """A thing as one that is taken for granted: "a striped bowl", "trumpets", "milk"."""
    known = vocabulary.noun(thing)
    bare = english.is_plural(thing) or (known is not None and known.mass)
    return thing if bare else f"{english.article(thing)} {thing}"


def claim(kind: TupleKind, parts: Sequence[str], parents: tuple[int, ...] = ()) -> SemanticTuple:
    return SemanticTuple(kind, tuple(parts), tuple(sorted(parents)))
