"""Embedded Postgres: one cluster in the state folder, reached by a private socket only, supervised as a child."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from hardbench_web.embedded.children import Service, spawn, tail, tied
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.folders import StateFolder, keep_private
from hardbench_web.embedded.pid_file import clear_pid_file

DATABASE = "hardbench"
PORT = "5432"  # names the socket file; nothing listens on TCP
NAMESPACE = ("unshare", "--user", "--map-user=65534", "--map-group=65534")
PROVISION = Path(__file__).with_name("provision.sql")


@dataclass(frozen=True)
class Identity:
    """Under which identity postgres runs, which refuses uid 0.

    An ordinary user's own; for root a user namespace, or another user where namespaces are refused.
    """

    prefix: Sequence[str] = ()
    user: str | None = None

    @property
    def uid(self) -> int:
        """Who owns the files, seen from outside."""
        return pwd.getpwnam(self.user).pw_uid if self.user else os.geteuid()


def identity() -> Identity:
    if os.geteuid() != 0:
        return Identity()
    return Identity(prefix=NAMESPACE) if namespaces_work() else Identity(user="nobody")


def namespaces_work() -> bool:
    """Containers often refuse them."""
    if not shutil.which(NAMESPACE[0]):
        return False
    return subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode == 0


@dataclass(frozen=True)
class Cluster:
    """`programs` is the folder of the binaries, `sockets` the private folder of the socket."""

    state: StateFolder
    programs: Path
    sockets: Path
    identity: Identity

    @property
    def data(self) -> Path:
        return self.state.path / "postgres"

    def url(self, role: str) -> str:
        return f"postgresql://{role}@{quote(str(self.sockets), safe='')}:{PORT}/{DATABASE}"

    def program(self, name: str, *arguments: str | Path) -> list[str]:
        return [str(self.programs / name), *map(str, arguments)]

    def client(self, name: str, *arguments: str | Path) -> list[str]:
        return self.program(name, "-h", self.sockets, "-p", PORT, "-U", "postgres", "-d", "postgres", *arguments)

    def service(self) -> Service:
        """SIGINT is the fast shutdown, SIGQUIT leaves recovery to the next start; SIGTERM would wait for every client."""
        settings = ("-c", "listen_addresses=", "-c", "unix_socket_permissions=0700")
        return Service(
            name="postgres",
            command=self.program("postgres", "-D", self.data, "-k", self.sockets, "-p", PORT, *settings),
            log=self.state.log("postgres"),
            env=clean_environment(),
            cwd=Path("/"),
            user=self.identity.user,
            prefix=self.identity.prefix,
            death="INT",
            stops=((signal.SIGINT, 60.0), (signal.SIGQUIT, 15.0)),
            prepare=self.prepare,
            ready=self.answers,
            patience=120.0,  # recovery after a crash
            socket=self.sockets / f".s.PGSQL.{PORT}",
        )

    def prepare(self) -> None:
        """Make the cluster at the first start; heal what a crash left at a later one."""
        self.hand_over(self.sockets)
        keep_private(self.sockets, self.identity.uid)
        if (self.data / "PG_VERSION").exists():
            self.check_version()
            self.hand_over(self.data)
            clear_pid_file(self.data)
        else:
            self.create()
        for stale in self.sockets.glob(f".s.PGSQL.{PORT}*"):
            stale.unlink()

    def hand_over(self, folder: Path) -> None:
        """Give a folder and all in it to the user that postgres runs as: the last start may have been under another one."""
        uid = self.identity.uid
        if not folder.exists() or folder.stat().st_uid == uid:
            return
        for path in (folder, *folder.rglob("*")):
            os.chown(path, uid, -1, follow_symlinks=False)

    def create(self) -> None:
        """initdb into a draft folder, renamed when it is whole: a half-made cluster is never started."""
        draft = self.state.path / "postgres.new"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        self.hand_over(draft)
        made = self.initdb(draft)
        if spawn(made).wait():
            raise EmbeddedError(f"No database cluster could be made. {made.log} ends with\n{tail(made.log)}{self.hint()}")
        draft.rename(self.data)

    def initdb(self, folder: Path) -> Service:
        layout = ("-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "-A", "trust", "--data-checksums")
        return Service(
            name="initdb",
            command=self.program("initdb", "-D", folder, *layout),
            log=self.state.log("initdb"),
            env=clean_environment(),
            cwd=Path("/"),
            user=self.identity.user,
            prefix=self.identity.prefix,
        )

    def hint(self) -> str:
        if self.identity.user is None:
            return ""
        return (
            f"\nPostgres runs as user {self.identity.user} here, who must be able to enter {self.state.path} and {self.programs}."
            "\nMove the project below /srv or /var/tmp, or start it as an ordinary user."
        )

    def check_version(self) -> None:
        """A cluster is only started by the major version that made it."""
        stored = (self.data / "PG_VERSION").read_text().strip()
        asked = subprocess.run(self.program("postgres", "--version"), capture_output=True, text=True, check=True)
        found = asked.stdout.split()[2].split(".")[0]
        if stored != found:
            raise EmbeddedError(
                f"{self.data} was made by Postgres {stored}, but {self.programs} holds Postgres {found}.\n"
                "Bring the older version back, or start anew with another folder: --state DIR"
            )

    def answers(self) -> bool:
        return subprocess.run(self.client("pg_isready", "-q"), check=False, env=clean_environment()).returncode == 0

    def provision(self, *, for_tests: bool) -> None:
        """Roles, database and default privileges; repeating it changes nothing."""
        strict = ("-X", "-q", "-v", "ON_ERROR_STOP=1", *(("-v", "for_tests=on") if for_tests else ()))
        command = tied(self.client("psql", *strict, "-f", PROVISION))
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=clean_environment())
        if done.returncode:
            raise EmbeddedError(f"{PROVISION} failed:\n{done.stderr}")


def clean_environment() -> dict[str, str]:
    """Without PGPORT, PGOPTIONS and their like, which would turn our own calls elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}
