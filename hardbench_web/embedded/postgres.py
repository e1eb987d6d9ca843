"""Embedded Postgres: one cluster in the state folder, reached by a private socket only, supervised as a child."""

import os
import pwd
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Literal
from urllib.parse import quote

from hardbench_web.embedded.children import Service, spawn, tail, tied, wait_until
from hardbench_web.embedded.errors import EmbeddedError
from hardbench_web.embedded.folders import StateFolder
from hardbench_web.embedded.processes import arguments, look

DATABASE = "hardbench"
PORT = "5432"  # names the socket file; nothing listens on TCP
NAMESPACE = ("unshare", "--user", "--map-user=65534", "--map-group=65534")
PROVISION = Path(__file__).with_name("provision.sql")


@dataclass(frozen=True)
class Identity:
    """Under which identity postgres runs, which refuses uid 0.

    As an ordinary user: as that user. As root: in a user namespace, or as another user where namespaces are refused.
    """

    prefix: Sequence[str] = ()
    user: str | None = None


def identity() -> Identity:
    if os.geteuid() != 0:
        return Identity()
    if namespaces_work():
        return Identity(prefix=NAMESPACE)
    return Identity(user="nobody")


def namespaces_work() -> bool:
    """Containers often refuse them."""
    try:
        return subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@dataclass(frozen=True)
class Cluster:
    """`data` is the cluster's folder, `sockets` the private folder of its socket, `programs` where its binaries are."""

    state: StateFolder
    programs: Path
    sockets: Path
    identity: Identity

    @property
    def data(self) -> Path:
        return self.state.path / "postgres"

    def url(self, role: str) -> str:
        return f"postgresql://{role}@{quote(str(self.sockets), safe='')}:{PORT}/{DATABASE}"

    def service(self) -> Service:
        """SIGINT is the fast shutdown; SIGTERM would wait for every client to leave; SIGQUIT leaves recovery to the next start."""
        postgres = [self.programs / "postgres", "-D", self.data, "-k", self.sockets, "-p", PORT]
        settings = ["-c", "listen_addresses=", "-c", "unix_socket_permissions=0700"]
        return Service(
            name="postgres",
            command=[str(part) for part in (*postgres, *settings)],
            log=self.state.log("postgres"),
            env=clean_environment(),
            cwd=Path("/"),
            user=self.identity.user,
            prefix=self.identity.prefix,
            death="INT",
            stops=((signal.SIGINT, 60.0), (signal.SIGQUIT, 15.0)),
            prepare=self.prepare,
            ready=self.answers,
        )

    def prepare(self) -> None:
        """Make the cluster at the first start; heal what a crash left at a later one."""
        self.hand_over(self.sockets)
        if (self.data / "PG_VERSION").exists():
            self.check_version()
            clear_pid_file(self.data)
        else:
            self.create()
        for file in self.sockets.glob(f".s.PGSQL.{PORT}*"):
            file.unlink()

    def create(self) -> None:
        """initdb into a draft folder, renamed when it is whole: a half-made cluster is never started."""
        draft = self.state.path / "postgres.new"
        if draft.exists():
            rmtree(draft)
        draft.mkdir(mode=0o700)
        self.hand_over(draft)
        log = self.state.log("initdb")
        initdb = [
            self.programs / "initdb",
            "-D",
            draft,
            "-U",
            "postgres",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "-A",
            "trust",
            "--data-checksums",
        ]
        making = spawn(
            Service(
                name="initdb",
                command=[str(part) for part in initdb],
                log=log,
                env=clean_environment(),
                cwd=Path("/"),
                user=self.identity.user,
                prefix=self.identity.prefix,
            )
        )
        if making.wait() != 0:
            raise EmbeddedError(f"initdb could not make a database cluster in {draft}; {log} ends with\n{tail(log)}{self.hint()}")
        draft.rename(self.data)

    def hint(self) -> str:
        if self.identity.user is None:
            return ""
        return f"\nPostgres runs as {self.identity.user} here, who must be able to enter the state folder: --state /var/tmp/hardbench"

    def hand_over(self, folder: Path) -> None:
        """Give a folder to the user that postgres runs as."""
        if self.identity.user:
            account = pwd.getpwnam(self.identity.user)
            os.chown(folder, account.pw_uid, account.pw_gid)

    def check_version(self) -> None:
        stored = (self.data / "PG_VERSION").read_text().strip()
        printed = subprocess.run(
            [self.programs / "postgres", "--version"], capture_output=True, text=True, check=True, env=clean_environment()
        )
        program = printed.stdout.split()[2].split(".")[0]
        if stored != program:
            raise EmbeddedError(
                f"{self.data} was made by Postgres {stored}, the program found is version {program} ({self.programs}).\n"
                f"Keep the old program, or name another folder: --state DIR"
            )

    def answers(self) -> bool:
        asked = [self.programs / "pg_isready", "-h", self.sockets, "-p", PORT, "-d", "postgres", "-U", "postgres", "-q"]
        return subprocess.run(asked, check=False, env=clean_environment()).returncode == 0

    def provision(self, *, for_tests: bool) -> None:
        """Roles, database and default privileges; repeating it changes nothing."""
        extra = ["-v", "for_tests=on"] if for_tests else []
        psql = [
            self.programs / "psql",
            "-X",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            *extra,
            "-h",
            self.sockets,
            "-p",
            PORT,
            "-U",
            "postgres",
            "-d",
            "postgres",
        ]
        done = subprocess.run(
            tied([*map(str, psql), "-f", str(PROVISION)]), capture_output=True, text=True, check=False, env=clean_environment()
        )
        if done.returncode:
            raise EmbeddedError(f"{PROVISION.name} failed:\n{done.stderr}")


def clean_environment() -> dict[str, str]:
    """Without PGPORT, PGOPTIONS and their like, which would turn our own calls elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


PidFileState = Literal["none", "gone", "zombie", "foreign", "ours"]


def pid_file_state(data: Path) -> tuple[PidFileState, int]:
    """Whom postmaster.pid names: nobody any more, a zombie, a process that is no postgres of ours, or a live orphan."""
    try:
        pid = int((data / "postmaster.pid").read_text().split()[0])
    except FileNotFoundError:
        return "none", 0
    except (IndexError, ValueError):  # a crash of the machine left the file empty
        return "gone", 0
    seen = look(pid)
    if seen is None:
        return "gone", pid
    if not seen.alive:
        return "zombie", pid
    return ("ours" if str(data) in arguments(pid) else "foreign"), pid


def clear_pid_file(data: Path) -> None:
    """Postgres itself refuses to start on a pid that is a zombie or was given to somebody else; so the file goes first.

    A live orphan is asked to stop. Raises EmbeddedError if it does not.
    """
    file = data / "postmaster.pid"
    state, pid = pid_file_state(data)
    if state == "ours":
        os.kill(pid, signal.SIGINT)
        if not wait_until(lambda: pid_file_state(data)[0] != "ours", 60):
            raise EmbeddedError(f"A Postgres of an earlier start (process {pid}) does not stop. End it: kill -INT {pid}")
    file.unlink(missing_ok=True)
