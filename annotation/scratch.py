"""Folders to work in that leave nothing behind: a picture that was taken down must not live on in a forgotten copy.

A folder lives as long as its process holds the lock beside it, and the kernel lets go of the lock however the process
ends. So what lies here without an owner is rubbish of one that was killed, and `clear` removes it at any time.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOCK = ".lock"


def root() -> Path:
    """Where all folders are, for this user alone. Raises PermissionError if somebody else has put a folder there."""
    path = Path(tempfile.gettempdir()) / f"hardbench-scratch-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if path.is_symlink() or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{path} is not a folder of this user alone: remove it, or set TMPDIR to another place.")
    return path


@contextmanager
def folder(purpose: str) -> Iterator[Path]:
    """A new folder, gone when the block ends; `purpose` is a word for whoever finds it."""
    descriptor, lock = _locked(purpose)
    path = lock.with_suffix("")
    try:
        path.mkdir(mode=0o700)
        yield path
    finally:
        _remove(path, lock)
        os.close(descriptor)


def clear() -> int:
    """Remove the folders of processes that are gone; how many."""
    removed = 0
    for lock in root().glob(f"*{LOCK}"):
        with suppress(FileNotFoundError):
            descriptor = os.open(lock, os.O_RDWR | os.O_CLOEXEC)
            try:
                if _has(descriptor, lock):
                    _remove(lock.with_suffix(""), lock)
                    removed += 1
            finally:
                os.close(descriptor)
    return removed


def _locked(purpose: str) -> tuple[int, Path]:
    """A lock file of our own. `clear` of another process may be quicker than our lock: then there is a next one."""
    while True:
        descriptor, name = tempfile.mkstemp(prefix=f"{purpose}-", suffix=LOCK, dir=root())
        if _has(descriptor, Path(name)):
            return descriptor, Path(name)
        os.close(descriptor)


def _has(descriptor: int, lock: Path) -> bool:
    """Whether we hold the lock now, and it still stands under its name."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return lock.stat().st_ino == os.fstat(descriptor).st_ino
    except (BlockingIOError, FileNotFoundError):
        return False


def _remove(path: Path, lock: Path) -> None:
    """The folder first: a lock without a folder harms nobody, a folder without a lock would stay for good."""
    shutil.rmtree(path, ignore_errors=True)
    lock.unlink(missing_ok=True)
