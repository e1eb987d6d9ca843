"""Imports: rows per second from JSON lines into Postgres, first waiting and then as questions, and the peak memory."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection

from annotation.models import Acquisition, Image, Person, Source
from annotation.questions.intake import import_rows
from annotation.sources.layouts import reading
from benchmarks.harness import Figure, figure

ROWS, PER_PICTURE = 200_000, 10
TARGET_RATE, TARGET_MB = 20_000, 300
COLOURS = ("red", "green", "blue", "yellow", "white", "black", "brown", "grey")
MB = 1_000_000
CHILD = """
import django, json, sys
django.setup()
from benchmarks.imports import imported
print(json.dumps(imported(*sys.argv[1:])))
"""


def import_speed() -> list[Figure]:
    """One file of made-up rows about pictures that are not here, then the same rows where they are; against COPY alone."""
    tag = f"bench-{time.time_ns()}"
    with tempfile.TemporaryDirectory() as folder:
        path = _file(Path(folder) / "rows.jsonl", tag, PER_PICTURE)
        single = _file(Path(folder) / "single.jsonl", f"{tag}-single", 1)
        read = _seconds(lambda: sum(1 for _ in reading(path, "generic")))
        staged = _in_child(path, f"{tag}-absent", present=False)
        lone = _in_child(single, f"{tag}-single", present=False)
        stored = _in_child(path, f"{tag}-present", present=True)
        floor = _copy_alone(path)
    target = f"at least {TARGET_RATE:,}"
    return [
        figure("read rows and lay them out, nothing written", ROWS / read, "rows/s"),
        figure(
            "import JSON lines, pictures not here yet", ROWS / staged["seconds"], "rows/s",
            target=target, rival=f"COPY of the bare lines: {ROWS / floor:,.0f}", ratio=floor / staged["seconds"],
        ),
        figure("the same, a new picture in every row", ROWS / lone["seconds"], "rows/s"),
        figure(
            "import JSON lines until they are questions", ROWS / stored["seconds"], "rows/s",
            target=target, rival=f"COPY of the bare lines: {ROWS / floor:,.0f}", ratio=floor / stored["seconds"],
        ),
        figure("peak memory of an import", max(staged["mb"], stored["mb"]), "MB", target=f"under {TARGET_MB} MB"),
    ]  # fmt: skip


def _file(path: Path, tag: str, per_picture: int) -> Path:
    """Rows of one picture stand beside each other, as in the sources."""
    with path.open("w") as stream:
        for number in range(ROWS):
            colour, other = COLOURS[number % 8], COLOURS[number // 8 % 8]
            question = f"What is left of the {colour} kettle beside the {other} box number {number}?"
            row = {"id": f"row-{number}", "image": f"{tag}/{number // per_picture}.jpg", "question": question, "answer": other}
            stream.write(json.dumps({**row, "box": [10, 20, 310.5, 400], "family": "relation"}) + "\n")
    return path


def _in_child(path: Path, key: str, *, present: bool) -> dict[str, float]:
    """In a process of its own, so that its peak memory is the import's."""
    person = Person.objects.create(pseudonym=key[-30:])
    source = Source.objects.create(key=key[-40:], name=key)
    if present:
        _pictures(path, source)
    words = [sys.executable, "-W", "ignore", "-c", CHILD, str(path), str(source.pk), str(person.pk)]
    found: dict[str, float] = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return found


def imported(path: str, source: str, person: str) -> dict[str, float]:
    """Import a file, in this process; seconds and the process's peak memory."""
    values: dict[str, Any] = {"source": Source.objects.get(pk=source), "by": Person.objects.get(pk=person)}
    took = _seconds(lambda: import_rows(path=Path(path), layout="generic", **values))
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return {"seconds": took, "mb": int(peak.split()[1]) * 1024 / MB}


def _pictures(path: Path, source: Source) -> None:
    with path.open() as stream:
        names = list(dict.fromkeys(json.loads(line)["image"] for line in stream))
    shape = {"width": 2000, "height": 1500, "format": "jpeg", "byte_size": 1, "source": source}
    images = Image.objects.bulk_create(
        [Image(sha256=f"{source.pk:032x}{n:032x}", storage_key=f"bench/{source.pk}/{n}", **shape) for n in range(len(names))],
        batch_size=2000,
    )
    rows = zip(names, images, strict=True)
    Acquisition.objects.bulk_create(
        [Acquisition(source=source, name=name, image=image, state="stored") for name, image in rows], batch_size=2000
    )


def _copy_alone(path: Path) -> float:
    """What Postgres needs to take the lines as they are into a table without indexes."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE bare (line text)")

        def copy() -> None:
            with cursor.copy("COPY bare FROM STDIN") as stream, path.open() as lines:
                for line in lines:
                    stream.write(line)

        return _seconds(copy)


def _seconds(deed: Callable[[], Any]) -> float:
    start = time.perf_counter()
    deed()
    return time.perf_counter() - start


MEASURES = {"import": import_speed}
