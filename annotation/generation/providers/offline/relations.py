"""Relation edits: on for under, another doing, or the two things of a relation exchanged.

Directions are never flipped: ask what stands to the right instead of to the left, and something usually does. In counting
questions relations are left alone too, because they restrict what is counted.
"""

from collections.abc import Iterator

from annotation import english
from annotation.generation.providers.base import Proposal
from annotation.generation.providers.offline.scene import Scene, claim
from annotation.questions import vocabulary
from annotation.questions.decomposing import SOMETHING
from annotation.questions.edits import Change, Component, Operation, Span, TupleKind
from annotation.questions.grammar import Family
from annotation.questions.phrases import Attachment, NounPhrase


def replaced_relations(scene: Scene) -> Iterator[Proposal]:
    """ "What is lying on the beanbag?" becomes "What is lying under the beanbag?"."""
    tie = scene.parsed.where
    if scene.parsed.family is not Family.RELATION or tie is None or tie.relation is None or tie.landmark is None:
        return
    known = vocabulary.relations().get(tie.relation.lower)
    for new in known.false if known else ():
        yield _replaced(scene, tie, tie.landmark, new)


def replaced_doings(scene: Scene) -> Iterator[Proposal]:
    """ "Which dog is showing its tongue, …?" becomes "Which dog is wearing a hat, …?"."""
    kind, tie = scene.parsed.things.get("kind"), scene.parsed.where
    known = vocabulary.noun(kind.head.text) if kind else None
    if scene.parsed.family is not Family.CHOICE or kind is None or known is None or tie is None or tie.action is None:
        return
    doings = scene.shuffled(vocabulary.predicates().get(known.category, ()), {})
    for doing in doings:
        yield scene.proposal(
            Change(scene.original.text, tie.span, doing),
            Component.RELATION,
            Operation.REPLACE,
            claim(TupleKind.RELATION, [kind.head.text, doing], scene.entity(kind)),
            f"The question takes for granted that one {kind.head.text} is {doing}; none is.",
            subtype="action",
        )


def exchanged_things(scene: Scene) -> Iterator[Proposal]:
    """ "The beanbag under the drum" becomes "the drum under the beanbag". Only "under": the other way round is never
    true at the same time, and both things stay what they are."""
    for phrase in scene.taken_for_granted():
        tie = phrase.attached
        if tie is None or tie.landmark is None or tie.relation is None or tie.landmark.attached is not None:
            continue
        known = vocabulary.relations().get(tie.relation.lower)
        same_number = english.is_plural(phrase.head.text) == english.is_plural(tie.landmark.head.text)
        if known is not None and known.kind == "under" and same_number and phrase.owner is None and tie.landmark.owner is None:
            yield _exchanged(scene, phrase, tie.relation.text, tie.landmark)


def _replaced(scene: Scene, tie: Attachment, landmark: NounPhrase, new: str) -> Proposal:
    assert tie.relation is not None
    subject = next((scene.parsed.things[name] for name in ("owner", "kind") if name in scene.parsed.things), None)
    name = subject.label if subject else SOMETHING
    doing = f"{vocabulary.as_going_on(tie.action.lower)} {new}" if tie.action else new
    parents = scene.entity(landmark) + (scene.entity(subject) if subject else ())
    return scene.proposal(
        Change(scene.original.text, tie.relation.span, new),
        Component.RELATION,
        Operation.REPLACE,
        claim(TupleKind.RELATION, [name, doing, landmark.label], parents),
        f"The question takes for granted that {_one(subject)} is {doing} the {landmark.label}; "
        f"{'it is not' if subject else 'nothing is'}.",
        subtype="spatial",
    )


def _exchanged(scene: Scene, phrase: NounPhrase, relation: str, landmark: NounPhrase) -> Proposal:
    text = scene.original.text
    first = Span((phrase.modifiers or (phrase.head,))[0].span.start, phrase.head.span.end)
    second = Span((landmark.modifiers or (landmark.head,))[0].span.start, landmark.head.span.end)
    new = second.of(text) + text[first.end : second.start] + first.of(text)
    return scene.proposal(
        Change(text, Span(first.start, second.end), new),
        Component.RELATION,
        Operation.SWAP,
        claim(TupleKind.RELATION, [landmark.label, relation, phrase.label], scene.entity(phrase) + scene.entity(landmark)),
        f"The question takes for granted that the {landmark.label} is {relation} the {phrase.label}; it is the other way round.",
        subtype="exchange",
    )


def _one(subject: NounPhrase | None) -> str:
    if subject is None:
        return SOMETHING
    return f"the {subject.label}" if subject.definite else f"{english.article(subject.label)} {subject.label}"
