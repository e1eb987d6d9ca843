"""The product runs as a role that owns nothing; only test clusters let the owner get around the triggers."""

from tests.embedded.launcher import Launcher

CODE = """
import os, psycopg
owner, app = os.environ["DATABASE_OWNER_URL"], os.environ["DATABASE_URL"]

def refused(url, *statements):
    with psycopg.connect(url, autocommit=True) as connection:
        try:
            for statement in statements:
                connection.execute(statement)
        except psycopg.errors.InsufficientPrivilege:
            return True
    return False

def database(url, name):
    return url.rsplit("/", 1)[0] + "/" + name
"""


def test_app_works_on_tables_of_the_owner_and_makes_none(launcher: Launcher) -> None:
    code = f"""{CODE}
assert not refused(owner, "CREATE TABLE votes (id serial PRIMARY KEY)")
assert not refused(app, "INSERT INTO votes DEFAULT VALUES", "UPDATE votes SET id = 2", "SELECT * FROM votes", "DELETE FROM votes")
for statement in ("CREATE TABLE mine ()", "DROP TABLE votes", "TRUNCATE votes", "CREATE DATABASE mine", "CREATE ROLE mine"):
    assert refused(app, statement) or "must be owner", statement
    assert refused(app, statement), statement
assert refused(owner, "SET session_replication_role = replica")
assert refused(owner, "CREATE ROLE mine")
"""
    done = launcher.python(code)
    assert done.returncode == 0, done.stderr


def test_test_databases_inherit_the_rights_of_app_and_let_the_owner_flush(launcher: Launcher) -> None:
    code = f"""{CODE}
assert not refused(owner, "CREATE DATABASE trial")
assert not refused(database(owner, "trial"), "CREATE TABLE votes (id serial)", "SET session_replication_role = replica")
assert not refused(database(app, "trial"), "INSERT INTO votes DEFAULT VALUES", "SELECT * FROM votes")
assert refused(database(app, "trial"), "TRUNCATE votes")
assert refused(database(app, "trial"), "SET session_replication_role = replica")
assert os.environ["HARDBENCH_TEST_CLUSTER"] == "1"
"""
    done = launcher.python(code, flags=["--for-tests"])
    assert done.returncode == 0, done.stderr
