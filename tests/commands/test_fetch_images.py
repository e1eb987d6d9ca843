"""`fetch_images` as Max types it: where pictures come from, what it says, and that a killed run goes on where it stopped."""

import io
import json
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as used
from django.core.management import CommandError, call_command
from django.db import connection

from annotation.images.operations import want
from annotation.models import Acquisition, FetchHost, Image, JournalEntry, Person, WorkUnit
from annotation.sources.rows import Wanted
from tests import pictures
from tests.factories import make_source
from tests.hosts import Host, Visit, host
from tests.moments import ago
from tests.people import make_person

MANAGE = Path(__file__).parents[2] / "manage.py"


@pytest.fixture(autouse=True)
def _own_storage(tmp_path: Path, settings: Any) -> None:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    settings.OUTBOUND_ALLOW = ["127.0.0.1"]


@pytest.fixture
def fake() -> Iterator[Host]:
    with host() as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twelve pictures that differ."""
    (tmp_path / "photos").mkdir()
    for number in range(12):
        pictures.jpeg(tmp_path / "photos" / f"{number:02}.jpg", 60 + number, 40)
    return tmp_path / "photos"


def archive_of(folder: Path) -> Path:
    path = folder.parent / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for picture in sorted(folder.iterdir()):
            archive.write(picture, picture.name)
    return path


def wants(*names: str) -> None:
    want(source=make_source(), wanted=[Wanted(name) for name in names])


def run(*words: Any) -> tuple[dict[str, Any], int]:
    """What the command says as JSON, and its exit code."""
    out = io.StringIO()
    try:
        call_command("fetch_images", "--source", "demo-photos", "--by", "max", "--json", *map(str, words), stdout=out)
    except SystemExit as end:
        return json.loads(out.getvalue()), int(end.code or 0)
    return json.loads(out.getvalue()), 0


def test_max_takes_a_folder_and_reads_what_is_missing(folder: Path, max_: Person) -> None:
    wants("00.jpg", "none.jpg")
    said, code = run("--folder", folder)
    assert (code, said["stored"], said["absent"], said["still_wanted"]) == (0, 1, 1, 1)


def test_an_archive_in_which_some_are_refused_ends_with_6(folder: Path, max_: Person) -> None:
    (folder / "bad.jpg").write_text("no picture")
    wants("00.jpg", "bad.jpg")
    said, code = run("--zip", archive_of(folder))
    assert (code, said["stored"], said["refused"]) == (6, 1, 1)
    assert said["refusals"][0]["name"] == "bad.jpg"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--folder", "/nowhere"], 3),
        (["--zip", "/nowhere.zip"], 3),
        (["--zip", __file__], 2),
        (["--retry", "stored"], 2),
        (["--retry", "x"], 2),
    ],
)
def test_what_cannot_begin_says_why(max_: Person, words: list[str], code: int) -> None:
    make_source()
    with pytest.raises(CommandError) as caught:
        run(*words)
    assert caught.value.returncode == code


def test_a_source_that_is_not_here_ends_with_3(max_: Person) -> None:
    with pytest.raises(CommandError, match="no source") as caught:
        run()
    assert caught.value.returncode == 3


def meets(fake: Host, **values: Any) -> None:
    FetchHost.objects.create(host=f"127.0.0.1:{fake.port}", spacing=timedelta(0), **values)


def test_addresses_are_asked_right_here_without_any_worker(fake: Host, folder: Path, max_: Person) -> None:
    meets(fake)
    wants(fake.says("/a.jpg", body=(folder / "00.jpg").read_bytes()), fake.url("/gone.jpg"))
    said, code = run("--jobs", 1)
    assert (code, said["queued"], said["stored"], said["gone"], said["still_wanted"]) == (6, 2, 1, 1, 0)
    assert run("--jobs", 1)[0]["queued"] == 0
    fake.says("/gone.jpg", body=(folder / "01.jpg").read_bytes())
    said, code = run("--jobs", 1, "--retry", "gone,throttled")
    assert (code, said["stored"]) == (0, 1)
    assert JournalEntry.objects.filter(event="pictures.asked-again").count() == 1


def test_a_host_that_is_slow_to_come_round_is_left_to_the_next_run(fake: Host, max_: Person) -> None:
    meets(fake)
    wants(fake.says("/a.jpg", "429 Slow", Retry_After="1000"))
    said, code = run("--jobs", 1)
    assert (code, said["stored"], said["throttled"]) == (1, 0, 1)
    assert 990 < said["next_attempt_in_seconds"] < 1010


def test_addresses_can_be_left_to_the_workers(fake: Host, max_: Person) -> None:
    wants(fake.url("/a.jpg"))
    said, code = run("--queue-only")
    assert (code, said["queued"], said["still_wanted"], fake.visits) == (0, 1, 1, [])


def process(*words: Any) -> "subprocess.Popen[str]":
    """The command as a real process on this run's database."""
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    surroundings = {
        **os.environ,
        "DATABASE_URL": database.geturl(),
        "STORAGE_URL": used.STORAGE_URL,
        "DJANGO_SETTINGS_MODULE": "hardbench_web.settings",
        "OUTBOUND_ALLOW": "127.0.0.1",
    }
    command = [sys.executable, str(MANAGE), "fetch_images", "--source", "demo-photos", "--by", "max", "--json", *map(str, words)]
    return subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, text=True)


def killed_after(count: int, *words: Any) -> int:
    """Start the command, kill it when `count` pictures are stored; how many are stored then."""
    running = process(*words)
    while Acquisition.objects.filter(state="stored").count() < count:
        assert running.poll() is None, running.stdout
        Event().wait(0.01)
    running.send_signal(signal.SIGKILL)
    assert running.wait(20) == -signal.SIGKILL
    if running.stdout:
        running.stdout.close()
    return Acquisition.objects.filter(state="stored").count()


def finished(*words: Any) -> dict[str, Any]:
    running = process(*words)
    said, _ = running.communicate(timeout=120)
    assert running.returncode == 0
    return json.loads(said)


@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize("place", ["--folder", "--zip"])
def test_a_killed_run_over_files_goes_on_where_it_stopped(folder: Path, place: str) -> None:
    make_person("max")
    names = sorted(path.name for path in folder.iterdir())
    wants(*names)
    where = folder if place == "--folder" else archive_of(folder)
    stored = killed_after(3, place, where)
    stored = killed_after(stored + 2, place, where)
    assert finished(place, where)["stored"] == len(names) - stored
    assert Image.objects.count() == len(names) == JournalEntry.objects.filter(event="image.stored").count()
    assert WorkUnit.objects.filter(kind="tile").count() == len(names)
    assert not Acquisition.objects.exclude(state="stored").exists()


@pytest.mark.usefixtures("committed_db")
def test_a_killed_run_over_addresses_goes_on_where_it_stopped(fake: Host, folder: Path) -> None:
    make_person("max")
    meets(fake)
    for path in folder.iterdir():
        wants(fake.says(f"/{path.name}", body=path.read_bytes()))

    def hangs(visit: Visit) -> None:
        fake.says("/11.jpg", body=(folder / "11.jpg").read_bytes())
        visit.drip(b"", 0.1)

    fake.does("/11.jpg", hangs)
    killed_after(11, "--jobs", 2)
    assert Acquisition.objects.get(name=fake.url("/11.jpg")).state == "fetching"
    WorkUnit.objects.filter(state="leased").update(leased_until=ago(1))
    assert finished("--jobs", 2)["stored"] == 1
    assert Image.objects.count() == 12
    assert set(WorkUnit.objects.filter(kind="fetch").values_list("state", flat=True)) == {"done"}
