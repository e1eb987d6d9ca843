"""Max drafts, builds, publishes and withdraws; Ada looks and downloads; nobody else gets near."""

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from annotation.hashing import sha256_hex
from annotation.models import JournalEntry, Person, Release, Role, WorkState, WorkUnit
from annotation.releases import operations
from annotation.releases.verify import verify
from annotation.tasks import work as tasks
from tests.conftest import browser_of, counted_statements
from tests.decided import PLAN, built_release, decided_pair
from tests.people import make_person

PATH = "/releases/"
FORM = {"version": "1.0.0", "plan": "demo"}


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


@pytest.fixture
def ada(max_: Person) -> Person:
    return make_person("ada")


def drafted(by: Person, **values: Any) -> Release:
    return operations.draft_release(**{"version": "1.0", "plan": PLAN, "by": by, **values})


def where(release: Release, deed: str = "") -> str:
    return f"/releases/{release.key}/{deed}"


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def read(person: Person, path: str) -> str:
    return words(browser_of(person).get(path).content.decode())


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def test_max_chooses_a_plan_by_what_it_comes_to(max_: Person) -> None:
    text = read(max_, PATH)
    assert "No release yet" in text
    assert "demo train: 6 answerable + 2 unanswerable = 2 pairs + 4 lone originals" in text
    assert "together: 8,082 originals, 3,082 edits, 0 traps: 11,164 rows" in text


def test_max_drafts_a_release_and_comes_to_its_page(max_: Person) -> None:
    answer = browser_of(max_).post(PATH, FORM)
    release = Release.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, where(release))
    assert (release.state, release.plan["name"], release.by) == ("draft", "demo", max_)
    text = read(max_, where(release))
    assert "train: 6 answerable + 2 unanswerable" in text
    assert re.search(r"train original 6 – train edit 2 –", text)


@pytest.mark.parametrize(
    ("values", "status", "field"),
    [({"version": "one two"}, 400, "version"), ({"version": "0.9"}, 409, "version"), ({"plan": "huge"}, 400, "plan")],
)
def test_a_refused_draft_comes_back_with_its_values(max_: Person, values: dict[str, str], status: int, field: str) -> None:
    drafted(max_, version="0.9")
    entered = {**FORM, "plan": "hardbench", **values}
    answer = browser_of(max_).post(PATH, entered)
    html = answer.content.decode()
    assert answer.status_code == status
    assert f'id="id_{field}_error"' in html
    assert f'value="{escape(entered["version"])}"' in html
    assert field == "plan" or re.search(r'value="hardbench"[^>]* checked', html)
    assert Release.objects.count() == 1


def test_a_click_on_build_makes_one_unit_and_the_worker_makes_the_release(max_: Person) -> None:
    for _ in range(3):
        decided_pair()
    release, client = drafted(max_), browser_of(max_)
    assert client.post(where(release, "build/")).status_code == 302
    assert client.post(where(release, "build/")).status_code == 302, "a second click gives the same unit"
    html = client.get(where(release)).content.decode()
    assert f'hx-get="{where(release, "state/")}"' in html
    assert client.get(where(release, "state/")).status_code == 204
    tasks.look(WorkUnit.objects.get(kind="release.build").pk)
    assert client.get(where(release, "state/")).headers["HX-Refresh"] == "true"
    text = read(max_, where(release))
    assert re.search(r"train original 2 2 train edit 2 2 test original 1 1 test edit 1 1", text)
    assert "hx-get" not in client.get(where(release)).content.decode()


def test_a_plan_that_cannot_be_met_says_what_lacks_and_what_would_help(max_: Person) -> None:
    decided_pair()
    release = drafted(max_)
    browser_of(max_).post(where(release, "build/"))
    tasks.look(WorkUnit.objects.get(kind="release.build").pk)
    release.refresh_from_db()
    text = read(max_, where(release))
    gap = release.shortfalls[0]
    assert release.state == "draft"
    assert f"{gap['split']} needs more {gap['what']}: {gap['wanted']} wanted, {gap['found']} decided." in text
    assert gap["relaxations"]
    assert all(relaxation in text for relaxation in gap["relaxations"])
    assert " Build " in text, "it can be tried again when more is decided"


def test_a_build_that_came_to_a_halt_says_why_and_can_go_on(max_: Person) -> None:
    release, client = drafted(max_), browser_of(max_)
    client.post(where(release, "build/"))
    unit = WorkUnit.objects.get(kind="release.build")
    WorkUnit.objects.update(state=WorkState.PARKED, reason="The disk is full.", finished_at=unit.created_at)
    assert client.get(where(release, "state/")).headers["HX-Refresh"] == "true"
    text = read(max_, where(release))
    assert "The build came to a halt: The disk is full." in text
    assert "Go on building" in text
    client.post(where(release, "build/"))
    assert WorkUnit.objects.get().state == "ready"


def test_max_publishes_what_is_built_and_nothing_else(max_: Person) -> None:
    release, client = drafted(max_), browser_of(max_)
    refused = client.post(where(release, "publish/"))
    assert refused.status_code == 409
    assert "Release 1.0 is draft; it cannot become published." in words(refused.content.decode())
    ready = built_release(by=max_, version="1.1")
    assert client.post(where(ready, "publish/")).status_code == 302
    ready.refresh_from_db()
    assert (ready.state, JournalEntry.objects.get(event="release.published").actor) == ("published", max_)
    assert client.post(where(ready, "build/")).status_code == 409


def test_withdrawing_takes_a_page_of_its_own_and_a_reason_that_stays(max_: Person, ada: Person) -> None:
    release, client = built_release(by=max_), browser_of(max_)
    operations.publish_release(release_key=release.key, by=max_)
    assert "This cannot be undone." in read(max_, where(release, "withdraw/"))
    empty = client.post(where(release, "withdraw/"), {"reason": " "})
    assert empty.status_code == 400
    assert 'id="id_reason_error"' in empty.content.decode()
    release.refresh_from_db()
    assert release.state == "published"
    assert client.post(where(release, "withdraw/"), {"reason": "Two pictures were taken down."}).status_code == 302
    assert "Withdrawn, not to be used: Two pictures were taken down." in read(ada, where(release))
    assert client.get(where(release, "withdraw/")).headers["Location"] == where(release)
    again = client.post(where(release, "withdraw/"), {"reason": "Once more."})
    assert again.status_code == 409
    assert "Once more." in again.content.decode()


def test_a_file_comes_as_it_is_stored_and_is_never_run_by_the_browser(max_: Person, ada: Person) -> None:
    release = built_release(by=max_)
    for artifact in release.artifacts.all():
        answer = browser_of(ada).get(where(release, f"files/{artifact.path}"))
        assert sha256_hex(body(answer)) == artifact.sha256
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{Path(artifact.path).name}"'
        assert answer.headers["Content-Length"] == str(artifact.byte_size)
        assert "html" not in answer.headers["Content-Type"]
    assert browser_of(ada).get(where(release, "files/data/test.jsonl")).headers["Content-Type"] == "application/x-ndjson"


@pytest.mark.parametrize(
    "path", ["no-such-file", "data/", "../manifest.json", "data/../manifest.json", "%2e%2e/manifest.json", "x\x00"]
)
def test_a_path_that_is_no_file_of_the_release_is_not_found(max_: Person, path: str) -> None:
    release = built_release(by=max_)
    assert browser_of(max_).get(where(release, "files/") + path).status_code == 404


def test_the_zip_holds_the_whole_release_and_a_stranger_can_verify_it(max_: Person, ada: Person, tmp_path: Path) -> None:
    release = built_release(by=max_)
    answer = browser_of(ada).get(where(release, "zip/"))
    assert answer.streaming
    assert answer.headers["Content-Type"] == "application/zip"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="hardbench-1.0.zip"'
    zipfile.ZipFile(io.BytesIO(body(answer))).extractall(tmp_path)
    assert verify(tmp_path / "hardbench-1.0", expect=release.manifest_sha256).sound
    assert f"python3 verify_release.py . --expect {release.manifest_sha256}" in read(ada, where(release))


def test_a_draft_has_no_zip(max_: Person) -> None:
    answer = browser_of(max_).get(where(drafted(max_), "zip/"))
    assert answer.status_code == 409
    assert "has no files yet. Build it first." in words(answer.content.decode())


def test_each_file_stands_with_its_hash(max_: Person, ada: Person) -> None:
    release = built_release(by=max_)
    html = browser_of(ada).get(where(release)).content.decode()
    for artifact in release.artifacts.all():
        assert f'href="{where(release, "files/" + artifact.path)}"' in html
        assert artifact.sha256 in html


def test_ada_looks_and_changes_nothing(max_: Person, ada: Person) -> None:
    release = built_release(by=max_)
    text = read(ada, where(release))
    assert not any(word in text for word in ("Publish for good", " Build ", " Withdraw "))
    assert "Draft a release" not in read(ada, PATH)
    client = browser_of(ada)
    assert client.post(PATH, FORM).status_code == 403
    for deed in ("build/", "publish/", "withdraw/"):
        assert client.post(where(release, deed), {"reason": "no"}).status_code == 403, deed
    assert client.get(where(release, "withdraw/")).status_code == 403
    release.refresh_from_db()
    assert release.state == "built"


def test_nobody_else_sees_a_release_or_one_of_its_files(max_: Person) -> None:
    release = built_release(by=max_)
    paths = [PATH, where(release), where(release, "state/"), where(release, "zip/"), where(release, "files/data/test.jsonl")]
    for name in ("ann", "rae", "otto"):
        client = browser_of(make_person(name))
        for path in paths:
            assert client.get(path).status_code == 403, (name, path)
        assert client.post(where(release, "publish/")).status_code == 403, name
    assert all(Client().get(path).status_code == 302 for path in paths)


def test_a_maintainer_who_also_reviews_publishes_but_reads_no_labels(max_: Person) -> None:
    release = built_release(by=max_)
    assert max_.user is not None
    max_.user.roles = [Role.MAINTAINER, Role.ANNOTATOR]
    max_.user.save()
    client = browser_of(max_)
    assert "data/test.jsonl" not in client.get(where(release)).content.decode()
    for path in ("zip/", "files/data/test.jsonl"):
        assert client.get(where(release, path)).status_code == 403, path
    assert client.post(where(release, "publish/")).status_code == 302


def test_a_release_that_is_none_is_not_found(max_: Person) -> None:
    client = browser_of(max_)
    for path in ("", "state/", "zip/", "withdraw/", "files/manifest.json"):
        assert client.get(f"/releases/none/{path}").status_code == 404, path
    for path in ("build/", "publish/"):
        assert client.post(f"/releases/none/{path}").status_code == 404, path


def test_the_pages_cost_the_same_for_one_release_and_for_thirty(max_: Person) -> None:
    client = browser_of(max_)

    def statements(path: str) -> int:
        with counted_statements() as asked:
            assert client.get(path).status_code == 200
        return len(asked)

    release = built_release(by=max_)
    one, detail = statements(PATH), statements(where(release))
    for number in range(29):
        drafted(max_, version=f"2.{number}", plan=json.loads(json.dumps(PLAN)))
    larger = built_release(by=max_, version="3.0", pairs=8, plan={**PLAN, "splits": [{**PLAN["splits"][0], "rows": 16}]})
    assert statements(PATH) == one == 3, "session, user, releases with their counts"
    assert statements(where(larger)) == detail <= 10
