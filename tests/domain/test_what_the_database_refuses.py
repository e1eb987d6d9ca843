"""Every "refuses" of the data model, tried straight in SQL, as the product's role and as the owner."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, IntegrityError, connections, transaction
from django.db.models import CASCADE
from django.db.models.functions import Now

from annotation import journal, models
from annotation.models import Campaign, ImportBatch, Release, ReleaseRow, Source
from tests import factories
from tests.people import make_person

APPEND_ONLY = [
    "model_call", "model_reply", "reply_class", "guideline", "vote", "search_record", "idempotency_key", "decision",
    "annotator_skill", "label_opening", "journal_entry", "checkpoint", "cluster_ruling",
    "takedown", "erratum", "licence_ruling",
]  # fmt: skip
ROLES = ["default", "owner"]


@pytest.fixture
def facts(committed_db: None) -> Iterator[None]:
    """One committed row in every append-only table."""
    ann, max_ = make_person("ann"), make_person("max")
    item = factories.make_item(factories.make_campaign(ann))
    vote = factories.make_vote(item, ann)
    models.SearchRecord.objects.create(vote=vote, grid_version="1", needed_scale=1, seen_share=1, server_ms=1)
    models.IdempotencyKey.objects.create(actor=ann, key="k", body_hash="h")
    models.Decision.objects.create(question=item.question, verdict="unanswerable", method="consensus", rule_version="1")
    models.AnnotatorSkill.objects.create(
        person=ann, component="object", version=1, sensitivity_hits=1, sensitivity_misses=1, specificity_hits=1,
        specificity_misses=1, controls=2,
    )  # fmt: skip
    run = models.GenerationRun.objects.create(engine="fake", engine_version="1", seed=1, question_limit=1, by=max_)
    call = models.ModelCall.objects.create(run=run, natural_key="n", step="edit", model="m", request={}, bound=1)
    reply = models.ModelReply.objects.create(call=call, attempt=1, raw=b"x", latency_ms=1)
    models.ReplyClass.objects.create(reply=reply, classifier_version=1, kind="ok")
    release = Release.objects.create(version="0", plan={}, by=max_)
    models.LabelOpening.objects.create(release=release, by=max_, reason="audit")
    models.ClusterRuling.objects.create(
        one=item.question.image, other=factories.make_image(), same=False, by=max_, reason="Another year."
    )
    make_takedown(max_, release=release)
    models.LicenceRuling.objects.create(source=factories.make_source(), allowed=True, reason="A letter.", by=max_)
    journal.record(event="test.made", actor=ann, subject=item)
    assert journal.seal() is not None
    yield
    connections["owner"].close()


def refused(alias: str, statement: str, params: list[Any] | None = None) -> str:
    """Run the statement as that role in a transaction of its own; the database must refuse it. Returns its words."""
    with pytest.raises(DatabaseError) as caught:
        run(alias, statement, params)
    return str(caught.value)


def run(alias: str, statement: str, params: list[Any] | None = None) -> None:
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        cursor.execute(statement, params or [])
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.parametrize("alias", ROLES)
@pytest.mark.usefixtures("facts")
def test_nobody_changes_deletes_or_empties_an_append_only_table(alias: str) -> None:
    for table in APPEND_ONLY:
        with connections[alias].cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM {table}")
            assert cursor.fetchone()[0] == 1, f"{table} needs a row, or a row trigger is not tried"
        for statement in (f"UPDATE {table} SET id = id", f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
            words = refused(alias, statement)
            assert "append-only" in words or "permission denied" in words, (table, statement, words)


@pytest.mark.usefixtures("facts")
def test_the_product_cannot_switch_the_triggers_off() -> None:
    assert "permission denied" in refused("default", "SET session_replication_role = replica")
    assert "must be owner" in refused("default", "ALTER TABLE vote DISABLE TRIGGER ALL")
    assert "must be owner" in refused("default", "DROP TRIGGER vote_append_only ON vote")
    assert "must be owner" in refused("default", "DROP TABLE vote CASCADE")


def once(alias: str, statement: str) -> None:
    """The statement is fine the first time and refused the second."""
    run(alias, statement)
    assert "duplicate key" in refused(alias, statement)


@pytest.mark.parametrize("alias", ROLES)
def test_the_second_of_two_equal_rows_is_refused(committed_db: None, alias: str) -> None:
    ann = make_person("ann")
    item = factories.make_item(factories.make_campaign(ann))
    image, question, source = item.question.image, item.question, item.question.source
    once(
        alias,
        "INSERT INTO source (key, name, homepage, licence, images_redistributable, citation) VALUES ('x','x','','unknown',false,'')",
    )
    read = {"source": source, "file_name": "f", "file_sha256": "aa", "importer": "generic", "importer_version": 1, "by": ann}
    batch = ImportBatch.objects.create(**read)
    again = 'INSERT INTO import_batch SELECT (jsonb_populate_record(b, \'{"id": 999999, "key": "other"}\')).* FROM import_batch b'
    assert "import_batch_once" in refused(alias, again)
    lost = f"UPDATE import_batch SET state = 'done', rows_read = 1 WHERE id = {batch.pk}"
    assert "import_batch_counts_add_up" in refused(alias, lost)
    assert "image_sha256" in refused(
        alias,
        "INSERT INTO image (key, sha256, width, height, format, byte_size, source_id, attribution, licence,"
        " storage_key, pyramid_key, pyramid_state, pyramid_fault)"
        f" VALUES ('k', '{image.sha256}', 1, 1, 'png', 1, {source.pk}, '', '', 's', '', 'waiting', '')",
    )
    copy = 'INSERT INTO question SELECT (jsonb_populate_record(q, \'{"id": 999999, "key": "other"}\')).* FROM question q'
    assert "question_once" in refused(alias, f"{copy} WHERE id = {question.pk}")
    once(
        alias,
        "INSERT INTO screening (question_id, check_name, version, passed, detail) VALUES "
        f"({question.pk}, 'one-span', 1, true, '')",
    )
    once(
        alias,
        "INSERT INTO work_unit (kind, queue, natural_key, payload, state, attempts, leased_by, reason) VALUES "
        "('tile', 'image', 'tile:1', '{}', 'ready', 0, '', '')",
    )
    columns = "campaign_id, question_id, round, pair, colour_question, lane, priority, shuffle_key, needed, leased, voted, state"
    copy = f"INSERT INTO review_item (key, dispute_reason, {columns}) SELECT 'other', '', {columns} FROM review_item"
    assert "review_item_once" in refused(alias, f"{copy} WHERE id = {item.pk}")


def assert_row_refused(make: Any, name: str) -> None:
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        make()


def make_ruling(by: models.Person, *, newest_first: bool = False, reason: str = "A copy.") -> models.ClusterRuling:
    pair = [factories.make_image(), factories.make_image()]
    one, other = reversed(pair) if newest_first else pair
    return models.ClusterRuling.objects.create(one=one, other=other, same=True, by=by, reason=reason)


def make_takedown(
    by: models.Person, *, reason: str = "It shows me.", asked_by: str = "Otto", rows: list[str] | None = None, release: Any = None
) -> models.Erratum:
    takedown = models.Takedown.objects.create(
        image=factories.make_image(), reason=reason, asked_by=asked_by, storage_keys=["originals/aa/a"], by=by
    )
    release = release or Release.objects.create(version=takedown.key, plan={}, by=by)
    told = {"row_ids": ["r1"] if rows is None else rows, "text": "Do not use it."}
    return models.Erratum.objects.create(release=release, takedown=takedown, by=by, **told)


@pytest.mark.parametrize("alias", ROLES)
def test_what_was_taken_down_stays_so(alias: str, committed_db: None) -> None:
    image = factories.make_image(pyramid_state="erased")
    words = refused(alias, "UPDATE image SET pyramid_state = 'waiting' WHERE id = %s", [image.pk])
    assert "stays erased" in words
    connections["owner"].close()


def test_impossible_rows_are_refused(db: None) -> None:
    ann = make_person("ann")
    original = factories.make_original()
    campaign = factories.make_campaign(ann)
    item = factories.make_item(campaign, original)
    edited = factories.make_edit(factories.make_original())
    cases: list[tuple[Any, str]] = [
        (lambda: models.Person.objects.create(user=ann.user, pseudonym="ann again"), "person_user_id"),
        (lambda: models.User.objects.create(username="x", roles=["emperor"]), "user_roles_known"),
        (lambda: factories.make_image(pyramid_state="tiled"), "image_tiled_has_pyramid"),
        (lambda: make_ruling(ann, newest_first=True), "cluster_ruling_ordered"),
        (lambda: make_ruling(ann, reason=" "), "cluster_ruling_has_reason"),
        (lambda: make_takedown(ann, reason=" "), "takedown_is_explained"),
        (lambda: make_takedown(ann, asked_by=""), "takedown_is_explained"),
        (lambda: make_takedown(ann, rows=[]), "erratum_names_rows"),
        (
            lambda: models.LicenceRuling.objects.create(source=factories.make_source(), allowed=True, reason=" ", by=ann),
            "licence_ruling_has_reason",
        ),
        (lambda: factories.make_image(pyramid_state="erased", pyramid_key="pyramids/x"), "image_erased_has_nothing"),
        (lambda: factories.make_original(parent=original), "question_kind_parent_edit_state"),
        (lambda: factories.make_original(kind="edited", state="candidate"), "question_kind_parent_edit_state"),
        (lambda: models.Edit.objects.filter(pk=edited.edit_id).update(span_start=0), "edit_span_is_old_phrase"),
        (lambda: models.Edit.objects.filter(pk=edited.edit_id).update(component="mood"), "edit_component_known"),
        (lambda: models.Edit.objects.filter(pk=edited.edit_id).update(operation="invert"), "edit_operation_known"),
        (lambda: Campaign.objects.filter(pk=campaign.pk).update(votes_needed=0), "campaign_votes_needed_range"),
        (lambda: Campaign.objects.filter(pk=campaign.pk).update(coverage_needed=1.2), "campaign_coverage_range"),
        (lambda: Campaign.objects.filter(pk=campaign.pk).update(lease_seconds=5), "campaign_lease_range"),
        (lambda: models.ReviewItem.objects.filter(pk=item.pk).update(leased=-1), "review_item_counts"),
        (lambda: factories.make_vote(item, ann, "answerable", answer=""), "vote_answerable_has_answer"),
        (lambda: factories.make_vote(item, ann, "unanswerable", premise=""), "vote_unanswerable_has_premise"),
        (lambda: factories.make_vote(item, ann, "ambiguous", code=""), "vote_ambiguous_has_code"),
        (lambda: models.Decision.objects.create(question=original, verdict="answerable", method="adjudication", rule_version="1"), "decision_adjudicated_by"),
    ]  # fmt: skip
    for make, name in cases:
        assert_row_refused(make, name)


def test_a_person_holds_one_live_lease_of_an_item(db: None) -> None:
    ann = make_person("ann")
    item = factories.make_item(factories.make_campaign(ann))
    factories.make_assignment(item, ann)
    assert_row_refused(lambda: factories.make_assignment(item, ann, state="reserved"), "assignment_live_person_pair")


def test_a_person_votes_once_per_round_and_revises_only_their_own_vote(db: None) -> None:
    ann, ben = make_person("ann"), make_person("ben")
    item = factories.make_item(factories.make_campaign(ann, ben))
    first = factories.make_vote(item, ann)
    assert_row_refused(lambda: factories.make_vote(item, ann), "vote_once")
    assert_row_refused(lambda: factories.make_vote(item, ben, supersedes=first), "vote_supersedes_own")
    factories.make_vote(item, ann, supersedes=first)
    assert_row_refused(lambda: factories.make_vote(item, ann, supersedes=first), "vote_supersedes_id")


def test_a_question_has_one_current_decision(db: None) -> None:
    question, other = factories.make_original(), factories.make_original()
    values = {"verdict": "unanswerable", "method": "consensus", "rule_version": "1"}
    first = models.Decision.objects.create(question=question, **values)
    assert_row_refused(lambda: models.Decision.objects.create(question=question, **values), "decision_first_once")
    assert_row_refused(
        lambda: models.Decision.objects.create(question=other, supersedes=first, **values), "decision_supersedes_own"
    )
    models.Decision.objects.create(question=question, supersedes=first, **values)
    assert_row_refused(
        lambda: models.Decision.objects.create(question=question, supersedes=first, **values), "decision_supersedes_id"
    )


@pytest.mark.parametrize("alias", ROLES)
def test_a_published_release_can_only_be_withdrawn(committed_db: None, alias: str) -> None:
    values = published_release()
    for statement in (
        "UPDATE release SET plan = '{\"x\": 1}'",
        "UPDATE release SET state = 'draft', published_at = NULL",
        "DELETE FROM release_row",
        "DELETE FROM artifact",
        "UPDATE release_row SET split = 'test'",
        "UPDATE artifact SET sha256 = ''",
        "DELETE FROM release",
    ):
        assert "release" in refused(alias, statement).lower(), statement
    for table in ("release", "release_row", "artifact"):
        words = refused(alias, f"TRUNCATE {table} CASCADE")
        assert "TRUNCATE is refused" in words or "permission denied" in words
    with pytest.raises(IntegrityError, match="is published"), transaction.atomic():
        ReleaseRow.objects.create(**{**values, "row_id": "r2", "position": 2, "question": factories.make_original()})
    with connections[alias].cursor() as cursor:
        cursor.execute("UPDATE release SET state = 'withdrawn', withdrawn_at = now()")
    assert "can only be withdrawn" in refused(alias, "UPDATE release SET state = 'published', withdrawn_at = NULL")


def published_release() -> dict[str, Any]:
    max_ = make_person("max")
    question = factories.make_original()
    decision = models.Decision.objects.create(question=question, verdict="answerable", method="consensus", rule_version="1")
    release = Release.objects.create(version="1", plan={}, by=max_)
    values = {
        "release": release, "row_id": "r", "question": question, "decision": decision, "split": "train", "role": "original",
        "position": 1, "content": {}, "row_hash": "h",
    }  # fmt: skip
    ReleaseRow.objects.create(**values)
    models.Artifact.objects.create(release=release, path="a", storage_key="a", sha256="a", byte_size=1)
    assert_row_refused(
        lambda: ReleaseRow.objects.create(**{**values, "row_id": "r2", "position": 2}), "release_row_question_once"
    )
    assert_row_refused(lambda: Release.objects.create(version="1", plan={}, by=max_), "release_version")
    Release.objects.update(state="built", manifest_sha256="m")
    Release.objects.update(state="published", published_at=Now())
    return values


@pytest.mark.parametrize("alias", ROLES)
def test_a_run_never_reserves_past_its_budget(committed_db: None, alias: str) -> None:
    models.GenerationRun.objects.create(
        engine="fake", engine_version="1", seed=1, question_limit=1, budget=100, by=make_person("max")
    )
    with connections[alias].cursor() as cursor:
        cursor.execute("UPDATE generation_run SET reserved = 90")
        cursor.execute("UPDATE generation_run SET reserved = 0, spent = 105")  # settling may exceed by one call's bound
    assert "past its budget" in refused(alias, "UPDATE generation_run SET reserved = 1")


@pytest.mark.parametrize("alias", ROLES)
def test_a_finished_score_never_changes(committed_db: None, alias: str) -> None:
    release = Release.objects.create(version="1", plan={}, by=make_person("max"))
    submission = models.Submission.objects.create(
        release=release, model="m", predictions_sha256="p", storage_key="s", by=make_person("max")
    )
    models.Score.objects.create(
        submission=submission, scorer_version="1", refusal_rules_version="1", state="finished", metrics={"a": 1}
    )
    for statement in ("UPDATE score SET metrics = '{}'", "DELETE FROM score"):
        assert "finished score never changes" in refused(alias, statement)
    words = refused(alias, "TRUNCATE score")
    assert "never changes" in words or "permission denied" in words


def test_nothing_is_deleted_in_cascade() -> None:
    for model in apps.get_app_config("annotation").get_models():
        for field in model._meta.get_fields():
            if field.is_relation and getattr(field, "remote_field", None) and hasattr(field.remote_field, "on_delete"):
                many_to_many_rows = model.__name__ in {"User_groups", "User_user_permissions"}
                assert field.remote_field.on_delete is not CASCADE or many_to_many_rows, f"{model.__name__}.{field.name}"


def test_erasing_a_log_in_leaves_the_person(db: None) -> None:
    ann = make_person("ann")
    assert ann.user is not None
    ann.user.delete()
    ann.refresh_from_db()
    assert ann.user_id is None
    assert Source.objects.count() == 0
