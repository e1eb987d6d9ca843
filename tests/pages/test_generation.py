"""Max starts a run, watches it, stops it; Ada watches; whoever reviews does not see it."""

import re
from typing import Any

import pytest
from django.test import Client

from annotation.generation import operations
from annotation.models import GenerationRun, JournalEntry, Person, Role, WorkState, WorkUnit
from tests import factories
from tests.conftest import browser_of, counted_statements

PATH = "/generation/"
FORM = {"engine": "offline", "limit": "10", "wanted": "2", "seed": "7"}


@pytest.fixture
def run(max_: Person) -> GenerationRun:
    """A run over three originals that nobody has worked on."""
    for _ in range(3):
        factories.make_original()
    return operations.start_run(by=max_, engine="offline", limit=10, seed=7)


def units(run: GenerationRun) -> list[WorkUnit]:
    return list(WorkUnit.objects.filter(natural_key__startswith=operations.unit_prefix(run)).order_by("pk"))


def park(unit: WorkUnit, reason: str) -> None:
    WorkUnit.objects.filter(pk=unit.pk).update(state=WorkState.PARKED, reason=reason, finished_at=unit.created_at)


def finish(run: GenerationRun) -> None:
    ids = [unit.pk for unit in units(run)]
    WorkUnit.objects.filter(pk__in=ids).update(state=WorkState.DONE, finished_at=run.created_at, result={})
    operations.finish_runs()


def page(person: Person, path: str = PATH) -> str:
    return browser_of(person).get(path).content.decode()


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_max_starts_a_run_and_comes_to_its_page(max_: Person, django_capture_on_commit_callbacks: Any) -> None:
    factories.make_original()
    with django_capture_on_commit_callbacks() as sent:
        answer = browser_of(max_).post(PATH, FORM)
    run = GenerationRun.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/generation/{run.key}/")
    assert (run.engine, run.seed, run.by, run.parameters["wanted"]) == ("offline", 7, max_, 2)
    assert len(units(run)) == 1
    assert len(sent) == 1, "workers are told when the run is committed"
    assert "0 of 1 question done" in page(max_, f"/generation/{run.key}/")


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"engine": "no-such-engine"}, "engine"),
        ({"limit": "0"}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"limit": "100001"}, "limit"),
        ({"seed": "-1"}, "seed"),
        ({"seed": str(2**70)}, "seed"),
        ({"wanted": "99"}, "wanted"),
    ],
)
def test_a_wrong_value_is_named_at_its_field_and_the_others_are_kept(max_: Person, values: dict[str, str], field: str) -> None:
    factories.make_original()
    answer = browser_of(max_).post(PATH, {**FORM, "seed": "4711", **values})
    html = answer.content.decode()
    assert answer.status_code == 400
    assert f'id="id_{field}_error"' in html
    assert field == "seed" or 'value="4711"' in html
    assert not GenerationRun.objects.exists()


def test_a_run_over_nothing_is_refused_on_the_form(max_: Person) -> None:
    answer = browser_of(max_).post(PATH, FORM)
    assert answer.status_code == 400
    assert 'id="id_limit_error"' in answer.content.decode()
    assert "import a source first" in words(answer.content.decode())
    assert not WorkUnit.objects.exists()


def test_max_runs_again_over_originals_that_were_all_edited_before(run: GenerationRun, max_: Person) -> None:
    for unit in units(run):
        operations.make_candidates(**unit.payload)
    refused = browser_of(max_).post(PATH, FORM)
    assert refused.status_code == 400
    assert "let it edit them again" in words(refused.content.decode())
    assert browser_of(max_).post(PATH, {**FORM, "seed": "8", "again": "on"}).status_code == 302
    assert GenerationRun.objects.count() == 2


def test_an_empty_list_says_how_to_begin(max_: Person, ada: Person) -> None:
    assert "No run yet" in page(max_)
    assert "Start a run" in page(max_)
    assert "Start a run" not in page(ada)


def test_the_list_says_what_each_run_made_and_failed_on(run: GenerationRun, max_: Person) -> None:
    park(units(run)[1], "The engine has no words.")
    factories.make_edit(factories.make_original(), run=run)
    factories.make_edit(factories.make_original(), run=run, state="rejected")
    cells = re.findall(r'<td class="number">(.*?)</td>', page(max_))
    assert cells == ["1", "1", "$ 0.00", "$ 0.00"]


def test_the_page_counts_units_and_candidates_and_says_why_questions_failed(run: GenerationRun, max_: Person) -> None:
    for unit in units(run)[:2]:
        park(unit, "The engine has no words.")
    factories.make_edit(factories.make_original(), run=run)
    text = words(page(max_, f"/generation/{run.key}/"))
    assert "2 of 3 questions done" in text
    assert "The engine has no words. 2" in text
    assert "Candidates 1 Sorted out by screening 0 Failed 2 Waiting 1" in text
    assert "pool" not in text, "thousands of words help nobody"


def test_the_page_asks_again_while_the_run_goes_on_and_no_longer_when_it_has_ended(run: GenerationRun, max_: Person) -> None:
    progress = f"/generation/{run.key}/progress/"
    html = page(max_, progress)
    assert f'hx-get="{progress}"' in html
    assert "<html" not in html, "the live part alone"
    finish(run)
    ended = page(max_, progress)
    assert "hx-get" not in ended
    assert "3 of 3 questions done" in ended
    assert "finished" in ended


def test_max_stops_a_run_once(run: GenerationRun, max_: Person) -> None:
    client = browser_of(max_)
    assert "Stop the run" in page(max_, f"/generation/{run.key}/")
    assert client.post(f"/generation/{run.key}/stop/").status_code == 302
    run.refresh_from_db()
    assert (run.state, JournalEntry.objects.get(event="run.stopped").actor) == ("stopped", max_)
    again = client.post(f"/generation/{run.key}/stop/")
    assert again.status_code == 409
    assert "This run has ended already." in words(again.content.decode())
    assert "Stop the run" not in again.content.decode()


def test_what_a_stopped_run_skipped_is_neither_done_nor_waiting(run: GenerationRun, max_: Person) -> None:
    first, *others = units(run)
    WorkUnit.objects.filter(pk=first.pk).update(
        state=WorkState.DONE, finished_at=run.created_at, result=operations.make_candidates(**first.payload)
    )
    operations.stop_run(run=run, by=max_)
    path = f"/generation/{run.key}/"
    assert "1 of 3 questions done" in page(max_, path)
    for unit in others:
        skipped = operations.make_candidates(**unit.payload)
        WorkUnit.objects.filter(pk=unit.pk).update(state=WorkState.DONE, finished_at=run.created_at, result=skipped)
    assert "1 of 3 questions done" in page(max_, path)
    assert "Waiting 0" in words(page(max_, path))


def test_ada_watches_and_changes_nothing(run: GenerationRun, ada: Person) -> None:
    client = browser_of(ada)
    assert "Stop the run" not in page(ada, f"/generation/{run.key}/")
    assert client.post(f"/generation/{run.key}/stop/").status_code == 403
    assert client.post(PATH, FORM).status_code == 403
    assert GenerationRun.objects.get().state == "running"


def test_who_does_not_maintain_or_audit_sees_no_run(run: GenerationRun, ann: Person, rae: Person, otto: Person) -> None:
    for person in (ann, rae, otto):
        for path in (PATH, f"/generation/{run.key}/", f"/generation/{run.key}/progress/"):
            assert browser_of(person).get(path).status_code == 403, (person, path)
        assert browser_of(person).post(f"/generation/{run.key}/stop/").status_code == 403, person
    assert Client().get(PATH).status_code == 302


def test_a_maintainer_who_also_reviews_may_run_but_reads_no_candidates(run: GenerationRun, max_: Person) -> None:
    assert max_.user is not None
    max_.user.roles = [Role.MAINTAINER, Role.ANNOTATOR]
    max_.user.save()
    assert browser_of(max_).get(f"/generation/{run.key}/").status_code == 200
    assert browser_of(max_).get("/candidates/").status_code == 403


def test_a_run_that_is_none_is_not_found(max_: Person) -> None:
    for path in ("/generation/nothing/", "/generation/nothing/progress/", "/generation/x\x00/"):
        assert browser_of(max_).get(path).status_code == 404, path
    assert browser_of(max_).post("/generation/nothing/stop/").status_code == 404


def test_the_list_costs_the_same_for_one_run_and_for_thirty(run: GenerationRun, max_: Person) -> None:
    client = browser_of(max_)

    def statements(path: str) -> int:
        with counted_statements() as asked:
            assert client.get(path).status_code == 200
        return len(asked)

    one, detail = statements(PATH), statements(f"/generation/{run.key}/")
    for number in range(29):
        more = operations.start_run(by=max_, engine="fake", limit=1, seed=number, questions=[factories.make_original()])
        factories.make_edit(factories.make_original(), run=more)
        park(units(more)[0], f"reason {number}")
    assert statements(PATH) == one == 5, "session, user, runs, their candidates, their failures"
    for unit in units(run):
        park(unit, f"reason {unit.pk}")
    assert statements(f"/generation/{run.key}/") == detail <= 7
