"""Max builds a release: one moment of the record, whole or not at all, and nothing in it that must not be."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from annotation import storage, work
from annotation.models import (
    VOTE_GATE,
    Artifact,
    Checkpoint,
    Decision,
    JournalEntry,
    Person,
    Question,
    Release,
    ReleaseRow,
    WorkUnit,
)
from annotation.releases import operations, queries
from annotation.releases.operations import building
from annotation.releases.plans import PlanInvalid
from annotation.releases.verify import verify
from tests import factories, races
from tests.decided import PLAN, built_release, decide, decided_pair
from tests.people import make_person

ONE_PAIR = {"name": "one", "seed": 1, "splits": [{"name": "test", "tier": "test", "rows": 2}]}


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


def drafted(by: Person, *, version: str = "1.0", plan: Any = PLAN) -> Release:
    release = operations.draft_release(version=version, plan=plan, by=by)
    operations.request_build(release_key=release.key, by=by)
    return release


def build(by: Person, **values: Any) -> Release:
    return operations.build_release(release_id=drafted(by, **values).pk)


def content(release: Release, path: str) -> bytes:
    with storage.store().open(release.artifacts.get(path=path).storage_key) as stream:
        return stream.read()


def ids(release: Release) -> set[str]:
    return set(release.rows.values_list("row_id", flat=True))


def test_max_drafts_builds_and_gets_rows_files_and_a_manifest(max_: Person) -> None:
    release = built_release(by=max_)
    assert release.state == "built"
    assert queries.counts_of(release) == {"train": {"original": 2, "edit": 2}, "test": {"original": 1, "edit": 1}}
    assert [artifact.path for artifact in queries.artifacts_of(release)] == [
        "ATTRIBUTION.md",
        "HARDBench_test.json",
        "HARDBench_train.json",
        "README.md",
        "data/test.jsonl",
        "data/train.jsonl",
        "manifest.json",
        "verify_release.py",
    ]
    assert release.artifacts.get(path="manifest.json").sha256 == release.manifest_sha256
    manifest = json.loads(content(release, "manifest.json"))
    assert (manifest["version"], manifest["plan"]["name"], manifest["rows"]["count"]) == ("1.0", "small", 6)


def test_a_stranger_can_verify_what_max_built(max_: Person, tmp_path: Path) -> None:
    release = built_release(by=max_)
    paths = operations.export_release(release=release, folder=tmp_path / "out")
    assert len(paths) == 8
    assert verify(tmp_path / "out", expect=release.manifest_sha256).sound


def test_a_row_says_what_was_decided_and_where_it_comes_from(max_: Person) -> None:
    original, edit = decided_pair()
    release = build(max_, plan=ONE_PAIR)
    row = ReleaseRow.objects.get(release=release, question=edit)
    assert (row.role, row.pair_id, row.row_id) == ("edit", original.key, edit.key)
    assert row.decision == Decision.objects.get(question=edit)
    said = row.content
    assert said["is_unanswerable"] is True
    assert said["reason"] == "The picture has no teapot."
    assert said["answers"] == []
    assert (said["component"], said["operation"], said["data_source"]) == ("object", "replace", "demo-photos")
    assert (said["licence"], said["decided_by"], said["original"]) == ("CC-BY-4.0", "consensus", original.key)
    assert said["image"]["sha256"] == original.image.sha256
    twin = ReleaseRow.objects.get(release=release, question=original)
    assert (twin.content["answers"], twin.pair_id, twin.content["reason"]) == (["green"], original.key, "")


def test_an_answer_people_found_replaces_the_sources_where_they_differ(max_: Person) -> None:
    original, _ = decided_pair()
    decide(original, answer="brown", supersedes=Decision.objects.get(question=original), method="adjudication", by=max_)
    release = build(max_, plan=ONE_PAIR)
    assert release.rows.get(question=original).content["answers"] == ["brown"]


def test_pictures_are_named_as_their_source_names_them(max_: Person) -> None:
    original, _ = decided_pair()
    original.source.acquisitions.create(name="./VG_100K/7.jpg", state="stored", image=original.image)
    release = build(max_, plan=ONE_PAIR)
    image = release.rows.get(question=original).content["image"]
    assert (image["path"], image["origin"]) == ("demo-photos/VG_100K/7.jpg", "./VG_100K/7.jpg")


def test_a_picture_known_by_url_is_expected_under_its_hash(max_: Person) -> None:
    original, _ = decided_pair()
    original.source.acquisitions.create(name="https://example.org/a.jpg", state="stored", image=original.image)
    image = build(max_, plan=ONE_PAIR).rows.get(question=original).content["image"]
    assert (image["path"], image["origin"]) == (f"demo-photos/{original.image.sha256}.jpeg", "https://example.org/a.jpg")


def left_out(case: str, by: Person) -> Question:
    """A question that looks as good as the others, but for one thing."""
    original, edit = decided_pair()
    if case == "control":
        factories.make_control(edit)
    elif case == "ambiguous":
        decide(edit, "ambiguous", supersedes=Decision.objects.get(question=edit))
    elif case == "withdrawn":
        Question.objects.filter(pk=edit.pk).update(state="withdrawn")
    elif case == "unlicensed":
        unknown = factories.make_source("cof", licence="unknown")
        Question.objects.filter(pk__in=[original.pk, edit.pk]).update(source=unknown)
    return edit


@pytest.mark.parametrize("case", ["control", "ambiguous", "withdrawn", "unlicensed"])
def test_what_must_not_enter_a_release_does_not(max_: Person, case: str) -> None:
    decided_pair()
    question = left_out(case, max_)
    release = build(max_, plan=ONE_PAIR)
    assert question.key not in ids(release)
    assert release.cut is not None
    assert release.cut["left_out"][case] == (2 if case == "unlicensed" else 1)


def test_an_undecided_question_does_not_enter(max_: Person) -> None:
    decided_pair()
    undecided = factories.make_edit(factories.make_original())
    assert undecided.key not in ids(build(max_, plan=ONE_PAIR))


def test_a_superseded_decision_does_not_count(max_: Person) -> None:
    _, edit = decided_pair()
    decide(edit, "answerable", supersedes=Decision.objects.get(question=edit))
    with pytest.raises(operations.PlanNotMet):
        build(max_, plan=ONE_PAIR)


def test_rows_that_rest_on_simulated_votes_say_so(max_: Person) -> None:
    original, edit = decided_pair()
    program = make_person("ann")
    Person.objects.filter(pk=program.pk).update(simulated=True)
    vote = factories.make_vote(factories.make_item(factories.make_campaign(program), edit), program)
    decide(edit, "unanswerable", supersedes=Decision.objects.get(question=edit), votes=[vote.pk])
    release = build(max_, plan=ONE_PAIR)
    assert release.rows.get(question=edit).content["decided_by"] == "simulated"
    assert release.rows.get(question=original).content["decided_by"] == "consensus"
    assert b"worth nothing else" in content(release, "README.md")


def test_a_plan_that_cannot_be_met_leaves_a_draft_with_reasons_and_relaxations(max_: Person) -> None:
    decided_pair()
    release = drafted(max_)
    with pytest.raises(operations.PlanNotMet, match="train needs more pairs: 2 wanted"):
        operations.build_release(release_id=release.pk)
    release.refresh_from_db()
    assert (release.state, release.manifest_sha256) == ("draft", "")
    assert release.shortfalls[0]["relaxations"][-1] == "bring more pairs for train to a decision: 2"
    assert not ReleaseRow.objects.exists()
    assert not Artifact.objects.exists()


def test_a_draft_that_fell_short_can_be_built_when_more_is_decided(max_: Person) -> None:
    release = drafted(max_)
    with pytest.raises(operations.PlanNotMet):
        operations.build_release(release_id=release.pk)
    for _ in range(3):
        decided_pair()
    operations.request_build(release_key=release.key, by=max_)
    built = operations.build_release(release_id=release.pk)
    assert (built.state, built.shortfalls) == ("built", [])
    assert WorkUnit.objects.filter(kind="release.build").count() == 2


def test_asking_twice_makes_one_unit_of_work(max_: Person) -> None:
    release = operations.draft_release(version="1.0", plan=PLAN, by=max_)
    first = operations.request_build(release_key=release.key, by=max_)
    assert operations.request_build(release_key=release.key, by=max_) == first
    assert (first.kind, first.queue, first.payload) == ("release.build", "release", {"release_id": release.pk})


def test_asking_again_lets_a_parked_build_go_on(max_: Person) -> None:
    release = drafted(max_)
    unit = WorkUnit.objects.get()
    lease = work.claim(unit_id=unit.pk, worker="w")
    assert lease is not None
    work.park(lease=lease, reason="the disk was full")
    operations.request_build(release_key=release.key, by=max_)
    unit.refresh_from_db()
    assert unit.state == "ready"


def test_a_draft_nobody_asked_to_build_is_not_built(max_: Person) -> None:
    release = operations.draft_release(version="1.0", plan=PLAN, by=max_)
    with pytest.raises(operations.WrongState):
        operations.build_release(release_id=release.pk)


def test_building_again_gives_the_same_release_back(max_: Person) -> None:
    release = built_release(by=max_)
    again = operations.build_release(release_id=release.pk)
    assert again.manifest_sha256 == release.manifest_sha256
    assert ReleaseRow.objects.count() == 6
    assert JournalEntry.objects.filter(event="release.built").count() == 1


def test_two_workers_at_once_build_one_release(max_: Person) -> None:
    for _ in range(3):
        decided_pair()
    release = drafted(max_)
    outcomes = races.at_once(*[lambda: operations.build_release(release_id=release.pk)] * 2)
    assert {outcome.manifest_sha256 for outcome in outcomes} == {Release.objects.get().manifest_sha256}
    assert ReleaseRow.objects.count() == 6


def test_the_same_cut_and_plan_give_the_same_rows_files_and_merkle_root(max_: Person) -> None:
    first = built_release(by=max_)
    second = build(max_, version="1.1")
    for path in ("data/train.jsonl", "data/test.jsonl", "HARDBench_train.json"):
        assert content(first, path) == content(second, path)
    assert first.cut == second.cut
    one, two = (json.loads(content(release, "manifest.json")) for release in (first, second))
    assert {key for key in one if one[key] != two[key]} == {"version", "files"}


def test_a_release_follows_the_newest_published_one(max_: Person) -> None:
    first = built_release(by=max_)
    operations.publish_release(release_key=first.key, by=max_)
    second = build(max_, version="1.1")
    manifest = json.loads(content(second, "manifest.json"))
    assert manifest["parent"] == {"version": "1.0", "manifest_sha256": first.manifest_sha256}


def test_the_manifest_names_the_sealed_journal_position(max_: Person) -> None:
    decided_pair()
    seal = Checkpoint.objects.create(last_entry=41, entries=3, root="a" * 64, chained="b" * 64)
    manifest = json.loads(content(build(max_, plan=ONE_PAIR), "manifest.json"))
    assert manifest["journal"] == {"last_entry": seal.last_entry, "chained": seal.chained}


def test_each_step_stands_in_the_journal(max_: Person) -> None:
    release = built_release(by=max_)
    entries = JournalEntry.objects.filter(event__startswith="release.").order_by("pk")
    assert [(entry.event, entry.actor) for entry in entries] == [
        ("release.drafted", max_),
        ("release.build-asked", max_),
        ("release.built", None),
    ]
    assert entries[2].after == {"state": "built", "manifest": release.manifest_sha256, "rows": 6}


@pytest.mark.parametrize("version", ["", "-1", "1 0", "../1", "é", "x" * 41])
def test_a_version_that_cannot_name_a_release_is_refused(max_: Person, version: str) -> None:
    with pytest.raises(operations.VersionInvalid) as refusal:
        operations.draft_release(version=version, plan=PLAN, by=max_)
    assert refusal.value.field == "version"


def test_two_releases_cannot_share_a_version(max_: Person) -> None:
    operations.draft_release(version="1.0", plan=PLAN, by=max_)
    with pytest.raises(operations.VersionTaken):
        operations.draft_release(version="1.0", plan=PLAN, by=max_)
    assert Release.objects.count() == 1


def test_a_bad_plan_is_refused_before_anything_is_written(max_: Person) -> None:
    with pytest.raises(PlanInvalid):
        operations.draft_release(version="1.0", plan={"name": "x"}, by=max_)
    assert not Release.objects.exists()


def hold_gate_shared(session: Any) -> None:
    session.execute("SELECT pg_advisory_xact_lock_shared(%s)", [VOTE_GATE])


def test_the_snapshot_waits_for_a_vote_in_flight_and_holds_what_it_decided(max_: Person) -> None:
    original, edit = decided_pair()
    old = Decision.objects.get(question=original)
    release = drafted(max_, plan=ONE_PAIR)
    with races.somebody_else() as session, ThreadPoolExecutor(1) as pool:
        hold_gate_shared(session)
        session.execute(
            "INSERT INTO decision (key, question_id, verdict, answer, premise, method, rule_version, numbers, votes, comment,"
            " supersedes_id)"
            " VALUES ('in-flight', %s, 'answerable', 'brown', '', 'consensus', 'settle-1', '{}', '{}', '', %s)",
            [original.pk, old.pk],
        )
        building_now = races.meanwhile(pool, lambda: operations.build_release(release_id=release.pk))
        races.wait_until_blocked()
        assert not building_now.done()
        session.commit()
        building_now.result(timeout=30)
    assert release.rows.get(question=original).content["answers"] == ["brown"]
    assert edit.key in ids(release)


def test_votes_go_on_while_the_cut_is_read(max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    original, _ = decided_pair()
    release = drafted(max_, plan=ONE_PAIR)
    read = queries.current_cut

    def vote_then_read() -> Any:
        with races.somebody_else() as session:
            session.execute("SET lock_timeout = '2s'")
            hold_gate_shared(session)
            session.execute("UPDATE question SET text = text || ' Late.' WHERE id = %s", [original.pk])
        return read()

    monkeypatch.setattr(queries, "current_cut", vote_then_read)
    operations.build_release(release_id=release.pk)
    assert "Late." not in release.rows.get(question=original).content["question"]


def test_a_gate_that_does_not_close_is_tried_again_later(max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    decided_pair()
    release = drafted(max_, plan=ONE_PAIR)
    monkeypatch.setattr(building, "GATE_WAIT_MS", 100)
    with races.somebody_else() as session:
        hold_gate_shared(session)
        with pytest.raises(work.PassingFailure):
            operations.build_release(release_id=release.pk)
    assert operations.build_release(release_id=release.pk).state == "built"
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)


def test_the_gate_is_open_again_after_a_failed_build(max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    release = drafted(max_)

    def broken() -> Any:
        raise MemoryError

    monkeypatch.setattr(queries, "current_cut", broken)
    with pytest.raises(MemoryError):
        operations.build_release(release_id=release.pk)
    with races.somebody_else() as session:
        session.execute("SET lock_timeout = '2s'")
        hold_gate_shared(session)


def test_a_build_that_is_killed_before_the_end_leaves_nothing_but_the_wish(max_: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        decided_pair()
    release = drafted(max_)

    def killed(*args: Any, **values: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Artifact.objects, "bulk_create", killed)
        with pytest.raises(KeyboardInterrupt):
            operations.build_release(release_id=release.pk)
    release.refresh_from_db()
    assert (release.state, ReleaseRow.objects.count()) == ("building", 0)
    assert operations.build_release(release_id=release.pk).state == "built"


def test_a_release_is_not_built_inside_somebodys_transaction(max_: Person) -> None:
    decided_pair()
    release = drafted(max_, plan=ONE_PAIR)
    with pytest.raises(RuntimeError, match="transaction"), transaction.atomic():
        operations.build_release(release_id=release.pk)
