"""A fresh state folder for Max, and the end of all he started there."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.embedded.launcher import Launcher


@pytest.fixture
def launcher(tmp_path: Path) -> Iterator[Launcher]:
    with ExitStack() as stack:
        yield Launcher(tmp_path / "state", stack)
