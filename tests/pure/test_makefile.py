"""What a machine without any Python is told."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("target", ["demo", "demo-check", "manage", "test", "check"])
def test_a_machine_without_python_is_told_what_to_install(target: str) -> None:
    command = ["make", "--no-print-directory", target, "PYTHON=no-such-python"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "There is no no-such-python on PATH" in done.stderr
    assert "apt-get install python3.11" in done.stderr
    assert done.stdout == ""
