"""How the items of a campaign are dealt (pure): lanes, order, votes needed.

People must not be able to learn "always absent", so the lanes are filled from two hands in turn: questions that are
expected to be answerable and those that are not. Claiming tosses a coin between lanes, which keeps the answerable
share near one half for each person without claiming ever knowing a truth.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Card:
    """One question to be dealt. `pair` is the same number for twins; `expected` is how it will probably be decided."""

    question: int
    pair: int
    expected_answerable: bool
    relation_edit: bool = False
    colour_question: bool = False


@dataclass(frozen=True, slots=True)
class Dealt:
    """Where one question goes: lane and priority for claiming, a random place in the lane, and the votes needed."""

    card: Card
    lane: int
    priority: int
    shuffle_key: int
    needed: int


def deal(
    cards: Sequence[Card], *, lanes: int, priority: int, votes_needed: int, extra_relation_votes: int, seed: int
) -> list[Dealt]:
    """Deal each card once. Even lanes take the expected-answerable, odd lanes the others; the same seed deals the same."""
    dice = random.Random(seed)  # noqa: S311  # a shuffle that can be repeated, not a secret
    hands = {True: [card for card in cards if card.expected_answerable], False: [c for c in cards if not c.expected_answerable]}
    dealt = []
    for answerable, hand in hands.items():
        own_lanes = range(0 if answerable else 1, lanes, 2)
        dice.shuffle(hand)
        for place, card in enumerate(hand):
            needed = votes_needed + (extra_relation_votes if card.relation_edit else 0)
            dealt.append(Dealt(card, own_lanes[place % len(own_lanes)], priority, dice.randrange(2_147_483_647), needed))
    return dealt
