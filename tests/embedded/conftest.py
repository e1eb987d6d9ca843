"""State folders for Max, and the end of all he started there."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.embedded.launcher import Launcher


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Launcher]:
    """No state folder yet."""
    with ExitStack() as stack:
        yield Launcher(tmp_path / "state", stack)


@pytest.fixture(scope="session")
def started_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder after its first start."""
    with ExitStack() as stack:
        launcher = Launcher(tmp_path_factory.mktemp("once") / "state", stack)
        done = launcher.run("true")
        assert done.returncode == 0, done.stderr
        return launcher.state


@pytest.fixture
def launcher(bare: Launcher, started_once: Path) -> Launcher:
    """A copy of a state folder that was started and stopped before: quicker than a first start."""
    shutil.copytree(started_once, bare.state)
    return bare
