"""Two launchers on one state folder."""

from tests.embedded.launcher import Launcher, alive


def test_a_second_start_says_who_runs_already_and_touches_nothing(launcher: Launcher) -> None:
    launcher.stay()
    assert launcher.process
    before = launcher.services()
    second = launcher.run("true")
    assert second.returncode == 1
    assert f"Already running (process {launcher.process.pid}, state folder {launcher.state})" in second.stderr
    assert launcher.services() == before
    assert all(alive(pid) for pid in before.values())
