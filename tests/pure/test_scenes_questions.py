"""Every question about a scene has exactly one right answer, and its edits have a verdict that is certain."""

import json
from dataclasses import replace

import pytest

from annotation.demo.scenes.asking import SMALLEST, Asked, questions
from annotation.demo.scenes.facts import Level, has
from annotation.demo.scenes.families import FAMILIES
from annotation.demo.scenes.planning import plan
from annotation.demo.scenes.records import query_of, question_rows, truth_record
from annotation.demo.scenes.scene import Scene
from annotation.demo.scenes.truth import Entity, matches, verdict_of
from annotation.questions.grammar import parse
from annotation.sources.layouts import LAYOUTS, Options
from annotation.sources.rows import Record

PIXELS = 10_000
SEEDS = (1, 2, 3)
MADE = {(family, seed): plan(family, seed, PIXELS) for family in FAMILIES for seed in SEEDS}
ASKED = {key: questions(scene) for key, scene in MADE.items()}
CASES = [pytest.param(MADE[key], ASKED[key], id=f"{key[0]}-{key[1]}") for key in MADE]


@pytest.mark.parametrize(("scene", "asked"), CASES)
def test_every_question_has_one_answer_by_truth(scene: Scene, asked: tuple[Asked, ...]) -> None:
    assert len(asked) >= 8
    for one in asked:
        assert verdict_of(scene, one.query) == one.verdict
        assert (one.verdict.verdict, bool(one.verdict.answer), bool(one.verdict.evidence)) == ("answerable", True, True)


@pytest.mark.parametrize(("scene", "asked"), CASES)
def test_no_question_touches_the_ambiguous_zone(scene: Scene, asked: tuple[Asked, ...]) -> None:
    for one in asked:
        found = list(matches(scene, one.query.tuples))
        assert {level for _, level in found} == {Level.YES}, one.text
        assert len(found) == (int(one.verdict.answer) if one.query.asks == "count" else 1)


@pytest.mark.parametrize(("scene", "asked"), CASES)
def test_of_the_options_only_one_is_right(scene: Scene, asked: tuple[Asked, ...]) -> None:
    for one in asked:
        if one.family == "choice":
            target = scene.thing(one.verdict.evidence[0])
            right = [option for option in one.options if has(target, "colour", option) != Level.NO]
            assert right == [one.verdict.answer]


@pytest.mark.parametrize(("scene", "asked"), CASES)
def test_no_two_questions_read_alike_and_none_asks_whether_something_exists(scene: Scene, asked: tuple[Asked, ...]) -> None:
    texts = [one.text for one in asked]
    assert len(set(texts)) == len(texts)
    assert not any(text.startswith(("Is there", "Are there", "Does", "Do ")) for text in texts)


@pytest.mark.parametrize(("scene", "asked"), CASES)
def test_an_absent_kind_in_place_of_an_object_makes_the_question_unanswerable(scene: Scene, asked: tuple[Asked, ...]) -> None:
    missing = sorted(set(FAMILIES[scene.family].kinds) - {one.kind for one in scene.things})
    judged = []
    for one in asked:
        for word in missing:
            if one.query.asks != "count" and one.query.about == "x" and one.family != "relation":
                edited = tuple(replace(t, word=word) if isinstance(t, Entity) and t.who == "x" else t for t in one.query.tuples)
                judged.append(verdict_of(scene, replace(one.query, tuples=edited)))
    assert judged
    assert "answerable" not in {one.verdict for one in judged}
    assert ("unanswerable", "object") in {(one.verdict, one.premise) for one in judged}


def test_every_set_asks_about_targets_of_a_ten_thousandth_of_the_picture() -> None:
    for seed in SEEDS:
        shares = [
            MADE[family, seed].thing(key).box.area / MADE[family, seed].area
            for family in FAMILIES
            for one in ASKED[family, seed]
            for key in one.verdict.evidence
        ]
        assert SMALLEST * 0.4 <= min(shares) <= 1.3e-4


def test_every_family_of_questions_is_asked_somewhere() -> None:
    asked = {one.family for found in ASKED.values() for one in found}
    assert asked == {"choice", "color", "pattern", "material", "text", "relation", "side", "count"}


@pytest.mark.parametrize(("scene", "asked"), CASES)
def test_the_rows_are_read_without_a_problem(scene: Scene, asked: tuple[Asked, ...]) -> None:
    for line, row in enumerate(question_rows(scene, asked, "0" * 64), 1):
        (read,) = LAYOUTS["generic"].row(Record(line, row), Options())
        assert read.question == row["question"]
        assert list(read.answers) == row["answers"]
        assert [list(map(int, box)) for box in read.boxes] == [list(box) for box in dict.fromkeys(map(tuple, row["boxes"]))]


@pytest.mark.parametrize(("scene", "asked"), CASES)
def test_the_truth_file_gives_back_every_question_to_be_judged_again(scene: Scene, asked: tuple[Asked, ...]) -> None:
    record = json.loads(json.dumps(truth_record(scene, asked, "0" * 64)))
    assert [query_of(one) for one in record["questions"]] == [one.query for one in asked]
    assert len(record["objects"]) == len(scene.things)


@pytest.mark.parametrize(("scene", "asked"), CASES)
def test_the_closed_grammar_reads_every_question_but_those_about_patterns(scene: Scene, asked: tuple[Asked, ...]) -> None:
    """So the offline engine can edit them."""
    unread = [one.text for one in asked if one.family != "pattern" and parse(one.text) is None]
    assert unread == []
