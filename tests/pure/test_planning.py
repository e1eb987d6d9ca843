"""Items are dealt so that nobody can learn "always absent": two hands in turn, lanes for each, the same seed the same deal."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.review.planning import Card, Dealt, deal


def cards(answerable: int, absent: int) -> list[Card]:
    return [Card(question=n, pair=n // 2, expected_answerable=n < answerable) for n in range(answerable + absent)]


def dealt(hand: list[Card], *, lanes: int = 4, seed: int = 7) -> list[Dealt]:
    return deal(hand, lanes=lanes, priority=1, votes_needed=3, extra_relation_votes=1, seed=seed)


hands = st.builds(cards, st.integers(0, 40), st.integers(0, 40))


@given(hands, st.sampled_from([2, 4, 6]))
def test_every_card_is_dealt_once_into_a_lane_of_its_own_kind(hand: list[Card], lanes: int) -> None:
    places = dealt(hand, lanes=lanes)
    assert sorted(place.card.question for place in places) == [card.question for card in hand]
    assert all(place.lane % 2 == (0 if place.card.expected_answerable else 1) for place in places)
    assert all(0 <= place.lane < lanes for place in places)
    assert all(0 <= place.shuffle_key < 2_147_483_647 for place in places)


@given(hands)
def test_the_lanes_of_one_hand_differ_by_one_card_at_most(hand: list[Card]) -> None:
    places = dealt(hand)
    for own in ((0, 2), (1, 3)):
        sizes = [sum(place.lane == lane for place in places) for lane in own]
        assert max(sizes) - min(sizes) <= 1


@given(hands, st.integers(0, 2**31))
def test_the_same_seed_deals_the_same(hand: list[Card], seed: int) -> None:
    assert dealt(hand, seed=seed) == dealt(hand, seed=seed)


def test_another_seed_deals_another_order() -> None:
    hand = cards(50, 50)
    assert dealt(hand, seed=1) != dealt(hand, seed=2)


def test_the_places_of_twins_do_not_tell_that_they_are_twins() -> None:
    hand = [Card(question=n, pair=n % 100, expected_answerable=n < 100) for n in range(200)]
    keys = {place.card.question: place.shuffle_key for place in dealt(hand)}
    nearer = sum(abs(keys[n] - keys[n + 100]) < abs(keys[n] - keys[(n + 37) % 100 + 100]) for n in range(100))
    assert 30 <= nearer <= 70


def test_a_coin_between_lanes_meets_answerable_and_absent_alike_while_both_last() -> None:
    places = dealt(cards(10, 90))
    assert {place.lane for place in places if place.card.expected_answerable} == {0, 2}
    assert {place.lane for place in places if not place.card.expected_answerable} == {1, 3}


def test_edits_of_a_relation_ask_for_one_vote_more() -> None:
    hand = [Card(1, 1, expected_answerable=False, relation_edit=True), Card(2, 2, expected_answerable=False)]
    assert {place.card.question: place.needed for place in dealt(hand)} == {1: 4, 2: 3}


def test_an_empty_hand_deals_nothing() -> None:
    assert dealt([]) == []
