"""Recognising an edit that somebody else made: which original it comes from, what changed, and in which component.

HARDBench's rows say that a question is unanswerable, not how it was made. The original is the question about the same
picture from which one phrase leads to it. Pure; where the rules do not suffice, the row is refused, never guessed.
"""

from collections.abc import Iterable

from annotation.errors import Invalid
from annotation.questions import vocabulary
from annotation.questions.decomposing import SOMETHING, decompose
from annotation.questions.edits import Change, Component, Edit, Operation, SemanticTuple, Span, TupleKind, one_span_difference
from annotation.questions.grammar import parse
from annotation.questions.screening import MOST_WORDS, MOST_WORDS_SWAPPED

COMPONENTS = {
    TupleKind.ENTITY: Component.OBJECT,
    TupleKind.RELATION: Component.RELATION,
    TupleKind.ATTRIBUTE: Component.ATTRIBUTE,
}


class NoOriginal(Invalid):
    """No question about the same picture leads to the edited one by changing one phrase."""

    code = "no-original"


class SeveralOriginals(Invalid):
    """Two questions about the same picture lead to the edited one equally well."""

    code = "several-originals"


def nearest_original(edited: str, originals: Iterable[str]) -> str:
    """The original of an edited text: the one with the smallest change. Raises NoOriginal, SeveralOriginals."""
    changes = [one_span_difference(text, edited) for text in originals if text != edited]
    near = sorted((_size(change), change.text) for change in changes if is_one_phrase(change))
    if not near:
        raise NoOriginal(
            "No question about this picture leads to this one by changing one phrase: "
            "add its original (the answerable question) to the file or import it first.",
            field="question",
        )
    if len(near) > 1 and near[0][0] == near[1][0]:
        raise SeveralOriginals(
            f"Two originals are equally near: “{near[0][1]}” and “{near[1][1]}”. Keep the one it was made from.", field="question"
        )
    return near[0][1]


def recognised(original: str, edited: str, reason: str) -> Edit:
    """The edit between two texts. Its component is that of the claim which the new words make.

    Raises Invalid (WrongOperation, NoDifference) where the change is no ORA edit, such as words only taken away.
    """
    change = one_span_difference(original, edited)
    claims = _claims(edited, change)
    falsified = claims[0] if claims else _claim_by_words(change)
    return Edit(
        change=change,
        component=COMPONENTS[falsified.kind],
        operation=_operation(change),
        falsified=falsified,
        reason=reason,
    )


def is_one_phrase(change: Change) -> bool:
    """Whether a change is one phrase of a question that else stays the same, or the same words in another order."""
    old, new = change.old.split(), change.new.split()
    if _swapped(change):
        return len(old) <= MOST_WORDS_SWAPPED
    whole = len(change.text.split())
    kept = whole - len(old)
    return max(len(old), len(new)) <= MOST_WORDS and 2 * kept >= max(whole, kept + len(new))


def _size(change: Change) -> int:
    return len(change.old.split()) + len(change.new.split())


def _swapped(change: Change) -> bool:
    old, new = change.old.lower().split(), change.new.lower().split()
    return len(old) > 1 and sorted(old) == sorted(new)


def _operation(change: Change) -> Operation:
    if _swapped(change):
        return Operation.SWAP
    # Beside what stays: "the kettle" -> "the red kettle", "the kettle" -> "the kettle on the stove".
    return Operation.ADD if not change.old.strip() else Operation.REPLACE


def _claims(edited: str, change: Change) -> list[SemanticTuple]:
    """The claims of the edited text that its new words make, the most specific first."""
    parsed = parse(edited)
    if parsed is None:
        return []
    new = Span(change.span.start, change.span.start + len(change.new.rstrip()))
    touched = [claim for claim in decompose(parsed).tuples if claim.span and claim.span.overlaps(new)]
    return sorted(touched, key=lambda claim: _overlap(claim, new), reverse=True)


def _overlap(claim: SemanticTuple, new: Span) -> int:
    assert claim.span is not None
    return min(claim.span.end, new.end) - max(claim.span.start, new.start)


def _claim_by_words(change: Change) -> SemanticTuple:
    """Without a parse: what the new words are by the vocabulary; a thing where it does not know them."""
    words = [word.strip("?.,!").lower() for word in change.new.split()] or [change.old.lower()]
    phrase = " ".join(words)
    if all(word in vocabulary.values() for word in words):
        return SemanticTuple(TupleKind.ATTRIBUTE, (SOMETHING, phrase))
    if phrase in vocabulary.relations() or words[0] in vocabulary.relations() or vocabulary.points_somewhere(words[-1]):
        return SemanticTuple(TupleKind.RELATION, (SOMETHING, phrase))
    return SemanticTuple(TupleKind.ENTITY, (phrase,))
