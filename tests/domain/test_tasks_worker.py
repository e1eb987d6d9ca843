"""A real Celery worker on a real broker does what the rows ask for, also when the message about it was lost."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection

from annotation import work
from annotation.generation.operations import start_run
from annotation.images.operations import acquire_by_address, take_in, want
from annotation.models import Acquisition, Image, Person, WorkUnit
from annotation.sources.rows import Wanted
from annotation.tasks import work as tasks
from tests import factories, pictures
from tests.hosts import host
from tests.people import make_person

PATIENCE_SECONDS = 60
OPTIONS = ("--pool", "solo", "--queues", "io,image,llm,release", "--without-mingle", "--without-gossip", "--loglevel", "WARNING")


@pytest.fixture(scope="module")
def worker(django_db_setup: None) -> Iterator[subprocess.Popen[bytes]]:
    """The product's worker on the database of this test run; ended as a supervisor ends it."""
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    surroundings = {
        **os.environ,
        "DATABASE_URL": database.geturl(),
        "STORAGE_URL": settings.STORAGE_URL,
        "DJANGO_SETTINGS_MODULE": "hardbench_web.settings",
        "OUTBOUND_ALLOW": "127.0.0.1",
    }
    process = subprocess.Popen([sys.executable, "-m", "celery", "-A", "hardbench_web", "worker", *OPTIONS], env=surroundings)
    yield process
    process.terminate()
    assert process.wait(timeout=PATIENCE_SECONDS) == 0


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


def outcome(unit: WorkUnit) -> str:
    """How the unit ended, waited for."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        unit.refresh_from_db()
        if unit.finished_at is not None:
            return unit.state
        Event().wait(0.05)
    return f"{unit.state} after {PATIENCE_SECONDS} s"


def picture_to_tile(by: Person, folder: Path) -> WorkUnit:
    take_in(path=pictures.jpeg(folder / "scene.jpg"), by=by, source=factories.make_source())
    return WorkUnit.objects.get(kind="tile")


@pytest.mark.usefixtures("worker")
def test_a_message_makes_the_worker_tile_a_picture(max_: Person, tmp_path: Path) -> None:
    unit = picture_to_tile(max_, tmp_path)
    tasks.send([unit])
    assert outcome(unit) == "done"
    assert (unit.attempts, unit.result["made"]) == (1, True)
    assert Image.objects.get().pyramid_state == "tiled"


@pytest.mark.usefixtures("worker")
def test_a_unit_whose_message_was_lost_is_found_by_the_sweep(max_: Person, tmp_path: Path) -> None:
    unit = picture_to_tile(max_, tmp_path)
    tasks.sweep.apply_async(queue="io")
    assert outcome(unit) == "done"


@pytest.mark.usefixtures("worker")
def test_what_an_engine_refuses_is_parked_with_its_reason_and_the_next_unit_is_done(max_: Person, tmp_path: Path) -> None:
    question = factories.make_original(by=max_)
    start_run(by=max_, engine="fake", limit=1, seed=1, parameters={"script": {question.text: {"refuse": "It is a chart."}}})
    refused, tiled = WorkUnit.objects.get(kind="generate"), picture_to_tile(max_, tmp_path)
    tasks.send([refused, tiled])
    assert (outcome(refused), outcome(tiled)) == ("parked", "done")
    assert refused.reason == "It is a chart."


@pytest.mark.usefixtures("worker")
def test_messages_in_any_number_do_a_unit_once(max_: Person, tmp_path: Path) -> None:
    unit = picture_to_tile(max_, tmp_path)
    tasks.send([unit] * 20)
    assert outcome(unit) == "done"
    assert unit.attempts == 1
    assert work.claim(unit_id=unit.pk, worker="late") is None


@pytest.mark.usefixtures("worker")
def test_a_wanted_address_is_fetched_and_tiled_without_anybody_watching(max_: Person, tmp_path: Path) -> None:
    source, body = factories.make_source(), pictures.jpeg(tmp_path / "scene.jpg").read_bytes()
    with host() as fake:
        want(source=source, wanted=[Wanted(fake.says("/a.jpg", body=body)), Wanted(fake.url("/gone.jpg"))])
        acquire_by_address(by=max_, source=source)
        tasks.sweep.apply_async(queue="io")
        assert [outcome(unit) for unit in WorkUnit.objects.filter(kind="fetch")] == ["done", "done"]
    tasks.sweep.apply_async(queue="io")
    assert outcome(WorkUnit.objects.get(kind="tile")) == "done"
    assert sorted(Acquisition.objects.values_list("state", flat=True)) == ["gone", "stored"]
    assert Image.objects.get().pyramid_state == "tiled"
