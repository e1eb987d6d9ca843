"""Max and Ada read candidates with what was changed and what screening said; whoever reviews never does."""

import re
from typing import Any

import pytest
from django.test import Client

from annotation.models import GenerationRun, Person, Question, Role, Screening
from tests import factories
from tests.conftest import browser_of, counted_statements

PATH = "/candidates/"


def candidate(component: str = "object", **values: Any) -> Question:
    return factories.make_edit(factories.make_original(), component=component, **values)


def make_run(by: Person, **values: Any) -> GenerationRun:
    return GenerationRun.objects.create(
        **{"engine": "offline", "engine_version": "1", "seed": 1, "question_limit": 1, "by": by, **values}
    )


def read(person: Person, **query: str) -> str:
    return browser_of(person).get(PATH, query).content.decode()


def shown(page: str) -> list[str]:
    """The new phrases of the edits on a page, in its order."""
    return re.findall(r"<mark>(.*?)</mark>", page)


def test_max_sees_what_was_changed_and_which_premise_fails(max_: Person) -> None:
    question = candidate(reason="There is no teapot.")
    page = read(max_)
    assert "<del>kettle</del>" in page
    assert "<mark>teapot</mark>" in page
    assert question.text.partition("teapot")[2] in page
    assert "There is no teapot." in page
    assert "not screened yet" in page


def test_screening_stands_beside_the_candidate_it_is_about(max_: Person) -> None:
    question = candidate()
    Screening.objects.create(question=question, check_name="grammar", version=1, passed=True, score=0.913)
    Screening.objects.create(question=question, check_name="presence", version=1, passed=False, detail="There is a teapot.")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", read(max_)))
    assert "failed presence: There is a teapot." in text
    assert "1 check passed grammar 0.91" in text


def test_words_of_a_source_are_shown_and_never_run(max_: Person) -> None:
    original = factories.make_original("Is <script>alert(1)</script> on the kettle?")
    factories.make_edit(original)
    assert "<script>alert" not in read(max_)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in read(max_)


def test_candidates_are_told_apart_by_component_state_and_run(max_: Person) -> None:
    run = make_run(max_)
    candidate("object", new="vase")
    candidate("attribute", new="jug", state="rejected")
    candidate("relation", new="bowl", run=run)
    assert shown(read(max_)) == ["bowl", "jug", "vase"]
    assert shown(read(max_, component="attribute")) == ["jug"]
    assert shown(read(max_, state="candidate")) == ["bowl", "vase"]
    assert shown(read(max_, run=run.key)) == ["bowl"]
    assert shown(read(max_, run=run.key, component="object")) == []


def test_originals_are_no_candidates(max_: Person) -> None:
    factories.make_original("What color is the lamp?")
    assert "What color is the lamp?" not in read(max_)


def test_an_empty_list_names_the_next_step_and_a_filter_that_finds_nothing_the_way_back(max_: Person) -> None:
    assert "No candidates yet" in read(max_)
    assert 'href="/generation/"' in read(max_)
    assert "No candidate fits these filters" in read(max_, component="object")


@pytest.mark.parametrize("query", [{"component": "verb"}, {"state": "open"}, {"run": "x" * 23}, {"run": "a\x00b"}])
def test_a_filter_that_does_not_exist_is_named_and_shows_nothing(max_: Person, query: dict[str, str]) -> None:
    candidate()
    answer = browser_of(max_).get(PATH, query)
    assert answer.status_code == 400
    assert 'class="errorlist"' in answer.content.decode()
    assert shown(answer.content.decode()) == []


def test_the_list_goes_on_by_cursor(max_: Person) -> None:
    for number in range(51):
        candidate(new=f"thing{number}")
    first = read(max_)
    assert shown(first) == [f"thing{number}" for number in range(50, 0, -1)]
    cursor = re.search(r"cursor=([\w-]+)", first)
    assert cursor is not None
    assert shown(read(max_, cursor=cursor[1])) == ["thing0"]
    assert browser_of(max_).get(PATH, {"cursor": "made-up"}).status_code == 404


def test_ada_sees_what_max_sees_and_others_see_nothing(max_: Person, ada: Person, ann: Person, rae: Person, otto: Person) -> None:
    candidate()
    assert shown(read(ada)) == shown(read(max_)) == ["teapot"]
    for person in (ann, rae, otto):
        assert browser_of(person).get(PATH).status_code == 403, person
    assert Client().get(PATH).status_code == 302


def test_a_maintainer_who_also_reviews_stays_blind(max_: Person) -> None:
    candidate()
    assert max_.user is not None
    max_.user.roles = [Role.MAINTAINER, Role.ANNOTATOR]
    max_.user.save()
    answer = browser_of(max_).get(PATH)
    assert answer.status_code == 403
    assert "stays blind" in answer.content.decode()


def test_reading_costs_the_same_for_one_candidate_and_for_thirty(max_: Person) -> None:
    client = browser_of(max_)

    def statements() -> int:
        with counted_statements() as asked:
            assert client.get(PATH).status_code == 200
        return len(asked)

    Screening.objects.create(question=candidate(run=make_run(max_)), check_name="grammar", version=1, passed=True)
    one = statements()
    for number in range(29):
        question = candidate(run=make_run(max_), new=f"thing{number}")
        Screening.objects.create(question=question, check_name="grammar", version=1, passed=True)
    assert statements() == one == 5, "session, user, candidates, screenings, runs to choose from"
