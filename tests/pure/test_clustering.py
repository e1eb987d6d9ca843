"""Clusters from likenesses and rulings: what people ruled apart stays apart, and no order of arrival matters."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.images.clustering import Pair, clusters_of, pair_of

PICTURES = st.integers(1, 9)
PAIRS = st.tuples(PICTURES, PICTURES).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: pair_of(*pair))
LIKENESSES = st.dictionaries(PAIRS, st.floats(0.9, 1, allow_nan=False), max_size=14)
RULINGS = st.dictionaries(PAIRS, st.booleans(), max_size=8)


def together(found: dict[int, int], one: int, other: int) -> bool:
    return found[one] == found[other]


def test_a_cluster_is_named_by_its_oldest_picture() -> None:
    assert clusters_of([3, 5, 7, 9], {(5, 9): 0.95, (7, 9): 0.97}, {}) == {3: 3, 5: 5, 7: 5, 9: 5}


def test_a_split_holds_though_a_third_picture_links_both() -> None:
    found = clusters_of([1, 2, 3], {(1, 3): 0.95, (2, 3): 0.97, (1, 2): 0.99}, {(1, 2): False})
    assert found == {1: 1, 2: 2, 3: 2}, "the third goes where it resembles more"


def test_a_split_holds_through_a_chain_of_any_length() -> None:
    chain = {(number, number + 1): 0.95 + number / 1000 for number in range(1, 9)}
    found = clusters_of(range(1, 10), chain, {(1, 9): False})
    assert not together(found, 1, 9)
    assert found == {1: 1} | dict.fromkeys(range(2, 10), 2), "it breaks at the weakest link"


def test_people_join_what_no_likeness_joins() -> None:
    assert clusters_of([1, 2], {}, {(1, 2): True}) == {1: 1, 2: 1}


def test_a_ruling_that_joins_goes_before_a_stronger_likeness() -> None:
    rulings = {(1, 2): False, (1, 3): True}
    assert clusters_of([1, 2, 3], {(2, 3): 1.0}, rulings) == {1: 1, 2: 2, 3: 1}


def test_of_rulings_that_join_what_is_ruled_apart_the_newest_goes_first() -> None:
    rulings = {(1, 3): True, (1, 2): False, (2, 3): True}  # oldest first
    assert clusters_of([1, 2, 3], {}, rulings) == {1: 1, 2: 2, 3: 2}


def test_pictures_that_are_not_asked_for_are_left_out() -> None:
    assert clusters_of([1, 2], {(1, 9): 1.0, (2, 9): 1.0}, {(1, 8): False, (7, 8): True}) == {1: 1, 2: 2}


@given(LIKENESSES, RULINGS)
def test_no_pair_that_is_ruled_apart_is_ever_in_one_cluster(likenesses: dict[Pair, float], rulings: dict[Pair, bool]) -> None:
    found = clusters_of(range(1, 10), likenesses, rulings)
    assert all(same or not together(found, *pair) for pair, same in rulings.items())


@given(LIKENESSES, RULINGS, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(
    likenesses: dict[Pair, float], rulings: dict[Pair, bool], dice: random.Random
) -> None:
    shuffled = list(likenesses.items())
    dice.shuffle(shuffled)
    pictures = list(range(1, 10))
    dice.shuffle(pictures)
    assert clusters_of(pictures, dict(shuffled), rulings) == clusters_of(range(1, 10), likenesses, rulings)


@given(LIKENESSES, RULINGS)
def test_pictures_of_one_cluster_hang_together(likenesses: dict[Pair, float], rulings: dict[Pair, bool]) -> None:
    found = clusters_of(range(1, 10), likenesses, rulings)
    links = [pair for pair in {*likenesses, *rulings} if rulings.get(pair, True) and together(found, *pair)]
    for picture, name in found.items():
        reach = {picture}
        for _ in found:
            reach |= {other for pair in links for other in pair if not reach.isdisjoint(pair)}
        assert name in reach


@settings(max_examples=50)
@given(LIKENESSES)
def test_without_rulings_a_cluster_is_all_that_is_linked(likenesses: dict[Pair, float]) -> None:
    found = clusters_of(range(1, 10), likenesses, {})
    assert all(together(found, *pair) for pair in likenesses)
