"""Max takes a picture down: its bytes are destroyed, nothing more is asked about it, and users of releases are told."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation import work
from annotation.images import pixels
from annotation.images.operations import (
    AlreadyTakenDown,
    Refused,
    TakedownUnexplained,
    pyramid_key,
    take_in,
    tile,
)
from annotation.models import (
    Acquisition,
    Assignment,
    Erratum,
    Image,
    ImageLook,
    JournalEntry,
    Person,
    Question,
    Release,
    ReviewItem,
    Takedown,
    Vote,
    WorkUnit,
)
from annotation.releases import operations, queries
from annotation.releases.verify import verify
from annotation.review.operations import ItemWithdrawn, cast_vote, claim_next
from annotation.storage import store
from annotation.tasks.handlers import HANDLERS
from tests import factories, pictures
from tests.decided import built_release
from tests.people import make_person

WHY = {"reason": "It shows my garden.", "asked_by": "Otto Outside"}
ABSENT = {"verdict": "unanswerable", "premise": "object", "evidence": {"kind": "none", "reason": "not_pictorial"}}


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


@pytest.fixture
def image(max_: Person, tmp_path: Path) -> Image:
    """A picture that is here, in tiles."""
    path = pictures.jpeg(tmp_path / "garden.jpg", 1300, 900)
    image = take_in(path=path, by=max_, source=factories.make_source())
    tile(image_id=image.pk)
    image.refresh_from_db()
    return image


def take_down(image: Image, by: Person | None = None, **values: Any) -> Takedown:
    takedown, _unit = operations.take_down(image_key=image.key, by=by or make_person("max"), **{**WHY, **values})
    return takedown


def stored(image: Image) -> list[str]:
    return [key for key in (image.storage_key, pyramid_key(image.key)) if store().exists(key)]


def erase(image: Image) -> dict[str, Any]:
    """What a worker does with the unit."""
    return HANDLERS["erase"](WorkUnit.objects.get(natural_key=f"erase:{image.key}").payload)


def test_the_bytes_are_destroyed_and_a_tombstone_stays(image: Image) -> None:
    assert len(stored(image)) == 2
    take_down(image)
    assert erase(image)["erased"] == 2
    assert stored(image) == []
    assert not ImageLook.objects.filter(image=image).exists()
    left = Image.objects.get(pk=image.pk)
    assert (left.pyramid_state, left.pyramid_key, left.sha256) == ("erased", "", image.sha256)


def test_the_same_bytes_are_not_taken_in_again_under_any_name(image: Image, max_: Person, tmp_path: Path) -> None:
    take_down(image)
    for name in ("garden.jpg", "again.jpg"):
        with pytest.raises(Refused, match="taken down"):
            take_in(path=tmp_path / "garden.jpg", by=max_, source=factories.make_source(), name=name)
        row = Acquisition.objects.get(name=name)
        assert (row.state, row.image) == ("refused", None)
        assert "taken down on request" in row.reason
    assert erase(image)["erased"] == 2
    assert stored(image) == []


def test_its_questions_are_withdrawn_and_leave_review_with_everybodys_hold_on_them(image: Image, ann: Person) -> None:
    original = factories.make_original(image=image)
    factories.make_edit(original)
    campaign = factories.make_campaign(ann)
    open_item = factories.make_item(campaign, original)
    disputed = factories.make_item(campaign, factories.make_original("Where is it?", image=image), state="disputed")
    other = factories.make_item(campaign)
    claimed = claim_next(person=ann)
    assert claimed.task is not None
    take_down(image)
    assert set(Question.objects.filter(image=image).values_list("state", flat=True)) == {"withdrawn"}
    states = dict(ReviewItem.objects.values_list("pk", "state"))
    assert states == {open_item.pk: "withdrawn", disputed.pk: "withdrawn", other.pk: "open"}
    assert not Assignment.objects.filter(live=True).exclude(item=other).exists()
    assert set(ReviewItem.objects.exclude(pk=other.pk).values_list("leased", flat=True)) == {0}
    following = claim_next(person=ann)
    assert following.task is not None
    assert following.task.item == other.key


def test_ann_is_told_that_her_vote_in_flight_is_not_kept(image: Image, ann: Person) -> None:
    factories.make_item(factories.make_campaign(ann), factories.make_original(image=image))
    claimed = claim_next(person=ann)
    assert claimed.task is not None
    take_down(image)
    with pytest.raises(ItemWithdrawn, match="taken down meanwhile"):
        cast_vote(token=claimed.task.token, person=ann, client_key="k", body=ABSENT)
    assert not Vote.objects.exists()


def test_a_vote_that_came_before_stays_and_its_answer_is_given_again(image: Image, ann: Person) -> None:
    factories.make_item(factories.make_campaign(ann), factories.make_original(image=image), needed=3)
    claimed = claim_next(person=ann)
    assert claimed.task is not None
    vote = {"token": claimed.task.token, "person": ann, "client_key": "k", "body": ABSENT}
    first = cast_vote(**vote)
    take_down(image)
    again = cast_vote(**vote)
    assert (again.vote, again.repeated) == (first.vote, True)


def test_a_takedown_says_why_and_who_asked(image: Image) -> None:
    for empty in ({"reason": " \n"}, {"asked_by": " "}, {"reason": "x" * 2001}, {"asked_by": "x" * 201}):
        with pytest.raises(TakedownUnexplained) as refusal:
            take_down(image, **empty)
        assert refusal.value.field == next(iter(empty))
    assert not Takedown.objects.exists()
    image.refresh_from_db()
    assert image.pyramid_state == "tiled"


def test_a_picture_is_taken_down_once_and_one_that_is_none_never(image: Image) -> None:
    take_down(image)
    with pytest.raises(AlreadyTakenDown):
        take_down(image, reason="Once more.")
    with pytest.raises(operations.NoSuchPicture):
        operations.take_down(image_key="nothing", by=make_person("max"), **WHY)
    assert Takedown.objects.get().reason == WHY["reason"]


def test_the_journal_tells_of_it_without_names(image: Image, max_: Person) -> None:
    factories.make_original(image=image)
    takedown = take_down(image)
    entry = JournalEntry.objects.get(event="image.taken-down")
    assert entry.actor == max_
    assert entry.after == {"takedown": takedown.key, "sha256": image.sha256, "items": 0, "questions": 1, "errata": []}
    told = json.dumps(list(JournalEntry.objects.values("before", "after")))
    assert "Otto" not in told
    assert "garden" not in told


def test_erasing_waits_for_a_worker_that_may_be_writing_tiles(image: Image) -> None:
    lease = work.claim(unit_id=WorkUnit.objects.get(natural_key=f"tile:{image.key}").pk, worker="cutter")
    assert lease is not None
    take_down(image)
    with pytest.raises(work.NotYet):
        erase(image)
    assert len(stored(image)) == 2
    work.finish(lease=lease, result={})
    erase(image)
    assert stored(image) == []


def test_tiles_that_were_cut_meanwhile_do_not_stay(image: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.objects.filter(pk=image.pk).update(pyramid_state="waiting", pyramid_key="")
    build = pixels.build_pyramid

    def overtaken(*args: Any, **options: Any) -> Any:
        made = build(*args, **options)
        take_down(image)
        return made

    monkeypatch.setattr(pixels, "build_pyramid", overtaken)
    assert tile(image_id=image.pk)["made"] is False
    assert stored(image) == [image.storage_key]
    assert Image.objects.get(pk=image.pk).pyramid_state == "erased"
    assert not ImageLook.objects.exists()
    assert tile(image_id=image.pk)["made"] is False, "and asking again makes none"


def test_a_picture_that_cannot_be_cut_stays_taken_down(image: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.objects.filter(pk=image.pk).update(pyramid_state="waiting", pyramid_key="")

    def overtaken(*_args: Any, **_options: Any) -> Any:
        take_down(image)
        raise Refused("damaged")

    monkeypatch.setattr(pixels, "build_pyramid", overtaken)
    with pytest.raises(Refused):
        tile(image_id=image.pk)
    assert Image.objects.get(pk=image.pk).pyramid_state == "erased"


def test_what_came_in_between_is_withdrawn_when_the_bytes_go(image: Image) -> None:
    take_down(image)
    late = factories.make_original(image=image)
    assert erase(image)["questions"] == 1
    late.refresh_from_db()
    assert late.state == "withdrawn"


def test_a_restored_backup_is_erased_again(image: Image) -> None:
    takedown = take_down(image)
    erase(image)
    store().write(pyramid_key(image.key), b"from a backup")
    operations.finish_takedown(takedown=takedown)
    assert stored(image) == []


@pytest.fixture
def release(max_: Person) -> Release:
    return built_release(by=max_)


def picture_of(release: Release) -> Image:
    row = release.rows.order_by("position").select_related("question__image")[0]
    return row.question.image


def publish(release: Release) -> Release:
    return operations.publish_release(release_key=release.key, by=make_person("max"))


def test_a_published_release_stays_as_it_is_and_gets_an_erratum(release: Release, tmp_path: Path) -> None:
    publish(release)
    image = picture_of(release)
    rows = list(release.rows.filter(question__image=image).order_by("position").values_list("row_id", flat=True))
    take_down(image)
    erratum = Erratum.objects.get()
    assert (erratum.release, erratum.row_ids) == (release, rows)
    assert "garden" not in erratum.text
    files = operations.export_release(release=release, folder=tmp_path / "hardbench-1.0")
    assert verify(tmp_path / "hardbench-1.0", expect=release.manifest_sha256).sound
    told = json.loads((tmp_path / "hardbench-1.0.errata.json").read_text())
    assert tmp_path / "hardbench-1.0.errata.json" in files
    assert told["manifest"] == release.manifest_sha256
    assert [one["rows"] for one in told["errata"]] == [rows]


def test_a_release_without_errata_hands_out_none(release: Release, tmp_path: Path) -> None:
    publish(release)
    operations.export_release(release=release, folder=tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert queries.errata_json(release)["errata"] == []


def test_a_built_release_with_rows_about_it_is_not_published_any_more(release: Release) -> None:
    image = picture_of(release)
    rows = release.rows.filter(question__image=image).count()
    take_down(image)
    with pytest.raises(operations.RowsWithdrawn, match=rf"rows: {rows}\)"):
        publish(release)
    assert not Erratum.objects.exists()


def test_max_reads_beforehand_what_it_would_touch(release: Release, ann: Person) -> None:
    image = picture_of(release)
    item = factories.make_item(factories.make_campaign(ann), image.questions.order_by("pk")[0])
    factories.make_vote(item, ann)
    before = queries.reach_of(image)
    assert (before.items, before.votes, before.unpublished, before.published) == (1, 1, ["1.0"], [])
    publish(release)
    copy = factories.make_image(cluster=image.pk)
    Image.objects.filter(pk=image.pk).update(cluster=image.pk)
    image.refresh_from_db()
    after = queries.reach_of(image)
    assert after.published == [("1.0", release.rows.filter(question__image=image).count())]
    assert (after.unpublished, after.copies) == ([], [copy.key])
    take_down(image)
    assert queries.reach_of(image).questions == 0
