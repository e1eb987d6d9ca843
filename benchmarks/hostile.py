"""Hostile pictures: what becomes of a whole corpus of them, and what the worst of them costs the child that looks."""

import os
import tempfile
import time
from collections import Counter
from pathlib import Path

from annotation.images import pixels
from benchmarks.harness import Figure, figure
from tests.hostile import corpus

MB = 1_000_000
SECONDS, MEMORY_MB = 10, 512
MORE = "HOSTILE_PICTURES"
"""Names a folder of more files, such as Tests/images of Pillow's own source."""


def hostile_pictures() -> list[Figure]:
    """Every file through the real gate: outcomes, the longest time, the most memory, and how many broke the child."""
    with tempfile.TemporaryDirectory() as folder:
        files = _written(Path(folder)) + _others()
        looks = [_look(path) for path in files]
    outcomes = Counter(outcome for outcome, _, _ in looks)
    said = ", ".join(f"{name} {count}" for name, count in outcomes.most_common())
    return [
        figure("hostile pictures: files", len(files), "files", rival=said),
        figure("hostile pictures: broke the child", outcomes["crash"] + outcomes["time"], "files", target="none"),
        figure("hostile pictures: longest look", max(s for _, s, _ in looks), "s", target=f"at most {SECONDS} s"),
        figure("hostile pictures: most memory", max(m for _, _, m in looks) / MB, "MB", target=f"at most {MEMORY_MB} MB"),
    ]


def _written(folder: Path) -> list[Path]:
    paths = []
    for number, case in enumerate(corpus()):
        case.make(folder / str(number))
        paths.append(folder / str(number))
    return paths


def _others() -> list[Path]:
    named = os.environ.get(MORE, "")
    return sorted(path for path in Path(named).rglob("*") if path.is_file()) if named else []


def _look(path: Path) -> tuple[str, float, int]:
    """What became of it, in how many seconds, with how many bytes at the peak (0 where the child did not live to say)."""
    start = time.perf_counter()
    try:
        peak = pixels.inspect(path).peak_bytes
    except pixels.Refused as refusal:
        return refusal.reason, time.perf_counter() - start, refusal.peak_bytes
    return "taken", time.perf_counter() - start, peak


MEASURES = {"hostile": hostile_pictures}
