"""Max publishes a release; from then on it can only be withdrawn. Researchers take it home."""

import io
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction

from annotation import storage
from annotation.images.operations import join_clusters, split_cluster
from annotation.models import JournalEntry, Person, Release
from annotation.releases import operations, queries
from annotation.releases.verify import verify
from tests.decided import PLAN, built_release
from tests.people import make_person


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


@pytest.fixture
def release(max_: Person) -> Release:
    return built_release(by=max_)


def publish(release: Release) -> Release:
    return operations.publish_release(release_key=release.key, by=make_person("max"))


def withdraw(release: Release, reason: str = "A source was withdrawn.") -> Release:
    return operations.withdraw_release(release_key=release.key, reason=reason, by=make_person("max"))


def test_a_built_release_is_published_with_its_time(release: Release, max_: Person) -> None:
    published = publish(release)
    assert published.state == "published"
    assert queries.why_withdrawn(release) == ""
    assert published.published_at is not None
    entry = JournalEntry.objects.get(event="release.published")
    assert (entry.actor, entry.before, entry.after["manifest"]) == (max_, {"state": "built"}, release.manifest_sha256)


def test_a_draft_cannot_be_published_nor_a_built_one_withdrawn(release: Release, max_: Person) -> None:
    draft = operations.draft_release(version="2.0", plan=PLAN, by=max_)
    with pytest.raises(operations.WrongState, match=r"2\.0 is draft"):
        publish(draft)
    with pytest.raises(operations.WrongState):
        withdraw(release)


def test_a_published_release_is_withdrawn_once_with_a_reason(release: Release) -> None:
    publish(release)
    withdrawn = withdraw(release)
    assert (withdrawn.state, withdrawn.rows.count()) == ("withdrawn", 6)
    assert withdrawn.withdrawn_at is not None
    assert JournalEntry.objects.get(event="release.withdrawn").after["reason"] == "A source was withdrawn."
    assert queries.why_withdrawn(release) == "A source was withdrawn."
    for again in (publish, withdraw):
        with pytest.raises(operations.WrongState):
            again(release)


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_a_withdrawal_needs_a_reason(release: Release, reason: str) -> None:
    publish(release)
    with pytest.raises(operations.ReasonMissing):
        withdraw(release, reason)
    assert Release.objects.get().state == "published"


def test_a_published_release_cannot_be_asked_to_build_again(release: Release, max_: Person) -> None:
    publish(release)
    with pytest.raises(operations.WrongState):
        operations.request_build(release_key=release.key, by=max_)


def test_nobody_changes_rows_of_a_published_release(release: Release) -> None:
    publish(release)
    with pytest.raises(IntegrityError), transaction.atomic():
        release.rows.update(split="val")
    with pytest.raises(IntegrityError), transaction.atomic():
        release.artifacts.all().delete()


def test_a_release_whose_stored_files_were_touched_is_not_published(release: Release) -> None:
    key = release.artifacts.get(path="data/train.jsonl").storage_key
    path = Path(settings.STORAGE_URL.removeprefix("file://")) / key
    path.chmod(0o600)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"green", b"brown"))
    with pytest.raises(operations.ReleaseBroken, match="sizes and hashes"):
        publish(release)
    assert Release.objects.get().state == "built"
    path.write_bytes(whole)
    assert publish(release).state == "published"


def test_max_reads_the_verifiers_report_of_what_is_stored(release: Release) -> None:
    report = operations.check_release(release)
    assert report.sound
    assert [check.name for check in report.checks if check.state == "not checked"] == ["errata", "signature", "journal"]


@pytest.mark.parametrize("deed", [publish, withdraw])
def test_a_release_that_is_not_there_is_said_to_be_missing(max_: Person, deed: object) -> None:
    with pytest.raises(queries.ReleaseUnknown):
        deed(Release(key="nowhere"))  # type: ignore[operator]


def test_researchers_get_a_zip_that_is_the_same_every_time_and_verifies(release: Release, tmp_path: Path) -> None:
    first, second = (b"".join(operations.zip_chunks(release=release)) for _ in range(2))
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path)
    assert verify(tmp_path / "hardbench-1.0", expect=release.manifest_sha256).sound


def test_a_draft_has_nothing_to_hand_out(max_: Person, tmp_path: Path) -> None:
    draft = operations.draft_release(version="1.0", plan=PLAN, by=max_)
    with pytest.raises(operations.NotBuilt):
        operations.export_release(release=draft, folder=tmp_path)
    with pytest.raises(operations.NotBuilt):
        operations.zip_chunks(release=draft)


def test_an_export_does_not_mix_with_what_is_there(release: Release, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(operations.FolderNotEmpty):
        operations.export_release(release=release, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_an_export_that_breaks_off_leaves_nothing_behind(release: Release, tmp_path: Path) -> None:
    last = queries.artifacts_of(release).order_by("path").last()
    assert last is not None
    storage.store().delete(last.storage_key)
    with pytest.raises(storage.NoSuchKey):
        operations.export_release(release=release, folder=tmp_path / "out")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(("out", ".release"))]


def test_a_place_that_cannot_be_written_is_named(release: Release, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(operations.FolderUnwritable, match="file/out cannot be written"):
        operations.export_release(release=release, folder=tmp_path / "file" / "out")


def test_releases_are_listed_newest_first_with_their_rows(release: Release, max_: Person) -> None:
    draft = operations.draft_release(version="2.0", plan=PLAN, by=max_)
    assert [(each.version, each.row_count) for each in queries.releases()] == [("2.0", 0), ("1.0", 6)]  # type: ignore[attr-defined]
    assert queries.release_by_version("1.0") == queries.release_by_key(release.key) == release
    assert queries.release_by_key(draft.key) == draft
    for read, name in ((queries.release_by_key, "nowhere"), (queries.release_by_version, "9.9")):
        with pytest.raises(queries.ReleaseUnknown):
            read(name)


def test_copies_that_were_found_since_the_build_keep_a_release_from_straddling(release: Release, max_: Person) -> None:
    train, test = (release.rows.filter(split=split).first() for split in ("train", "test"))
    assert train is not None
    assert test is not None
    one, other = train.question.image, test.question.image
    join_clusters(one=one, other=other, by=max_, reason="The same photograph.")
    with pytest.raises(operations.ClustersChanged, match="Build a new version"):
        publish(release)
    assert Release.objects.get().state == "built"
    split_cluster(images=[other], by=max_, reason="Another one after all.")
    assert publish(release).state == "published"
