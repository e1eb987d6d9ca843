"""The offline editor: how much it yields, and what it never does. `pytest -s` prints the measured yields."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from annotation.generation.providers.base import Original, Proposal, Unsound
from annotation.generation.providers.registry import load
from annotation.questions.edits import Component, Operation
from annotation.questions.grammar import asks, parse
from annotation.questions.options import chosen_option, edited_options, split_prompt
from annotation.questions.pools import Pool, pool_of
from annotation.questions.screening import Candidate, Sibling, passed, screen

TESTS = Path(__file__).parents[1]
DEMO = TESTS.parent / "annotation" / "demo" / "demo_questions.jsonl"
VSTAR = TESTS / "data" / "vstar_bench_test_questions.jsonl"
ENGINE = load("offline", {})


def rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def demo_originals() -> list[Original]:
    by_image = defaultdict(list)
    for row in rows(DEMO):
        by_image[row["image"]].append(row)
    pool = pool_of(row["question"] for row in rows(DEMO))
    return [
        Original(
            row["question"],
            answers=(row["answer"],),
            siblings=tuple(Sibling(o["question"], (o["answer"],)) for o in by_image[row["image"]] if o is not row),
            pool=pool,
        )
        for row in rows(DEMO)
    ]


def vstar_originals() -> list[Original]:
    prompts = [(row, split_prompt(row["text"])) for row in rows(VSTAR)]
    pool = pool_of(prompt.stem for _, prompt in prompts)
    return [
        Original(prompt.stem, prompt.options, (chosen_option(row["label"], prompt.options) or "",), (), pool)
        for row, prompt in prompts
    ]


def proposals(original: Original, seed: int = 7, wanted: int = 4) -> list[Proposal]:
    taken_apart = ENGINE.decompose(original)
    if isinstance(taken_apart, Unsound):
        return []
    return ENGINE.edit(original, taken_apart, seed=seed, wanted=wanted)


def edited(text: str, wanted: int = 12) -> list[str]:
    return [proposal.edit.edited for proposal in proposals(Original(text), wanted=wanted)]


def report(name: str, made: list[list[Proposal]]) -> int:
    """Print what was made and return how many originals got something."""
    kinds = Counter(f"{p.edit.component} {p.edit.operation}" for found in made for p in found)
    yields = sum(bool(found) for found in made)
    print(f"\n{name}: {yields} of {len(made)} originals, {', '.join(f'{kind} {n}' for kind, n in kinds.most_common())}")
    return yields


def test_nearly_every_demo_question_gets_a_sound_candidate() -> None:
    assert report("demo", [proposals(original) for original in demo_originals()]) >= 41


def test_nearly_every_vstar_stem_gets_a_sound_candidate() -> None:
    assert report("V*Bench", [proposals(original, wanted=1) for original in vstar_originals()]) >= 188


@pytest.mark.parametrize("originals", [demo_originals, vstar_originals])
def test_every_proposal_passes_the_chain_and_keeps_what_is_asked(originals: object) -> None:
    for original in originals():  # type: ignore[operator]
        for proposal in proposals(original, wanted=3):
            edit = proposal.edit
            assert passed(screen(Candidate(edit, original.options, original.answers, original.siblings)))
            assert asks(edit.edited) is asks(original.text)
            assert all(check.passed for check in ENGINE.verify(original, proposal))
            assert edit.reason.startswith("The question takes for granted")
            assert edit.reason.endswith(".")
            assert all(parent < len(edit.tuples) for parent in edit.falsified.parents)


def test_the_same_seed_gives_the_same_edits_and_another_seed_others() -> None:
    first, second, other = ([p.edit for o in demo_originals() for p in proposals(o, seed)] for seed in (1, 1, 2))
    assert first == second
    assert first != other


def test_no_more_than_wanted_and_no_text_twice() -> None:
    for original in demo_originals():
        found = [proposal.edit.edited for proposal in proposals(original, wanted=5)]
        assert len(found) <= 5
        assert len(found) == len(set(found))


def test_a_question_beyond_the_grammar_is_unsound() -> None:
    verdict = ENGINE.decompose(Original("How does the loss of the blue curve change after epoch 20?"))
    assert isinstance(verdict, Unsound)
    assert "grammar" in verdict.reason


def test_new_words_come_from_the_pool_most_of_the_time() -> None:
    pool = Pool(nouns={"teapot": 50, "kettle": 50})
    original = Original("What color is the bowl?", pool=pool)
    found = Counter(proposals(original, seed, wanted=1)[0].edit.change.new for seed in range(60))
    assert found["teapot"] + found["kettle"] > 45


def test_a_counting_question_gets_an_absent_landmark_and_never_another_count() -> None:
    texts = edited("How many kites are there?")
    assert texts
    assert all(text.startswith("How many kites are there above the ") for text in texts)
    assert all(p.edit.operation is Operation.ADD for p in proposals(Original("How many kites are there in the image?")))
    assert all("How many bottles are on the" in text for text in edited("How many bottles are on the table?"))


def test_left_and_right_are_never_flipped() -> None:
    for text in edited("What is standing on the table to the left of the wine bottle?", wanted=20):
        assert "to the left of" in text
    for text in edited("Is the drum on the left or right side of the yellow balloon?", wanted=20):
        assert "on the left or right side of" in text


def test_places_sizes_and_ranks_are_never_flipped() -> None:
    texts = edited("What is the color of the largest brush?", 20) + edited("What is the color of the small red car?", 20)
    assert all("largest" in text or "small" in text for text in texts)


def test_the_colour_of_things_that_come_in_several_colours_stays() -> None:
    red_cups = Sibling("What color are the cups in the corner?", ("red",))
    text = "What is inside the blue cups?"
    alone = proposals(Original(text), wanted=12)
    among_others = proposals(Original(text, siblings=(red_cups,)), wanted=12)
    assert any(p.edit.subtype == "colour" for p in alone)
    assert not any(p.edit.subtype == "colour" for p in among_others)


def test_a_relation_edit_keeps_the_things_and_changes_how_they_stand() -> None:
    found = [p for p in proposals(Original("What is lying on the beanbag?")) if p.edit.component is Component.RELATION]
    assert [p.edit.edited for p in found] == ["What is lying under the beanbag?"]
    assert found[0].edit.reason == "The question takes for granted that something is lying under the beanbag; nothing is."


def test_two_things_are_exchanged_where_the_other_way_round_is_false() -> None:
    assert "What color is the drum under the beanbag?" in edited("What color is the beanbag under the drum?")


def test_an_article_fits_the_new_word() -> None:
    text = "Is the woman with a backpack on the left or right side of the dog?"
    pool = Pool(nouns={"umbrella": 1000})
    texts = [p.edit.edited for p in proposals(Original(text, pool=pool), wanted=12)]
    assert any("with an umbrella" in found for found in texts)


def test_the_number_of_the_new_word_is_that_of_the_old_one() -> None:
    for proposal in proposals(Original("What color are the cups in the top right corner?"), wanted=12):
        assert parse(proposal.edit.edited) is not None
        assert " are the " in proposal.edit.edited


def test_the_options_of_a_choice_between_things_change_with_it() -> None:
    text = "Which one is closer to the camera, the water bottle or the vehicle?"
    options = ("water bottle", "vehicle")
    for proposal in proposals(Original(text, options, ("water bottle",)), wanted=4):
        carried = edited_options(options, proposal.edit.change)
        assert all(option in proposal.edit.edited for option in carried)
