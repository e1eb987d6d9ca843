"""Nothing that was worked on is left behind, whoever killed the worker."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from annotation import scratch

WORKER = """
from annotation import scratch
with scratch.folder("intake") as folder:
    (folder / "picture").write_bytes(b"private")
    print(folder, flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def worker(place: Path) -> Iterator["subprocess.Popen[str]"]:
    """A process in the middle of its work; its first line names its folder."""
    environment = {**os.environ, "TMPDIR": str(place)}
    with subprocess.Popen(
        [sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield process
        process.kill()


def folder_of(worker: "subprocess.Popen[str]") -> Path:
    assert worker.stdout is not None
    return Path(worker.stdout.readline().strip())


def test_a_folder_is_gone_after_its_work_however_that_ended() -> None:
    with suppress(ZeroDivisionError), scratch.folder("intake") as folder:
        (folder / "picture").write_bytes(b"private")
        raise ZeroDivisionError
    assert list(scratch.root().iterdir()) == []


def test_what_a_killed_worker_left_is_cleared_away(worker: "subprocess.Popen[str]") -> None:
    folder = folder_of(worker)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert (folder / "picture").read_bytes() == b"private"
    assert scratch.clear() == 1
    assert list(scratch.root().iterdir()) == []


def test_a_folder_that_is_in_use_is_left_alone_by_this_and_by_other_processes(worker: "subprocess.Popen[str]") -> None:
    theirs = folder_of(worker)
    with scratch.folder("tiles") as ours:
        assert scratch.clear() == 0
        assert theirs.is_dir()
        assert ours.is_dir()


def test_a_lock_that_lost_its_name_before_it_was_held_is_not_believed() -> None:
    """`clear` came between: the name is gone, or stands for another file by now."""
    descriptor, lock = scratch._locked("intake")
    lock.unlink()
    assert not scratch._has(descriptor, lock)
    lock.touch()
    assert not scratch._has(descriptor, lock)
    os.close(descriptor)


def test_a_folder_that_others_can_read_is_not_worked_in(place: Path) -> None:
    scratch.root().chmod(0o755)
    with pytest.raises(PermissionError, match="TMPDIR"), scratch.folder("intake"):
        pytest.fail("worked in a folder of others")
