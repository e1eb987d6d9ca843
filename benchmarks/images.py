"""Pictures: how long a hundred megapixels take to tile, and in how much memory."""

import io
import multiprocessing
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

import pyvips
from PIL import Image as Pillow

from annotation.images import child, pixels, tiling
from benchmarks.harness import Figure, figure

WIDTH, HEIGHT = 12_000, 8_400  # 100.8 megapixels
ROUNDS = 3
TILING_SECONDS, TILING_MB = 4, 350
MB = 1_000_000

Result = TypeVar("Result")


def tiling_speed() -> list[Figure]:
    """The child process of the product against a pyramid made with Pillow, on the same picture."""
    with tempfile.TemporaryDirectory() as folder:
        original = picture(Path(folder) / "picture.jpg")
        looks = [timed(lambda: pixels.inspect(original))[0] for _ in range(ROUNDS)]
        runs = [timed(partial(pixels.build_pyramid, original, Path(folder) / f"{n}.zip")) for n in range(ROUNDS)]
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            rivals = [pool.submit(_pillow_pyramid, original).result() for _ in range(ROUNDS)]
    seconds, peak = min(one for one, _ in runs), max(pyramid.peak_bytes for _, pyramid in runs)
    rival_seconds, rival_peak = min(one for one, _ in rivals), max(one for _, one in rivals)
    name = f"{WIDTH * HEIGHT / MB:.0f} megapixels"
    return [
        figure(f"check every pixel of {name}", min(looks), "s"),
        figure(
            f"tile {name}", seconds, "s",
            target=f"at most {TILING_SECONDS} s", rival=f"Pillow: {rival_seconds:.1f} s", ratio=seconds / rival_seconds,
        ),
        figure(
            f"tile {name}, peak memory", peak / MB, "MB",
            target=f"at most {TILING_MB} MB", rival=f"Pillow: {rival_peak / MB:.0f} MB", ratio=peak / rival_peak,
        ),
    ]  # fmt: skip


def picture(path: Path, width: int = WIDTH, height: int = HEIGHT) -> Path:
    """Soft shapes under grain, as a photograph has: about 0.3 bytes a pixel."""
    soft = pyvips.Image.perlin(width // 4, height // 4, cell_size=128, seed=1).linear(90, 128).cast("uchar").resize(4)
    bands = [soft, soft.fliphor(), soft.flipver()]
    grain = pyvips.Image.gaussnoise(width, height, mean=0, sigma=6, seed=2)
    coloured = pyvips.Image.bandjoin(bands[0], bands[1:])  # type: ignore[arg-type]
    (coloured + grain).cast("uchar").copy(interpretation="srgb").jpegsave(str(path), Q=90)
    return path


def _pillow_pyramid(picture: Path) -> tuple[float, int]:
    """Seconds and peak bytes of a pyramid made in one process with Pillow, in memory."""
    start = time.perf_counter()
    with Pillow.open(picture) as level:
        level.load()
        for factor in tiling.scale_factors(WIDTH, HEIGHT):
            for cut in tiling.level_tiles(WIDTH, HEIGHT, factor):
                left, top = cut.x // factor, cut.y // factor
                part = level.crop((left, top, left + cut.out_width, top + cut.out_height))
                part.save(io.BytesIO(), "JPEG", quality=85)
            level = level.reduce(2)
    return time.perf_counter() - start, child.peak_bytes()


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


MEASURES = {"tiling": tiling_speed}
