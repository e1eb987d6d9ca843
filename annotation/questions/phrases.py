"""Noun phrases and what is attached to them, read from left to right by closed rules; None where a rule does not fit.

    the red brushes   to the right of   the woman's basket   on the table
    └── head ──────┘  └── attached: relation, landmark (owner: the woman; attached: on, the table)

Everything keeps its span in the question's text, so that an edit can point at exactly the words it changes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.english import wordset
from annotation.questions import vocabulary
from annotation.questions.edits import Span

TOKEN = re.compile(r"[^\s?.,!;:\"]+")
DETERMINERS = wordset("the a an its his her their this that these those")
DEFINITE = wordset("the its his her their this that these those")
PLACES = wordset(
    "top bottom upper lower left right middle center centre front back rear background foreground far "
    "corner side half part edge end side hand left-hand right-hand"
)
# Words that end a noun phrase or make it something else; a head that holds one of them does not parse.
NOT_NOUNS = wordset(
    "is are was were be been being am do does did has have had could may might will would shall should must not no "
    "what which who whom whose where when why how there here and or but if as than that it they he she we you i to "
    "see seen visible many much more most according made "
    "in on at of with without under above below behind"
)
ING_NOUNS = wordset("building painting ceiling railing awning string ring wing king clothing swing earring thing pudding")


@dataclass(frozen=True)
class Word:
    """One word or fixed phrase of the text. `dimension` is set for known adjectives."""

    text: str
    span: Span
    dimension: str = ""

    @property
    def lower(self) -> str:
        return self.text.lower()


@dataclass(frozen=True)
class NounPhrase:
    """A thing as the question names it."""

    span: Span
    determiner: Word | None
    owner: "NounPhrase | None"
    modifiers: tuple[Word, ...]
    head: Word
    attached: "Attachment | None" = None

    @property
    def definite(self) -> bool:
        """Whether the phrase takes the thing's existence for granted."""
        return self.owner is not None or (self.determiner is not None and self.determiner.lower in DEFINITE)

    @property
    def is_frame(self) -> bool:
        return self.head.lower.split()[-1] in vocabulary.FRAME

    @property
    def is_part(self) -> bool:
        """Whether the head only names a part or an amount of its landmark ("the rim of the cup")."""
        return self.attached is not None and self.head.lower in vocabulary.PARTS | vocabulary.AMOUNTS

    @property
    def names_thing(self) -> bool:
        return not (self.is_frame or self.is_part or self.head.dimension or self.head.lower == "one")

    @property
    def label(self) -> str:
        """The thing with its adjectives: "teal brush"."""
        return " ".join([*(word.lower for word in self.modifiers), self.head.text])

    def within(self) -> Iterator["NounPhrase"]:
        """This phrase, its owner, its landmark, and theirs."""
        yield self
        for inner in (self.owner, self.attached.landmark if self.attached else None):
            if inner is not None:
                yield from inner.within()


@dataclass(frozen=True)
class Attachment:
    """What ties a thing to another: an action, a relation, or both, and the landmark (None for "on the left")."""

    span: Span
    action: Word | None
    relation: Word | None
    landmark: NounPhrase | None


def noun_phrase(text: str, span: Span) -> NounPhrase | None:
    """The whole span as one noun phrase."""
    words = _words(text, span)
    phrase, at = _phrase(text, words, 0)
    return phrase if at == len(words) else None


def attachment(text: str, span: Span) -> Attachment | None:
    """The whole span as one attachment: "lying on the table", "under the drum", "on the left"."""
    words = _words(text, span)
    found, at = _attachment(text, words, 0)
    return found if at == len(words) else None


def _words(text: str, span: Span) -> list[Word]:
    return [_word(text, Span(m.start(), m.end())) for m in TOKEN.finditer(text, span.start, span.end)]


def _word(text: str, span: Span) -> Word:
    value = vocabulary.values().get(span.of(text).lower())
    return Word(span.of(text), span, value.dimension if value else "")


def _joined(text: str, words: Sequence[Word]) -> Word:
    return _word(text, Span(words[0].span.start, words[-1].span.end))


def _phrase(text: str, words: list[Word], at: int) -> tuple[NounPhrase | None, int]:
    start = at
    determiner = words[at] if at < len(words) and words[at].lower in DETERMINERS else None
    at += determiner is not None
    owner, after = _owner(text, words, start)
    if owner is not None:
        determiner, at = None, after
    end = _run_end(words, at)
    run = words[at:end]
    if not run or not _nominal(run):
        return None, start
    modifiers, head = _split_run(text, run, determiner is not None)
    attached, after = _attachment(text, words, end)
    last = attached.span.end if attached else head.span.end
    return NounPhrase(Span(words[start].span.start, last), determiner, owner, modifiers, head, attached), after


def _owner(text: str, words: list[Word], start: int) -> tuple[NounPhrase | None, int]:
    """The possessor in front: "the little girl's" of "the little girl's shirt"."""
    end = _run_end(words, start + (words[start].lower in DETERMINERS) if start < len(words) else start)
    for at in range(start, end):
        bare = re.sub(r"['’]s$|(?<=s)['’]$", "", words[at].text)
        if bare != words[at].text:
            name = Word(bare, Span(words[at].span.start, words[at].span.start + len(bare)), words[at].dimension)
            phrase, after = _phrase(text, [*words[start:at], name], 0)
            return (phrase, at + 1) if phrase and after == at - start + 1 else (None, start)
    return None, start


def _run_end(words: list[Word], at: int) -> int:
    """Where the run of adjectives and nouns ends: at the end of the words or where an attachment begins.

    A first word such as "inside" or "top" is a part ("the inside of the cup"), not a preposition.
    """
    first = at
    at += at < len(words) and words[at].lower in vocabulary.PARTS  # bool counts as 0 or 1
    while at < len(words) and not _relation_length(words, at) and not _begins_action(words[first : at + 1]):
        at += 1
    return at


def _begins_action(run: list[Word]) -> bool:
    """Whether the last word is what the noun before it does: "the dog sitting". Before any noun it is an adjective."""
    *before, word = run
    return any(not other.dimension for other in before) and vocabulary.is_participle(word.lower) and not _ing_noun(word)


def _nominal(run: list[Word]) -> bool:
    if any(word.lower in NOT_NOUNS or word.lower in DETERMINERS or "'" in word.text for word in run):
        return False
    return not any(word.lower.endswith("ing") and not _ing_noun(word) for word in run[1:])


def _ing_noun(word: Word) -> bool:
    return word.lower in ING_NOUNS or vocabulary.noun(word.text) is not None


def _split_run(text: str, run: list[Word], determined: bool) -> tuple[tuple[Word, ...], Word]:
    """Adjectives and head. A lone colour or material is a thing after an article ("the glass"), else what it says
    ("in blue")."""
    count = next((at for at, word in enumerate(run) if not word.dimension), len(run) - 1)
    head = _joined(text, run[count:])
    if determined and head.dimension in vocabulary.REPLACEABLE:
        head = Word(head.text, head.span)
    return tuple(run[:count]), head


def _attachment(text: str, words: list[Word], at: int) -> tuple[Attachment | None, int]:
    start = at
    action = words[at] if at < len(words) and words[at].lower in vocabulary.actions() else None
    at += action is not None
    if spot := _spot_length(words, at):
        return Attachment(_span(words, start, at + spot), action, _joined(text, words[at : at + spot]), None), at + spot
    length = _relation_length(words, at)
    if action is None and not length:
        return None, start
    relation = _joined(text, words[at : at + length]) if length else None
    landmark, after = _phrase(text, words, at + length)
    if landmark is None:
        return None, start
    return Attachment(_span(words, start, after), action, relation, landmark), after


def _span(words: list[Word], start: int, end: int) -> Span:
    return Span(words[start].span.start, words[end - 1].span.end)


def _relation_length(words: list[Word], at: int) -> int:
    """How many words from here are one relation, longest first: "to the left of" is one."""
    if (places := _places_end(words, at)) and places < len(words) and words[places].lower == "of":
        return places + 1 - at
    lengths = (n for n in (3, 2, 1) if " ".join(w.lower for w in words[at : at + n]) in vocabulary.relations())
    return next((n for n in lengths if len(words) >= at + n), 0)


def _spot_length(words: list[Word], at: int) -> int:
    """How many words from here name a place in the picture: "at the bottom left", "in the middle of the image"."""
    places = _places_end(words, at)
    if not places:
        return 0
    rest = [word.lower for word in words[places : places + 3]]
    if len(rest) == 3 and rest[:2] == ["of", "the"] and rest[2] in vocabulary.FRAME:
        return places + 3 - at
    return 0 if rest[:1] == ["of"] or (rest and not _relation_length(words, places)) else places - at


def _places_end(words: list[Word], at: int) -> int:
    """The end of "to the left", "at the bottom right corner"; 0 where none begins here."""
    if [word.lower for word in words[at : at + 2]] not in (["at", "the"], ["in", "the"], ["on", "the"], ["to", "the"]):
        return 0
    end = at + 2
    while end < len(words) and words[end].lower in PLACES:
        end += 1
    return end if end > at + 2 else 0
