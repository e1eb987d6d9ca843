"""Max rules that pictures are the same or are not; what he ruled holds, whatever links them later."""

import pytest
from PIL import ImageOps

from annotation.images import operations
from annotation.images.operations import NothingToSplit, ReasonMissing, SameCluster, join_clusters, split_cluster
from annotation.models import ClusterRuling, Image, JournalEntry, Person
from tests.likenesses import WINE, cropped, looked, photo

REASON = "Taken a year later."


def cluster(image: Image) -> int | None:
    return Image.objects.values_list("cluster", flat=True).get(pk=image.pk)


@pytest.fixture
def trio(db: None) -> list[Image]:
    """Three copies in one cluster."""
    images = [looked(photo()), looked(photo(longest=500)), looked(cropped(photo()))]
    assert len({cluster(image) for image in images}) == 1
    return images


def test_a_picture_that_is_split_out_is_alone_and_the_journal_says_why(trio: list[Image], max_: Person) -> None:
    first, second, _ = trio
    assert split_cluster(images=[second], by=max_, reason=f" {REASON} ") == second.pk
    assert [cluster(image) for image in trio] == [first.pk, second.pk, first.pk]
    assert list(ClusterRuling.objects.values_list("same", "by", "reason").distinct()) == [(False, max_.pk, REASON)]
    assert ClusterRuling.objects.count() == 2, "one for each picture that it is not"
    entry = JournalEntry.objects.get(event="cluster.split")
    assert (entry.actor, entry.subject_id, entry.before) == (max_, second.pk, {"cluster": first.pk})
    assert entry.after == {"images": [second.key], "clusters": [second.pk], "reason": REASON}


def test_the_oldest_can_be_split_out_and_the_rest_is_named_anew(trio: list[Image], max_: Person) -> None:
    split_cluster(images=[trio[0]], by=max_, reason=REASON)
    assert [cluster(image) for image in trio] == [trio[0].pk, trio[1].pk, trio[1].pk]


def test_several_that_are_split_out_stay_together(trio: list[Image], max_: Person) -> None:
    split_cluster(images=trio[:2], by=max_, reason=REASON)
    assert [cluster(image) for image in trio] == [trio[0].pk, trio[0].pk, trio[2].pk]


def test_a_split_holds_when_a_new_picture_resembles_both_sides(trio: list[Image], max_: Person) -> None:
    split_cluster(images=[trio[1]], by=max_, reason=REASON)
    newcomer = looked(photo(longest=700))
    assert cluster(trio[0]) != cluster(trio[1])
    assert cluster(newcomer) in {cluster(trio[0]), cluster(trio[1])}


def test_a_split_holds_when_all_is_derived_anew(trio: list[Image], max_: Person) -> None:
    split_cluster(images=[trio[1]], by=max_, reason=REASON)
    assert operations.settle_all(by=max_) == 0
    operations.relook(image=trio[1])
    assert [cluster(image) for image in trio] == [trio[0].pk, trio[1].pk, trio[0].pk]


def test_max_joins_what_the_rule_does_not_find(max_: Person) -> None:
    upright, turned = looked(photo()), looked(ImageOps.flip(photo()))
    assert cluster(upright) != cluster(turned)
    assert join_clusters(one=upright, other=turned, by=max_, reason="Upside down.") == upright.pk
    assert cluster(turned) == upright.pk
    entry = JournalEntry.objects.get(event="cluster.joined")
    assert entry.before == {"clusters": [upright.pk, turned.pk]}
    assert entry.after == {
        "images": [upright.key, turned.key],
        "clusters": [upright.pk],
        "reason": "Upside down.",
        "lifted": 0,
    }
    assert cluster(looked(ImageOps.flip(photo(longest=500)))) == upright.pk, "copies of either come to both"


def test_joining_again_lifts_the_split_for_all_pictures_of_both_sides(trio: list[Image], max_: Person) -> None:
    split_cluster(images=[trio[1]], by=max_, reason=REASON)
    join_clusters(one=trio[1], other=trio[2], by=max_, reason="I was wrong.")
    assert {cluster(image) for image in trio} == {trio[0].pk}
    assert JournalEntry.objects.get(event="cluster.joined").after["lifted"] == 1
    assert operations.settle_all(by=max_) == 0


def test_a_split_after_a_join_holds_again(trio: list[Image], max_: Person) -> None:
    split_cluster(images=[trio[1]], by=max_, reason=REASON)
    join_clusters(one=trio[1], other=trio[0], by=max_, reason="I was wrong.")
    split_cluster(images=[trio[1]], by=max_, reason="I was right.")
    assert [cluster(image) for image in trio] == [trio[0].pk, trio[1].pk, trio[0].pk]


def test_a_split_needs_pictures_of_one_cluster_and_leaves_one(trio: list[Image], max_: Person) -> None:
    other = looked(photo(WINE))
    for images in ([], trio, [other], [trio[0], other]):
        with pytest.raises(NothingToSplit):
            split_cluster(images=images, by=max_, reason=REASON)
    assert not ClusterRuling.objects.exists()


@pytest.mark.parametrize("reason", ["", " \n", "x" * 2001])
def test_a_ruling_needs_a_reason_that_can_be_read(trio: list[Image], max_: Person, reason: str) -> None:
    with pytest.raises(ReasonMissing):
        split_cluster(images=[trio[0]], by=max_, reason=reason)
    with pytest.raises(ReasonMissing):
        join_clusters(one=trio[0], other=looked(photo(WINE)), by=max_, reason=reason)


def test_what_is_one_cluster_cannot_be_joined(trio: list[Image], max_: Person) -> None:
    for other in (trio[0], trio[1]):
        with pytest.raises(SameCluster):
            join_clusters(one=trio[0], other=other, by=max_, reason=REASON)


def test_pictures_without_tiles_can_be_joined_by_hand(max_: Person) -> None:
    """They have no look and no cluster yet; when they are tiled, the ruling is there."""
    from_hand = looked(photo())
    waiting = Image.objects.get(pk=looked(photo(WINE)).pk)
    operations.forget(waiting)
    Image.objects.filter(pk=waiting.pk).update(cluster=None)
    join_clusters(one=waiting, other=from_hand, by=max_, reason=REASON)
    assert cluster(waiting) == cluster(from_hand) == from_hand.pk
