"""A generated scene's plan: the same seed gives the same one, and everything in it can be decided."""

from collections import Counter

import pytest

from annotation.demo.scenes import art
from annotation.demo.scenes.families import FAMILIES
from annotation.demo.scenes.kinds import KINDS
from annotation.demo.scenes.planning import LEAST_SEEN, plan

SEEDS = (1, 2, 3)
CASES = [(family, seed) for family in FAMILIES for seed in SEEDS]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_seed_gives_the_same_scene_and_another_seed_another(family: str) -> None:
    assert plan(family, 5, 2000) == plan(family, 5, 2000)
    assert plan(family, 5, 2000).things != plan(family, 6, 2000).things


@pytest.mark.parametrize("family", FAMILIES)
def test_a_scene_holds_the_same_things_at_every_size(family: str) -> None:
    small, large = plan(family, 1, 1000), plan(family, 1, 10_000)
    assert [(one.kind, one.colour, one.label, one.carrier) for one in small.things] == [
        (one.kind, one.colour, one.label, one.carrier) for one in large.things
    ]


@pytest.mark.parametrize(("family", "seed"), CASES)
def test_every_box_lies_inside_the_picture(family: str, seed: int) -> None:
    scene = plan(family, seed, 3000)
    assert all(one.box.within(scene.width, scene.height) for one in scene.things)


@pytest.mark.parametrize(("family", "seed"), CASES)
def test_of_every_thing_enough_is_seen_to_decide_that_it_is_there(family: str, seed: int) -> None:
    for one in plan(family, seed, 10_000).things:
        assert one.seen >= (LEAST_SEEN - 0.1 if one.inside is None and one.held_by is None else 0.15), one


@pytest.mark.parametrize(("family", "seed"), CASES)
def test_things_know_what_carries_them_by_their_place_in_the_scene(family: str, seed: int) -> None:
    scene = plan(family, seed, 3000)
    assert [one.id for one in scene.things] == list(range(len(scene.things)))
    carried = [one for one in scene.things if one.carrier is not None]
    assert carried
    for one in carried:
        carrier = scene.thing(one.carrier)
        assert carrier.ground == one.ground
        assert one.held_by is None or carrier.kind == "person"
        assert one.box.shares(carrier.box) or one.on is not None


@pytest.mark.parametrize(("family", "seed"), CASES)
def test_a_scene_is_crowded_and_rich(family: str, seed: int) -> None:
    scene = plan(family, seed, 3000)
    kinds = Counter(one.kind for one in scene.things)
    assert len(scene.things) > 250
    assert len(kinds) >= 15


@pytest.mark.parametrize(("family", "seed"), CASES)
def test_a_scene_has_distractors(family: str, seed: int) -> None:
    """Something absent that belongs there, and a kind and a color that are both there but never together."""
    scene = plan(family, seed, 3000)
    here = {one.kind for one in scene.things}
    assert set(FAMILIES[family].kinds) - here
    together = {(one.kind, one.colour) for one in scene.things if one.colour}
    colours = {colour for _, colour in together}
    assert any((kind, colour) not in together for kind, _ in together for colour in colours & set(KINDS[kind].colours))


def test_every_kind_of_every_family_is_known_and_drawn() -> None:
    for family in FAMILIES.values():
        assert len(family.kinds) >= 15
        assert set(family.kinds) <= set(KINDS)
    for kind in KINDS.values():
        assert all(art.aspect(kind.name, variant) > 0 for variant in range(kind.variants))


def test_every_drawing_is_used_by_a_kind() -> None:
    used = {f"{art.stem(kind.name, variant)}.svg" for kind in KINDS.values() for variant in range(kind.variants)}
    assert {path.name for path in art.FOLDER.iterdir()} == used
