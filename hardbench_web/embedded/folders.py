"""The state folder: its lock, its secret, its logs, and the short folder for sockets that belongs to it."""

import fcntl
import json
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hardbench_web.embedded.errors import EmbeddedError

LOCK = "lock"
LONGEST_SOCKET = 107  # bytes: sun_path of Linux without its closing zero
LONGEST_NAME = "hardbench-xxxxxxxx/.s.PGSQL.5432"
PASSABLE = 0o711  # others may pass, as the user that postgres may have to run as, but see nothing
LARGEST_LOG = 10_000_000  # bytes


@dataclass(frozen=True)
class StateFolder:
    """Everything one installation keeps. `path` is absolute and resolved."""

    path: Path

    def log(self, name: str) -> Path:
        """The log file of a service; one that has grown large is set aside first."""
        file = self.path / "logs" / f"{name}.log"
        file.parent.mkdir(mode=0o700, exist_ok=True)
        if file.exists() and file.stat().st_size > LARGEST_LOG:
            file.replace(file.with_suffix(".log.1"))
        return file

    def secret_key(self) -> str:
        """Made once, readable by its owner only."""
        file = self.path / "secret_key"
        if not file.exists():
            write_privately(file, secrets.token_urlsafe(64))
        return file.read_text()

    def wipe(self) -> None:
        """Remove all but the lock, which is held."""
        self.drop_sockets()
        for entry in self.path.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif entry.name != LOCK:
                entry.unlink()

    def new_sockets(self, bases: list[Path]) -> Path:
        """A new private folder, its path short enough for sockets; the one of a killed launcher is removed."""
        self.drop_sockets()
        folder = Path(tempfile.mkdtemp(prefix="hardbench-", dir=short_base(bases)))
        write_privately(self.path / "socket-folder", str(folder))
        return folder

    def drop_sockets(self) -> None:
        record = self.path / "socket-folder"
        if record.exists():
            shutil.rmtree(record.read_text(), ignore_errors=True)
            record.unlink()


@contextmanager
def held(path: Path, *, url: str = "") -> Iterator[StateFolder]:
    """Make the folder if needed and hold its lock; raises EmbeddedError if it is held already or is somebody else's."""
    path = path.resolve()
    claim(path)
    with open(path / LOCK, "a+") as lock:
        take(lock.fileno(), path)
        lock.truncate(0)
        lock.write(json.dumps({"pid": os.getpid(), "url": url}))
        lock.flush()
        yield StateFolder(path)


def claim(path: Path) -> None:
    """Make the folder or recognise it. `--fresh` empties it, so it has to be ours from the first day."""
    try:
        path.mkdir(mode=PASSABLE, parents=True, exist_ok=True)
        foreign = not (path / LOCK).exists() and any(path.iterdir())
        if not foreign:
            (path / LOCK).touch()
    except PermissionError as error:
        raise EmbeddedError(f"{error.filename} is closed to user {os.geteuid()}. Name another folder: --state DIR") from None
    if foreign:
        raise EmbeddedError(f"{path} is not empty and is no state folder. Name a new or an empty one: --state DIR")


def take(lock: int, path: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise EmbeddedError(already_running(path)) from None


def already_running(path: Path) -> str:
    try:
        holder = json.loads((path / LOCK).read_text())
    except json.JSONDecodeError:  # read between the holder's truncate and its write
        holder = {}
    where = f" at {holder['url']}" if holder.get("url") else ""
    return (
        f"Already running{where} (process {holder.get('pid', 'unknown')}, state folder {path}).\n"
        "Stop it with Ctrl-C in its terminal, or name another folder: --state DIR"
    )


def write_privately(file: Path, text: str) -> None:
    """Whole or not at all, mode 600."""
    draft = file.with_name(f"{file.name}.new")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as handle:
        handle.write(text)
    draft.replace(file)


def socket_bases() -> list[Path]:
    """Where the socket folder may be, the best first."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    own = [Path(runtime)] if runtime else []
    return [*own, Path(tempfile.gettempdir()), Path("/tmp")]  # noqa: S108 - mkdtemp makes a private folder in it


def short_base(bases: list[Path]) -> Path:
    for base in bases:
        short = len(os.fsencode(base / LONGEST_NAME)) <= LONGEST_SOCKET
        if short and base.is_dir() and os.access(base, os.W_OK | os.X_OK):
            return base
    tried = ", ".join(map(str, bases))
    raise EmbeddedError(f"No folder is writable and short enough for a socket ({LONGEST_SOCKET} bytes). Tried: {tried}")


def keep_private(folder: Path, owner: int) -> None:
    """Make the folder again if it was wiped; trust authentication rests on nobody but its owner entering it."""
    if not folder.exists():
        folder.mkdir(mode=0o700)
        os.chown(folder, owner, -1)
    seen = folder.lstat()
    if not stat.S_ISDIR(seen.st_mode) or stat.S_IMODE(seen.st_mode) != 0o700 or seen.st_uid != owner:
        raise EmbeddedError(f"{folder} is not a private folder of user {owner} (mode 700) any more. Remove it and start again.")
