"""Sockets need short, private folders, whatever Max's checkout and his machine's cleaners are like."""

import shutil
from pathlib import Path

from tests.embedded.launcher import Launcher, answers, eventually


def test_a_very_long_state_folder_works(bare: Launcher) -> None:
    bare.state = bare.state / ("deep" * 20) / ("deeper" * 10)
    assert bare.sql("SELECT 1") == [[1]]


def test_a_runtime_folder_is_used_and_one_that_is_too_long_is_not(launcher: Launcher, tmp_path: Path) -> None:
    short, long = tmp_path / "r", tmp_path / ("runtime" * 12)
    short.mkdir()
    long.mkdir()
    assert str(short) in launcher.run("printenv", "REDIS_URL", XDG_RUNTIME_DIR=str(short)).stdout
    assert str(long) not in launcher.run("printenv", "REDIS_URL", XDG_RUNTIME_DIR=str(long), TMPDIR=str(long)).stdout


def test_a_wiped_socket_folder_is_made_again_while_the_command_runs(launcher: Launcher) -> None:
    env = launcher.stay()
    broker = Path(env["REDIS_URL"].split("//")[1].split("?")[0])
    assert eventually(lambda: answers(env["DATABASE_URL"]))
    shutil.rmtree(broker.parent)
    assert eventually(lambda: broker.exists() and answers(env["DATABASE_URL"]))
    assert broker.parent.stat().st_mode & 0o777 == 0o700
