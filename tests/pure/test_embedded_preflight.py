"""Max starts on a machine that lacks something: it is named together with the one command that helps."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from hardbench_web import preflight

SCRIPT = Path(preflight.__file__)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of one folder, empty at first, on a machine where no servers are given."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in preflight.GIVEN:
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def put(folder: Path, name: str, script: str = "exit 0") -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def test_it_is_readable_for_pythons_that_it_refuses() -> None:
    assert ast.parse(SCRIPT.read_text(), feature_version=(3, 7))


def test_it_imports_nothing_but_the_standard_library() -> None:
    done = subprocess.run([sys.executable, "-I", "-S", SCRIPT, "demo"], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


def test_missing_tools_are_named_with_the_installer_that_is_here(bare: Path) -> None:
    put(bare, "dnf")
    (problem,) = preflight.tool_problems()
    assert problem.startswith("setpriv")
    assert problem.endswith("dnf install util-linux")


def test_a_setpriv_that_cannot_tie_children_is_as_good_as_none(bare: Path) -> None:
    put(bare, "setpriv", "exit 1")
    put(bare, "unshare")
    assert len(preflight.tool_problems()) == 1
    put(bare, "setpriv")
    assert preflight.tool_problems() == []


def test_any_chrome_or_chromium_on_path_will_do(bare: Path) -> None:
    assert preflight.find_browser() is None
    put(bare, "google-chrome")
    assert preflight.browser_problems() == []
    assert preflight.find_browser() == str(bare / "google-chrome")


def test_a_missing_browser_is_installed_where_that_is_allowed(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    put(bare, "apt-get", f'[ "$1" = update ] || : > {bare}/chromium; /bin/chmod +x {bare}/chromium 2>/dev/null; exit 0')
    assert preflight.browser_problems() == []


def test_an_ordinary_user_is_told_the_command_instead(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    put(bare, "apt-get", f": > {bare}/chromium")
    (problem,) = preflight.browser_problems()
    assert problem.endswith("Run: sudo apt-get install --no-install-recommends chromium")
    assert not (bare / "chromium").exists()


def test_another_platform_is_sent_to_servers_of_its_own_and_taken_with_them(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    (problem,) = preflight.platform_problems()
    assert all(name in problem for name in preflight.GIVEN)
    for name in preflight.GIVEN:
        monkeypatch.setenv(name, "given")
    assert preflight.platform_problems() == []
    assert preflight.tool_problems() == []


def test_a_python_that_is_too_new_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.version_info", (3, 14, 0, "final", 0))
    (problem,) = preflight.python_problems()
    assert "found CPython 3.14" in problem
    assert "make PYTHON=" in problem


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "LEAST_DISK", 10**18)
    (problem,) = preflight.disk_problems(tmp_path)
    assert f"are free at {tmp_path}" in problem
