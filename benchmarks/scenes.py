"""Generated scenes: seconds and peak memory per picture of 108 megapixels, each drawn in a process of its own."""

import logging
import multiprocessing
import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from annotation.demo.scenes import drawing
from annotation.demo.scenes.asking import questions
from annotation.demo.scenes.families import FAMILIES
from annotation.demo.scenes.planning import plan
from benchmarks.harness import Figure, figure

WIDTH = 12_000
SECONDS, MOST_MB = 30, 1500
KB_PER_MB = 1000


def drawing_speed() -> list[Figure]:
    """The slowest and the largest of the families."""
    with tempfile.TemporaryDirectory() as folder:
        measured = [_in_its_own_process(family, Path(folder)) for family in FAMILIES]
    plans = [_seconds_to_plan_and_ask(family) for family in FAMILIES]
    megapixels = max(WIDTH * round(WIDTH * family.height) for family in FAMILIES.values()) / 1e6
    name = f"draw a scene of {megapixels:.0f} megapixels"
    return [
        figure("plan a scene and ask about it", max(plans), "s"),
        figure(name, max(seconds for seconds, _ in measured), "s", target=f"at most {SECONDS} s"),
        figure(f"{name}, peak memory", max(peak for _, peak in measured), "MB", target=f"at most {MOST_MB} MB"),
    ]


def _in_its_own_process(family: str, folder: Path) -> tuple[float, float]:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(drawn, family, str(folder / f"{family}.jpg")).result()


def drawn(family: str, path: str) -> tuple[float, float]:
    """Seconds, and megabytes of this process at its largest."""
    logging.getLogger("pyvips").setLevel(logging.ERROR)
    scene = plan(family, 1, WIDTH)
    began = time.perf_counter()
    drawing.save(scene, path)
    return time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KB_PER_MB


def _seconds_to_plan_and_ask(family: str) -> float:
    began = time.perf_counter()
    questions(plan(family, 1, WIDTH))
    return time.perf_counter() - began


MEASURES = {"scenes": drawing_speed}
