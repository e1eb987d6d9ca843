"""Max asks `manage.py check` what is wrong with an installation and gets the remedy."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from annotation.images import decoders, probe
from hardbench_web import checks


def ids(found: list[Any]) -> list[str]:
    assert all(message.hint for message in found)
    return [message.id for message in found]


def test_a_storage_that_is_no_folder_is_named(settings: Any, tmp_path: Path) -> None:
    settings.STORAGE_URL = "ftp://somewhere"
    assert ids(checks.storage_is_usable()) == ["hardbench.E001"]
    (tmp_path / "file").write_text("")
    settings.STORAGE_URL = f"file://{tmp_path}/file/pictures"
    assert ids(checks.storage_is_usable()) == ["hardbench.E002"]
    settings.STORAGE_URL = f"file://{tmp_path}/new/pictures"
    assert ids(checks.storage_is_usable()) == []


def test_a_broker_of_another_kind_is_named(settings: Any) -> None:
    settings.REDIS_URL = "amqp://guest@localhost"
    assert ids(checks.broker_is_named()) == ["hardbench.E003"]
    settings.REDIS_URL = "redis+socket:///run/valkey.sock?virtual_host=0"
    assert ids(checks.broker_is_named()) == []


@pytest.mark.django_db(databases=["default", "owner"])
def test_the_product_must_not_run_as_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ids(checks.product_owns_nothing(["default"])) == []
    monkeypatch.setattr(checks, "connections", {"default": checks.connections["owner"]})
    assert ids(checks.product_owns_nothing(["default"])) == ["hardbench.E005"]


def test_a_deployment_names_its_hosts(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    assert ids(checks.hosts_are_named()) == ["hardbench.W001"]


def test_the_libraries_for_pictures_are_new_enough_and_shut_to_what_is_untrusted() -> None:
    assert ids(checks.decoders_are_sound()) == []


def test_an_old_library_and_one_that_opens_everything_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"versions": {"libvips": [8, 18, 2], "Pillow": [13, 0, 0]}, "opened": ["SVG"]}
    old, opened = decoders.flaws(found)
    assert "8.18.2" in old
    assert "SVG" in opened
    monkeypatch.setattr(decoders, "look", lambda: [old])
    assert ids(checks.decoders_are_sound()) == ["hardbench.E009"]


def test_the_trial_rests_on_a_file_that_the_library_opens_unless_it_is_told_not_to(tmp_path: Path) -> None:
    (tmp_path / "drawing").write_bytes(probe.UNTRUSTED["SVG"])
    code = "import sys, pyvips; print(pyvips.Image.new_from_file(sys.argv[1]).width)"
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "drawing"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "9"
