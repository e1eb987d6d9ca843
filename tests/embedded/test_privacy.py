"""Others who log in to the same machine see nothing of what Max keeps."""

import stat
from pathlib import Path

from tests.embedded.launcher import Launcher


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_state_folder_lists_nothing_and_opens_no_log_to_others(bare: Launcher) -> None:
    assert bare.run("true").returncode == 0
    assert mode(bare.state) == 0o711, "the user that postgres may run as has to pass"
    assert {path.name: mode(path) for path in bare.state.iterdir() if path.is_dir()} == {
        "logs": 0o700,
        "postgres": 0o700,
        "valkey": 0o700,
    }
