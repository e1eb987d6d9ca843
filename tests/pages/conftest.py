"""What several pages are tested with."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.images.operations import pyramid_key
from annotation.storage import store
from tests.squares import KEY, address_of, squares_pyramid


@pytest.fixture(scope="session")
def squares(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pyramid of the picture of squares."""
    return squares_pyramid(tmp_path_factory.mktemp("squares"))


@pytest.fixture
def own(squares: Path, tmp_path: Path, settings: Any) -> str:
    """The own address of the picture of squares, which lies in this test's own storage."""
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    store().write(pyramid_key(KEY), squares)
    return address_of(KEY)


@pytest.fixture
def below(own: str) -> Callable[..., Any]:
    """Asks for an address below that of the picture of squares. No fixture opens the database here."""

    def ask(rest: str, method: str = "get", **headers: str) -> Any:
        return getattr(Client(headers=headers), method)(f"{own}/{rest}")

    return ask
