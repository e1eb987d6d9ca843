"""The offline engine: parse, try every move, keep what passes the screening chain, hand out a mixed choice."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar

from annotation.generation.providers.base import Original, Proposal, Unsound
from annotation.generation.providers.offline.attributes import added_patterns, replaced_values
from annotation.generation.providers.offline.objects import added_landmarks, replaced_things
from annotation.generation.providers.offline.relations import exchanged_things, replaced_doings, replaced_relations
from annotation.generation.providers.offline.scene import Scene
from annotation.questions.decomposing import decompose
from annotation.questions.edits import Decomposition
from annotation.questions.grammar import parse
from annotation.questions.screening import Check, passed, screen

Move = Callable[[Scene], Iterator[Proposal]]

# One proposal of each move in a random order, then a second of each, and so on; additions last, because longer texts
# give themselves away.
MOVES: Sequence[Move] = (replaced_things, replaced_values, replaced_relations, exchanged_things, replaced_doings)
ADDITIONS: Sequence[Move] = (added_landmarks, added_patterns)
# How many proposals of one move are looked at: more only cost time, for the first ones are the likeliest to pass.
TRIES = 40


class OfflineEngine:
    """Rules only: the same original and seed give the same proposals on every machine. Takes no parameters."""

    name: ClassVar[str] = "offline"
    version: ClassVar[str] = "1"

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        del parameters

    def decompose(self, original: Original) -> Decomposition | Unsound:
        parsed = parse(original.text)
        if parsed is None:
            return Unsound("The closed grammar does not read this question.")
        return decompose(parsed)

    def edit(self, original: Original, decomposition: Decomposition, *, seed: int, wanted: int) -> list[Proposal]:
        parsed = parse(original.text)
        if parsed is None:
            return []
        scene = Scene(original, parsed, decomposition, random.Random(seed))  # noqa: S311 - a choice, not a secret
        moves = [*scene.rng.sample(MOVES, len(MOVES)), *ADDITIONS]
        columns = [_sound(scene, move, wanted) for move in moves]
        rounds = (column[at] for at in range(wanted) for column in columns if at < len(column))
        return list(islice(rounds, wanted))

    def verify(self, original: Original, proposal: Proposal) -> Sequence[Check]:
        """The edited text is still a question of the same family, so no answer type slipped."""
        before, after = parse(original.text), parse(proposal.edit.edited)
        same = before is not None and after is not None and before.family is after.family
        return (Check("offline-same-family", 1, same, None, "" if same else "The edit reads as another kind of question."),)


def _sound(scene: Scene, move: Move, wanted: int) -> list[Proposal]:
    tried = islice(move(scene), TRIES)
    return list(islice((proposal for proposal in tried if passed(screen(scene.candidate(proposal)))), wanted))
