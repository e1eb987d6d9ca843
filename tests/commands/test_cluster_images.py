"""Max compares all pictures anew after the rule changed; what he ruled by hand stays."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.images.looks import VERSION
from annotation.images.operations import pyramid_key, split_cluster, take_in, tile
from annotation.models import Image, ImageLook, Person
from annotation.storage import store
from tests.factories import make_source
from tests.likenesses import looked, photo, saved


def outcome(*arguments: str) -> dict[str, object]:
    out = io.StringIO()
    call_command("cluster_images", "--by", "max", "--json", *arguments, stdout=out)
    return json.loads(out.getvalue())


def test_looks_of_another_rule_are_made_anew_and_rulings_hold(max_: Person) -> None:
    images = [looked(photo()), looked(photo(longest=500)), looked(photo(longest=700))]
    split_cluster(images=[images[1]], by=max_, reason="Another year.")
    ImageLook.objects.update(version=VERSION - 1)
    before = list(Image.objects.order_by("pk").values_list("cluster", flat=True))
    assert outcome() == {"rule": VERSION, "looks": 3, "failed": 0, "changed": 0, "failures": []}
    assert list(Image.objects.order_by("pk").values_list("cluster", flat=True)) == before
    assert outcome()["looks"] == 0, "there is nothing left to do"


def test_a_picture_that_cannot_be_read_is_named_and_the_others_go_on(
    max_: Person, tmp_path: Path, settings: object, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"  # type: ignore[attr-defined]
    images = [
        take_in(path=saved(photo(longest=size), tmp_path / f"{size}.jpg"), by=max_, source=make_source()) for size in (600, 700)
    ]
    for image in images:
        tile(image_id=image.pk)
    ImageLook.objects.all().delete()
    store().delete(pyramid_key(images[0].key))
    with pytest.raises(SystemExit) as ended:
        call_command("cluster_images", "--by", "max")
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert images[0].key in said
    assert list(ImageLook.objects.values_list("image", flat=True)) == [images[1].pk]


def test_only_a_maintainer_may(ann: Person, db: None) -> None:
    with pytest.raises(CommandError, match="may not"):
        call_command("cluster_images", "--by", "ann")
