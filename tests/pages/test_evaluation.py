"""Max uploads a model's predictions and reads their worth; what is wrong with a file is named line by line."""

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Person, Release, Role, Score, Submission, WorkUnit
from annotation.pages import evaluation
from annotation.releases import operations
from annotation.tasks import work as tasks
from tests.conftest import browser_of, counted_statements
from tests.decided import built_release
from tests.people import make_person

PATH = "/evaluation/"


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


@pytest.fixture
def ada(max_: Person) -> Person:
    return make_person("ada")


@pytest.fixture
def release(max_: Person) -> Release:
    return built_release(by=max_)


def lines(release: Release) -> list[dict[str, Any]]:
    """Right answers on all rows."""
    rows = release.rows.order_by("position").values_list("row_id", "content")
    return [
        {"row_id": key, "prediction": "" if row["is_unanswerable"] else row["answers"][0], "refused": row["is_unanswerable"]}
        for key, row in rows
    ]


def upload(person: Person, release: Release, content: Any, model: str = "kettle-7b") -> Any:
    if isinstance(content, list):
        content = "\n".join(map(json.dumps, content)).encode()
    form = {"release_key": release.key, "model": model, "predictions": SimpleUploadedFile("p.jsonl", content)}
    return browser_of(person).post(PATH, form)


def scored(person: Person, release: Release, content: Any, model: str = "kettle-7b") -> Submission:
    answer = upload(person, release, content, model)
    assert answer.status_code == 302, answer.content.decode()
    submission = Submission.objects.get(model=model)
    for unit in WorkUnit.objects.filter(kind="score", natural_key__contains=submission.key):
        tasks.look(unit.pk)
    return submission


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def read(person: Person, path: str = PATH) -> str:
    return words(browser_of(person).get(path).content.decode())


def test_the_page_states_what_it_takes_before_anything_is_uploaded(release: Release, max_: Person) -> None:
    text = read(max_)
    assert "No model has been scored yet" in text
    assert "JSONL with row_id (a row&#x27;s id) and prediction in each line, at most 64.0 MB." in text
    assert "1.0" in text, "the release can be chosen"


def test_max_uploads_waits_and_reads_the_result(release: Release, max_: Person) -> None:
    answer = upload(max_, release, lines(release))
    submission, client = Submission.objects.get(), browser_of(max_)
    page = f"/evaluation/{submission.key}/"
    assert (answer.status_code, answer.headers["Location"]) == (302, page)
    assert f'hx-get="{page}state/"' in client.get(page).content.decode()
    assert client.get(f"{page}state/").status_code == 204
    tasks.look(WorkUnit.objects.get(kind="score").pk)
    assert client.get(f"{page}state/").headers["HX-Refresh"] == "true"
    text = read(max_, page)
    assert "hx-get" not in client.get(page).content.decode()
    assert re.search(r"Reliability accuracy 6 1\.000 0\.\d{3} to 1\.000", text)
    assert re.search(r"Dual accuracy 3 1\.000 0\.\d{3} to 1\.000", text)
    assert "6: 3 answerable, 3 unanswerable; 0 without a prediction, counted as wrong" in text
    assert re.search(r"Phi, c = 100 6 undefined: hidden because there are fewer than 200 rows", text)


def test_results_are_told_apart_by_split_and_the_list_shows_the_headlines(release: Release, max_: Person, ada: Person) -> None:
    wrong = [{**line, "refused": False, "prediction": "blue"} for line in lines(release)]
    submission = scored(max_, release, wrong)
    text = read(ada, f"/evaluation/{submission.key}/")
    assert re.search(r"By split Rows Reliability accuracy .* test 2 0\.000 .* train 4 0\.000", text)
    assert re.search(r"kettle-7b 1\.0 finished 0\.000 0\.000 to 0\.\d{3} 0\.000", read(ada))


def test_a_prediction_that_is_missing_is_counted_as_wrong(release: Release, max_: Person) -> None:
    submission = scored(max_, release, lines(release)[:5])
    text = read(max_, f"/evaluation/{submission.key}/")
    assert "1 without a prediction, counted as wrong" in text
    assert re.search(r"Reliability accuracy 6 0\.833", text)


def test_every_problem_of_a_file_is_named_by_its_line_and_nothing_is_taken(release: Release, max_: Person) -> None:
    good = lines(release)
    content = [good[0], {"row_id": "none-such", "prediction": "x"}, good[0], {**good[1], "confidence": 7}]
    answer = upload(max_, release, "\n".join([*map(json.dumps, content), "{broken"]).encode(), model="kettle-7b")
    html, text = answer.content.decode(), words(answer.content.decode())
    assert answer.status_code == 400
    for line, reason in ((2, "no row"), (3, "stands in line 1 already"), (4, "confidence must be"), (5, "not JSON")):
        assert re.search(rf"Line {line}: [^:]*{reason}", text), (line, text)
    assert 'value="kettle-7b"' in html, "what was typed is kept"
    assert not Submission.objects.exists()


def test_one_problem_alone_is_told_once(release: Release, max_: Person) -> None:
    answer = upload(max_, release, [*lines(release)[1:], {"row_id": "none-such", "prediction": "x"}])
    assert answer.content.decode().count("The release has no row") == 1


@pytest.mark.parametrize(
    ("values", "field"),
    [({"model": " "}, "model"), ({"model": "m" * 201}, "model"), ({"release_key": "none"}, "release_key")],
)
def test_a_form_that_is_wrong_names_the_field(release: Release, max_: Person, values: dict[str, str], field: str) -> None:
    file = SimpleUploadedFile("p.jsonl", b"{}")
    form = {"release_key": release.key, "model": "kettle-7b", "predictions": file, **values}
    answer = browser_of(max_).post(PATH, form)
    assert answer.status_code == 400
    assert f'id="id_{field}_error"' in answer.content.decode()


def test_a_file_is_needed_and_may_not_be_too_large(release: Release, max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = browser_of(max_).post(PATH, {"release_key": release.key, "model": "kettle-7b"})
    assert 'id="id_predictions_error"' in answer.content.decode()
    monkeypatch.setattr(evaluation, "UPLOAD_AT_MOST", 1000)
    answer = upload(max_, release, b"x" * 1001)
    assert answer.status_code == 400
    assert "The file is larger than 1000 bytes." in words(answer.content.decode()).replace("\xa0", " ")


def test_the_same_file_again_is_the_same_submission(release: Release, max_: Person) -> None:
    first, again = upload(max_, release, lines(release)), upload(max_, release, lines(release))
    assert first.headers["Location"] == again.headers["Location"]
    assert (Submission.objects.count(), Score.objects.count()) == (1, 1)


def test_a_draft_or_a_withdrawn_release_takes_no_predictions(release: Release, max_: Person) -> None:
    operations.publish_release(release_key=release.key, by=max_)
    assert upload(max_, release, lines(release)).status_code == 302
    operations.withdraw_release(release_key=release.key, reason="Taken down.", by=max_)
    assert upload(max_, release, lines(release), model="later").status_code == 400
    assert Submission.objects.count() == 1


def test_ada_reads_results_and_uploads_none(release: Release, max_: Person, ada: Person) -> None:
    submission = scored(max_, release, lines(release))
    assert "kettle-7b" in read(ada)
    assert "Score predictions" not in read(ada)
    assert "Reliability accuracy" in read(ada, f"/evaluation/{submission.key}/")
    assert upload(ada, release, lines(release), model="adas").status_code == 403
    assert Submission.objects.count() == 1


def test_nobody_else_sees_a_submission(release: Release, max_: Person) -> None:
    submission = scored(max_, release, lines(release))
    for name in ("ann", "rae", "otto"):
        person = make_person(name)
        for path in (PATH, f"/evaluation/{submission.key}/", f"/evaluation/{submission.key}/state/"):
            assert browser_of(person).get(path).status_code == 403, (name, path)
        assert upload(person, release, lines(release), model=name).status_code == 403
    assert Client().get(PATH).status_code == 302


def test_a_submission_that_is_none_is_not_found(max_: Person) -> None:
    for path in ("none", "x\x00"):
        assert browser_of(max_).get(f"/evaluation/{path}/").status_code == 404, path
        assert browser_of(max_).get(f"/evaluation/{path}/state/").status_code == 404, path


def test_a_model_named_like_a_script_stays_a_name(release: Release, max_: Person) -> None:
    scored(max_, release, lines(release), model="<script>alert(1)</script>")
    assert "<script>alert" not in browser_of(max_).get(PATH).content.decode()


def test_the_list_costs_the_same_for_one_submission_and_for_thirty(release: Release, max_: Person) -> None:
    client = browser_of(max_)

    def statements(path: str) -> int:
        with counted_statements() as asked:
            assert client.get(path).status_code == 200
        return len(asked)

    submission = scored(max_, release, lines(release), model="model-0")
    one, detail = statements(PATH), statements(f"/evaluation/{submission.key}/")
    score = Score.objects.get()
    for number in range(1, 30):
        more = Submission.objects.create(
            release=release, model=f"model-{number}", predictions_sha256="0" * 64, storage_key="none", by=max_
        )
        Score.objects.create(
            submission=more, scorer_version="s", refusal_rules_version="r", state="finished", metrics=score.metrics
        )
    assert statements(PATH) == one == 5, "session, user, submissions, scores, releases to choose from"
    assert statements(f"/evaluation/{submission.key}/") == detail <= 5


def test_a_maintainer_who_also_reviews_sees_figures_and_no_labels(release: Release, max_: Person) -> None:
    submission = scored(max_, release, lines(release))
    assert max_.user is not None
    max_.user.roles = [Role.MAINTAINER, Role.ANNOTATOR]
    max_.user.save()
    html = browser_of(max_).get(f"/evaluation/{submission.key}/").content.decode()
    assert not any(row_id in html for row_id in release.rows.values_list("row_id", flat=True))
