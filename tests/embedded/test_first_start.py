"""Max starts on a bare machine, and again the next morning."""

import stat

from tests.embedded.launcher import Launcher


def test_max_finds_his_rows_again_in_the_next_start(bare: Launcher) -> None:
    bare.sql("CREATE TABLE pictures AS SELECT 'harbour' AS name")
    assert bare.sql("SELECT name FROM pictures", role="app") == [["harbour"]]


def test_the_exit_code_of_the_command_is_passed_on_and_its_output_is_alone(launcher: Launcher) -> None:
    done = launcher.run("sh", "-c", "echo rows; exit 7")
    assert (done.returncode, done.stdout, done.stderr) == (7, "rows\n", "")


def test_the_command_gets_a_broker_and_a_secret_that_stays(launcher: Launcher) -> None:
    code = "import os, redis; redis.Redis(unix_socket_path=os.environ['REDIS_URL'].split('//')[1].split('?')[0]).ping()"
    assert launcher.python(code).returncode == 0
    secrets = {launcher.run("printenv", "SECRET_KEY").stdout for _ in range(2)}
    assert len(secrets) == 1
    assert len(secrets.pop()) > 60
    assert stat.S_IMODE((launcher.state / "secret_key").stat().st_mode) == 0o600


def test_a_fresh_start_forgets_everything_but_refuses_a_folder_that_is_not_its_own(launcher: Launcher) -> None:
    launcher.sql("CREATE TABLE pictures AS SELECT 1")
    assert launcher.sql("SELECT to_regclass('pictures')::text", flags=["--fresh"]) == [[None]]
    (launcher.state / "lock").unlink()
    refused = launcher.run("true", flags=["--fresh"])
    assert refused.returncode == 1
    assert "is not empty and is no state folder" in refused.stderr
    assert (launcher.state / "postgres").exists()


def test_a_command_that_does_not_exist_is_named(launcher: Launcher) -> None:
    done = launcher.run("no-such-program", DATABASE_URL="x", DATABASE_OWNER_URL="x", REDIS_URL="x")
    assert done.returncode in (1, 127)
    assert "no-such-program" in done.stderr
