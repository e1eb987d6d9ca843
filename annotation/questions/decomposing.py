"""From a parsed question to its atomic claims, and from a claim to the check question that people answer.

What color is the beanbag under the red drum?
0 entity (beanbag)   1 entity (drum)   2 attribute (drum, red) <- 1   3 relation (beanbag, under, drum) <- 0, 1
"""

from annotation import english
from annotation.questions import vocabulary
from annotation.questions.edits import Decomposition, SemanticTuple, Span, TupleKind
from annotation.questions.grammar import ParsedQuestion, parse
from annotation.questions.phrases import Attachment, NounPhrase

SOMETHING = "something"
HAS = "has"
# Who a question's {where} speaks of, first match wins: "how many dogs are …", "what fruit is …", "what is the man …".
SUBJECTS = ("owner", "counted", "kind")


def decompose(parsed: ParsedQuestion) -> Decomposition:
    """All claims that a question takes for granted, parents before children. The frame ("the image") claims nothing."""
    claims = _Claims()
    for phrase in sorted(parsed.things.values(), key=lambda thing: thing.span):
        claims.of_phrase(phrase)
    if parsed.where is not None:
        subject = next((parsed.things[name] for name in SUBJECTS if name in parsed.things), None)
        claims.of_attachment(parsed.where, subject)
    return Decomposition(parsed.text, tuple(claims.found))


def check_questions(text: str) -> tuple[str, ...]:
    """What people may check about a question, original or edited alike, in one order; none where it cannot be read."""
    parsed = parse(text)
    return tuple(dict.fromkeys(map(check_question, decompose(parsed).tuples))) if parsed else ()


def claim_at(decomposition: Decomposition, span: Span) -> int | None:
    """The index of the claim that stands exactly on a span."""
    return next((index for index, claim in enumerate(decomposition.tuples) if claim.span == span), None)


def check_question(claim: SemanticTuple) -> str:
    """A yes/no question that a person answers about one claim, after DSG. It never says whether yes is expected."""
    match claim.kind, claim.parts:
        case TupleKind.ENTITY, (thing,):
            return f"Is there {_indefinite(thing)}?" if _is_one(thing) else f"Are there {thing}?"
        case TupleKind.ATTRIBUTE, (thing, value) if _picks(value):
            return f"Is one {thing} the {value} one?" if _is_one(thing) else f"Are some {thing} the {value} ones?"
        case TupleKind.ATTRIBUTE, (thing, value):
            return f"{_be(thing)} the {thing} {value}?"
        case TupleKind.RELATION, (owner, relation, thing) if relation == HAS:
            return f"{'Does' if _is_one(owner) else 'Do'} the {owner} have {_indefinite(thing)}?"
        case _, (subject, *rest):
            return f"{_be(subject)} {_the(subject)} {' '.join([rest[0], *map(_the, rest[1:])])}?"
    raise ValueError(f"A claim has parts, {claim!r} has none.")


class _Claims:
    """The claims found so far; a method returns the index of the entity it speaks of, None where there is none."""

    def __init__(self) -> None:
        self.found: list[SemanticTuple] = []

    def of_phrase(self, phrase: NounPhrase) -> int | None:
        if phrase.is_part and phrase.head.lower in vocabulary.AMOUNTS and phrase.attached and phrase.attached.landmark:
            return self.of_phrase(phrase.attached.landmark)
        if not (phrase.names_thing or phrase.is_part):
            return None
        entity = self._add(TupleKind.ENTITY, (phrase.head.text,), (), phrase.head.span)
        for modifier in phrase.modifiers:
            self._add(TupleKind.ATTRIBUTE, (phrase.head.text, modifier.lower), (entity,), modifier.span)
        if phrase.owner is not None:
            owner = self.of_phrase(phrase.owner)
            self._add(TupleKind.RELATION, (phrase.owner.label, HAS, phrase.head.text), (owner, entity), phrase.owner.span)
        if phrase.attached is not None:
            self._tie(phrase.attached, phrase.label, entity)
        return entity

    def of_attachment(self, tie: Attachment, subject: NounPhrase | None) -> None:
        entity = None if subject is None else claim_at(Decomposition("", tuple(self.found)), subject.head.span)
        self._tie(tie, SOMETHING if subject is None or entity is None else subject.label, entity)

    def _tie(self, tie: Attachment, name: str, entity: int | None) -> None:
        if tie.landmark is None:
            self._add(TupleKind.RELATION, (name, relation_text(tie)), (entity,), relation_span(tie))
        elif tie.landmark.head.dimension:
            self._add(TupleKind.ATTRIBUTE, (name, tie.landmark.head.lower), (entity,), tie.landmark.head.span)
        elif not tie.landmark.is_frame:
            landmark, of = self.of_phrase(tie.landmark), relation_text(tie) == "of"
            parts = (tie.landmark.label, HAS, name) if of else (name, relation_text(tie), tie.landmark.label)
            self._add(TupleKind.RELATION, parts, (entity, landmark), relation_span(tie))

    def _add(self, kind: TupleKind, parts: tuple[str, ...], parents: tuple[int | None, ...], span: Span) -> int:
        self.found.append(SemanticTuple(kind, parts, tuple(sorted(at for at in parents if at is not None)), span))
        return len(self.found) - 1


def relation_text(tie: Attachment) -> str:
    """How two things are related, in words that follow "is": "lying on", "crossing", "at the bottom left"."""
    words = ([vocabulary.as_going_on(tie.action.lower)] if tie.action else []) + ([tie.relation.lower] if tie.relation else [])
    return " ".join(words)


def relation_span(tie: Attachment) -> Span:
    """The words of action and relation, without the landmark."""
    present = [word.span for word in (tie.action, tie.relation) if word is not None]
    return Span(present[0].start, present[-1].end)


def _picks(value: str) -> bool:
    """Whether a value picks one of several ("upper", "largest") rather than describing it."""
    known = vocabulary.values().get(value)
    return known is not None and known.dimension in ("position", "order")


def _is_one(thing: str) -> bool:
    return not english.is_plural(thing)


def _be(thing: str) -> str:
    return "Is" if _is_one(thing) else "Are"


def _the(thing: str) -> str:
    return thing if thing == SOMETHING else f"the {thing}"


def _indefinite(thing: str) -> str:
    known = vocabulary.noun(thing)
    if not _is_one(thing):
        return thing
    return f"any {thing}" if known is not None and known.mass else f"{english.article(thing)} {thing}"
