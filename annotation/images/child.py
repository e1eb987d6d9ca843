"""The process that touches untrusted pixels: `python -m annotation.images.child <picture> [--out <pyramid>] ...`.

It limits itself before it looks at anything: memory, processor time, size of files, no core dump, no new privileges,
no network where the kernel allows that, and it dies with its parent. It knows no Django, no database and no secrets.
The answer is one line of JSON: `{"ok": {...}}` or `{"refused": <reason of formats.REASONS>, "detail": ...}`.
Anything else (a signal, another exit code) is a crash, which the parent records like any other refusal.
"""

import argparse
import ctypes
import json
import resource
import signal
import sys
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


def confine(*, memory: int, seconds: int, file_size: int) -> None:
    """Give up rights for good: `memory` (address space) and `file_size` in bytes, `seconds` of processor time."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    # A network of one's own has no way out. Root gets it directly, others with a user namespace, some not at all.
    if libc.unshare(CLONE_NEWNET) != 0:
        libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))  # SIGXCPU first, so that the parent knows the reason
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="annotation.images.child")
    parser.add_argument("path", type=Path)
    parser.add_argument("--out", type=Path, help="write the pyramid here; without it the picture is only checked")
    parser.add_argument("--memory", type=int, required=True, help="bytes of address space")
    parser.add_argument("--seconds", type=int, required=True, help="of processor time")
    parser.add_argument("--file-size", type=int, required=True, help="bytes of the largest file it may write")
    return parser.parse_args()


def peak_bytes() -> int:
    """Peak memory of this process. Not ru_maxrss: that one remembers the parent it was forked from."""
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    given = arguments()
    confine(memory=given.memory, seconds=given.seconds, file_size=given.file_size)
    # Only now: a network namespace holds for the threads that are started later, and the library starts threads.
    from annotation.images import decoding

    answer: dict[str, Any]
    try:
        found = decoding.tile(given.path, given.out) if given.out else decoding.inspect(given.path)
        answer = {"ok": {**found, "peak_bytes": peak_bytes()}}
    except decoding.Undecodable as refusal:
        answer = {"refused": refusal.reason, "detail": refusal.detail, "peak_bytes": peak_bytes()}
    print(json.dumps(answer))
    sys.exit(0)
