"""Max takes pictures down from the command line, and again after a backup was restored."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Image, Person, Takedown
from annotation.storage import store
from tests import factories

WHY = ["--asked-by", "Otto", "--reason", "It shows me."]


@pytest.fixture
def image(max_: Person) -> Image:
    image = factories.make_image()
    store().write(image.storage_key, b"original")
    return image


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    call_command("take_down", *arguments, "--by", "max", "--json")
    return json.loads(capsys.readouterr().out)


def test_the_bytes_are_gone_when_the_command_ends(image: Image, capsys: pytest.CaptureFixture[str]) -> None:
    (told,) = outcome(capsys, image.key, *WHY)["pictures"]
    assert (told["image"], told["erased"], told["waits"]) == (image.key, 2, "")
    assert not store().exists(image.storage_key)


def test_a_restored_backup_is_erased_again(image: Image, capsys: pytest.CaptureFixture[str]) -> None:
    outcome(capsys, image.key, *WHY)
    store().write(image.storage_key, b"original")
    (told,) = outcome(capsys, "--again")["pictures"]
    assert told["erased"] == 2
    assert not store().exists(image.storage_key)


@pytest.mark.parametrize(("arguments", "code"), [([], 2), (["KEY", "--again"], 2), (["nothing", *WHY], 3), (["KEY"], 2)])
def test_a_wrong_call_changes_nothing(image: Image, arguments: list[str], code: int) -> None:
    with pytest.raises(CommandError) as refusal:
        call_command("take_down", *[image.key if one == "KEY" else one for one in arguments], "--by", "max")
    assert refusal.value.returncode == code
    assert not Takedown.objects.exists()


def test_without_any_takedown_there_is_nothing_to_do_again(max_: Person, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("take_down", "--again", "--by", "max")
    assert "No picture was taken down" in capsys.readouterr().out
