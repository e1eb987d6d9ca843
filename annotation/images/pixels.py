"""Looking at pictures through a confined child process: the check at intake, and the pyramid.

A picture that cannot be taken, and a child that crashes, hangs or eats too much, are one ordinary outcome: Refused
with a reason from the closed list of formats.REASONS.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation import scratch
from annotation.errors import Invalid
from annotation.hashing import sha256_file
from annotation.images import formats

PROJECT = Path(__file__).resolve().parents[2]
MIB = 1 << 20
MOST_ANSWER = 64 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one child may use: bytes of address space, seconds of processor and of wall clock, bytes of a file."""

    memory: int
    cpu_seconds: int
    wall_seconds: int
    file_size: int


GATE = Limits(memory=512 * MIB, cpu_seconds=60, wall_seconds=90, file_size=MIB)
# Progressive JPEG, WebP and AVIF keep the whole picture in memory or in a file. Their headers have passed by then.
WIDE_GATE = Limits(memory=2048 * MIB, cpu_seconds=60, wall_seconds=90, file_size=1024 * MIB)
# dzsave breaks down below 1.5 GiB of address space while it uses about 0.2; turning a picture spools it to a file.
TILING = Limits(memory=2048 * MIB, cpu_seconds=240, wall_seconds=300, file_size=2048 * MIB)


class Refused(Invalid):
    """The picture is not taken in. `reason` is a key of formats.REASONS; `peak_bytes` the child's memory, if it could say."""

    code = "picture-refused"

    def __init__(self, reason: str, detail: str = "", peak_bytes: int = 0) -> None:
        super().__init__(f"{formats.REASONS[reason]} {detail}".rstrip())
        self.reason = reason
        self.peak_bytes = peak_bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that passed the gate: its upright size in pixels, format, size in bytes and sha256 of the file.

    `peak_bytes` is what looking at it took.
    """

    width: int
    height: int
    format: str
    bytes: int
    sha256: str
    peak_bytes: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Pyramid:
    """What tiling found: the upright size, a small grey view (see `looks`), and the child's peak memory."""

    width: int
    height: int
    thumb: bytes
    peak_bytes: int


def inspect(path: Path) -> Picture:
    """Check a file by content, header and every pixel. Raises Refused; OSError if the file cannot be read."""
    size = path.stat().st_size
    if size > formats.MAX_BYTES:
        raise Refused("bytes")
    try:
        found = _ask(path, GATE)
    except Refused as refusal:
        if refusal.reason not in {"memory", "crash"}:
            raise
        found = _ask(path, WIDE_GATE)
    return Picture(found["width"], found["height"], found["format"], size, sha256_file(path), found["peak_bytes"])


def build_pyramid(path: Path, out: Path, *, limits: Limits = TILING) -> Pyramid:
    """Write the pyramid of a picture to `out` (a new file beside which there is room to work). Raises Refused."""
    found = _ask(path, limits, out)
    return Pyramid(found["width"], found["height"], bytes.fromhex(found["thumb"]), found["peak_bytes"])


def _ask(path: Path, limits: Limits, out: Path | None = None) -> dict[str, Any]:
    command = [sys.executable, "-m", "annotation.images.child", str(path.resolve())]
    command += ["--memory", str(limits.memory), "--seconds", str(limits.cpu_seconds), "--file-size", str(limits.file_size)]
    if out is not None:
        command += ["--out", str(out.resolve())]
    with scratch.folder("picture") as folder, tempfile.TemporaryFile() as answer:
        code = _run(command, answer, limits.wall_seconds, str(folder))
        answer.seek(0)
        return _understood(code, answer.read(MOST_ANSWER))


def _run(command: list[str], answer: Any, seconds: int, folder: str) -> int:
    # A bare environment: the child needs no secret, so it gets none.
    environment = {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "TMPDIR": folder,
        "MALLOC_ARENA_MAX": "2",  # glibc reserves 64 MiB of address space per arena
        "VIPS_BLOCK_UNTRUSTED": "1",
        "VIPS_CONCURRENCY": str(min(4, os.cpu_count() or 1)),
    }
    process = subprocess.Popen(
        command, cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL, stdout=answer, stderr=subprocess.DEVNULL
    )
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired as error:
        raise Refused("time") from error
    finally:
        process.kill()
        process.wait()


def _understood(code: int, answer: bytes) -> dict[str, Any]:
    if code == -signal.SIGXCPU:
        raise Refused("time")
    try:
        said = json.loads(answer) if code == 0 else {}
    except ValueError:
        said = {}
    if "ok" in said:
        return said["ok"]
    if said.get("refused") in formats.REASONS:
        raise Refused(said["refused"], said.get("detail", ""), said.get("peak_bytes", 0))
    raise Refused("crash", f"It ended with code {code}.")
