"""Object edits: another thing in place of one that the question takes for granted, or a landmark that is not there.

A thing is only taken from the known vocabulary, because only there its kin are known; the pool says how often. Things
that are in most pictures (people, walls, sky) never stand for absent ones.
"""

from collections.abc import Iterator

from annotation import english
from annotation.english import wordset
from annotation.generation.providers.base import Proposal
from annotation.generation.providers.offline.scene import Scene, claim, in_number_of, in_turn, rewritten, some
from annotation.questions import vocabulary
from annotation.questions.edits import Change, Component, Operation, Span, TupleKind
from annotation.questions.grammar import Asks, Family
from annotation.questions.phrases import Attachment, NounPhrase
from annotation.questions.presence import kin_of

NEAR, TOGETHER, FAR = "near", "co-occurring", "far"

# What is asked of these can only be asked of a thing of the same kind.
ASKED_OF_KIND = wordset("breed species pose gender age shape style type brand name title")
WORN = wordset("clothing bag carried")
# Kinds that may take the place of any other thing without making nonsense.
ANYWHERE = wordset("vehicle boat container device furniture textile bag carried tool toy sport music text building street animal")
LANDMARKS = wordset("building street vehicle boat water land")
FLYING = wordset("bird kite balloon parachute paraglider airplane helicopter drone cloud butterfly")
HOLDING = ("support", "containment", "under")


def replaced_things(scene: Scene) -> Iterator[Proposal]:
    """The presupposed things, in turn, each replaced by others; frequent ones and those of the same kind come first."""
    things = scene.taken_for_granted()
    yield from in_turn([_replacements(scene, phrase) for phrase in scene.rng.sample(things, len(things))])


def added_landmarks(scene: Scene) -> Iterator[Proposal]:
    """A counting question that takes no thing for granted gets a definite landmark, which is not there.

    "How many kites are there?" becomes "How many kites are there above the lighthouse?". Without the lighthouse there is
    no answer, while "How many drones are there?" would only have the answer 0.
    """
    counted = scene.parsed.things.get("counted")
    if scene.parsed.family is not Family.COUNT or counted is None or scene.taken_for_granted():
        return
    relation = "above" if english.singular(counted.head.lower) in FLYING else "next to"
    fitting = [name for name, noun in vocabulary.nouns().items() if noun.category in LANDMARKS and not noun.common]
    for name in scene.shuffled(fitting, scene.original.pool.nouns):
        if kin_of(name, scene.said) is None:
            yield _landmark(scene, counted, f"{relation} the {vocabulary.nouns()[name].name}", name)


def _replacements(scene: Scene, phrase: NounPhrase) -> Iterator[Proposal]:
    return (_replaced(scene, phrase, noun, distance) for noun, distance in _substitutes(scene, phrase))


def _replaced(scene: Scene, phrase: NounPhrase, noun: str, distance: str) -> Proposal:
    described = [word.lower for word in phrase.modifiers if word.dimension not in ("position", "order")]
    label = " ".join([*described, noun])
    of_owner = f" of the {phrase.owner.label}" if phrase.owner else ""
    none = "there are none" if english.is_plural(noun) else "there is none"
    return scene.proposal(
        rewritten(scene.original.text, phrase, phrase.head.span, noun),
        Component.OBJECT,
        Operation.REPLACE,
        claim(TupleKind.ENTITY, [noun]),
        f"The question takes for granted {some(label)}{of_owner}; {none} in the picture.",
        subtype="thing",
        distance=distance,
    )


def _landmark(scene: Scene, counted: NounPhrase, words: str, name: str) -> Proposal:
    at = _after_there(scene) or counted.span.end
    return scene.proposal(
        Change(scene.original.text, Span(at, at), f" {words}"),
        Component.OBJECT,
        Operation.ADD,
        claim(TupleKind.ENTITY, [name]),
        f"The question takes for granted {some(name)}; there is none in the picture.",
        subtype="landmark",
        distance=_distance(scene, counted.head.text, name),
    )


def _after_there(scene: Scene) -> int | None:
    """Where a landmark reads best: at the end of "… are there", unless a place follows."""
    text = scene.original.text.rstrip(" ?.")
    ends = ("there", "visible", "seen", "see", "shown")
    return len(text) if scene.parsed.where is None and text.lower().endswith(ends) else None


def _substitutes(scene: Scene, phrase: NounPhrase) -> Iterator[tuple[str, str]]:
    old = vocabulary.noun(phrase.head.text)
    kinds = _kinds(scene, phrase, old.category if old else "")
    options = {option.strip().lower() for option in scene.original.options}
    fitting = [name for name, noun in vocabulary.nouns().items() if noun.category in kinds and not noun.common]
    similar = [name for name in fitting if old is not None and vocabulary.nouns()[name].category == old.category]
    for name in scene.shuffled(fitting, scene.original.pool.nouns, similar):
        noun = in_number_of(vocabulary.nouns()[name].name, phrase.head.text)
        if noun is not None and name not in options and kin_of(name, scene.said) is None:
            yield noun, _distance(scene, phrase.head.text, name)


def _kinds(scene: Scene, phrase: NounPhrase, own: str) -> frozenset[str]:
    """The kinds of things that may stand where a thing stands, so that the question still makes sense."""
    if not own:
        return frozenset() if phrase.determiner is not None and phrase.determiner.lower != "the" else ANYWHERE
    if not _bound_to_kind(scene, phrase):
        return ANYWHERE | {own}
    return WORN if own in WORN else frozenset({own})


def _bound_to_kind(scene: Scene, phrase: NounPhrase) -> bool:
    """Whether only a thing of the same kind makes sense here: it is owned, it holds or is held, or the question asks
    what can only be asked of its kind."""
    parsed = scene.parsed
    asked = parsed.words["asked"].lower if "asked" in parsed.words else ""
    tied = any(_holds(tie) and tie.landmark == phrase for tie in _ties(scene)) or (phrase.attached and _holds(phrase.attached))
    acting = "doing" in parsed.words or "verb" in parsed.words
    described = parsed.family is Family.CHOICE and not asked and "one" not in parsed.things
    special = asked in ASKED_OF_KIND or parsed.asks is Asks.TEXT or acting or described
    return bool(phrase.owner or tied or special)


def _ties(scene: Scene) -> list[Attachment]:
    phrases = [inner for top in scene.parsed.things.values() for inner in top.within()]
    where = scene.parsed.where
    phrases += list(where.landmark.within()) if where and where.landmark else []
    return [p.attached for p in phrases if p.attached] + ([where] if where else [])


def _holds(tie: Attachment) -> bool:
    """Whether a tie asks for a fitting pair: on, in, under, of, with, or a verb ("wine in the glass")."""
    known = vocabulary.relations().get(tie.relation.lower) if tie.relation else None
    return known is None or known.kind in (*HOLDING, "belonging", "path") or tie.action is not None


def _distance(scene: Scene, old: str, new: str) -> str:
    first, second = vocabulary.noun(old), vocabulary.noun(new)
    if first is not None and second is not None and first.category == second.category:
        return NEAR
    return TOGETHER if scene.original.pool.meet(english.singular(old.lower()), new) else FAR
