"""Pictures: how long a hundred megapixels take to tile and in how much memory, and how fast tiles leave the server."""

import http.client
import io
import logging
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import pyvips
from django.test import Client
from PIL import Image as Pillow

from annotation.access import image_info_url
from annotation.images import archive, child, pixels, tiling
from annotation.images.operations import pyramid_key
from annotation.storage import store
from benchmarks.harness import Figure, figure, percentile, wire
from benchmarks.web import CLIENTS, free_port, served, wait_for

WIDTH, HEIGHT = 12_000, 8_400  # 100.8 megapixels
TILES, PER_CLIENT, ROUNDS = 300, 250, 3
VIEW = (1400, 900)  # CSS pixels of a usual viewer
TILING_SECONDS, TILING_MB = 6, 400
MB = 1_000_000

Result = TypeVar("Result")


def tiling_speed() -> list[Figure]:
    """The child process of the product against a pyramid made with Pillow, on the same picture."""
    with tempfile.TemporaryDirectory() as folder:
        picture = _picture(Path(folder) / "picture.jpg")
        looks = [_timed(lambda: pixels.inspect(picture))[0] for _ in range(ROUNDS)]
        runs = [_timed(partial(pixels.build_pyramid, picture, Path(folder) / f"{n}.zip")) for n in range(ROUNDS)]
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            rivals = [pool.submit(_pillow_pyramid, picture).result() for _ in range(ROUNDS)]
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


def tile_speed() -> list[Figure]:
    """Random tiles of one large picture through the whole application, and what a first look at it costs."""
    with _stored_pyramid() as (key, size):
        pyramid = archive.read_directory(store(), pyramid_key(key))
        address = image_info_url(image_key=key, role="annotator", at=datetime.now(UTC)).removesuffix("info.json")
        names = random.Random(1).choices(list(pyramid.entries), k=TILES)
        floor = _milliseconds(lambda name: archive.read_entry(store(), pyramid_key(key), name, pyramid.entries[name]), names)
        logging.disable(logging.INFO)
        browser = Client(headers={"host": "127.0.0.1"})
        took = _milliseconds(lambda name: browser.get(f"{address}{name}/0/default.jpg"), names)
        with wire() as sent:
            browser.get(f"{address}{names[0]}/0/default.jpg")
        logging.disable(logging.NOTSET)
        addresses = [f"{address}{name}/0/default.jpg" for name in names]
        with served(urlsplit(os.environ["DATABASE_URL"]).path.lstrip("/")) as port:
            rate = _rate(port, addresses)
        with _served_as_files(key, pyramid) as port:
            bare = _rate(port, [f"/tiles/{number}.jpg" for number in range(len(pyramid.entries))])
        first = _first_view_bytes(pyramid)
    return [
        figure(
            "a tile through the application, p50", took, "ms",
            rival=f"reading its bytes alone: {floor:.3f} ms", ratio=took / floor,
        ),
        figure("statements per tile", len(sent), "statements", target="none"),
        figure(
            f"tiles a second over HTTP, {CLIENTS} clients", rate, "tiles/s",
            rival=f"the same tiles as plain files by Granian itself: {bare:.0f}", ratio=rate / bare,
        ),
        figure(
            f"bytes until a {VIEW[0]} x {VIEW[1]} viewer shows the whole picture", first / MB, "MB",
            rival=f"sending the original: {size / MB:.0f} MB", ratio=first / size,
        ),
    ]  # fmt: skip


def _picture(path: Path) -> Path:
    """Soft shapes under grain, as a photograph has: about 0.3 bytes a pixel."""
    soft = pyvips.Image.perlin(WIDTH // 4, HEIGHT // 4, cell_size=128, seed=1).linear(90, 128).cast("uchar").resize(4)
    bands = [soft, soft.fliphor(), soft.flipver()]
    grain = pyvips.Image.gaussnoise(WIDTH, HEIGHT, mean=0, sigma=6, seed=2)
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


@contextmanager
def _stored_pyramid() -> Iterator[tuple[str, int]]:
    """A pyramid in the product's own storage: its public key, and the size of its original in bytes."""
    key = f"bench-{os.getpid()}"
    with tempfile.TemporaryDirectory() as folder:
        picture = _picture(Path(folder) / "picture.jpg")
        pixels.build_pyramid(picture, Path(folder) / "pyramid.zip")
        store().write(pyramid_key(key), Path(folder) / "pyramid.zip")
        try:
            yield key, picture.stat().st_size
        finally:
            store().delete(pyramid_key(key))


def _rate(port: int, addresses: list[str]) -> float:
    """Tiles a second of several clients on kept connections. Clients and server share the machine's cores."""
    wanted = (addresses * PER_CLIENT)[:PER_CLIENT]
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(lambda _: _fetch(port, wanted[:50]), range(CLIENTS)))
        seconds, _ = _timed(lambda: list(pool.map(lambda _: _fetch(port, wanted), range(CLIENTS))))
    return CLIENTS * PER_CLIENT / seconds


@contextmanager
def _served_as_files(key: str, pyramid: archive.Pyramid) -> Iterator[int]:
    """The floor: tiles unpacked into a folder that Granian serves without asking Python."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, entry) in enumerate(pyramid.entries.items()):
            (Path(folder) / f"{number}.jpg").write_bytes(archive.read_entry(store(), pyramid_key(key), name, entry))
        command = [sys.executable, "-m", "granian", "--interface", "wsgi", "hardbench_web.wsgi:application", "--workers", "2"]
        options = ["--host", "127.0.0.1", "--port", str(port), "--static-path-route", "/tiles", "--static-path-mount", folder]
        server = subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            yield port
        finally:
            server.terminate()
            server.wait(timeout=30)


def _fetch(port: int, addresses: list[str]) -> None:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for address in addresses:
        link.request("GET", address)
        response = link.getresponse()
        response.read()
        if response.status != 200:
            raise RuntimeError(f"{address} answered {response.status}")
    link.close()


def _first_view_bytes(pyramid: archive.Pyramid) -> int:
    """The tiles of the smallest level that is at least as large as the viewer."""
    needed = min(VIEW[0] / pyramid.width, VIEW[1] / pyramid.height)
    factor = max(factor for factor in tiling.scale_factors(pyramid.width, pyramid.height) if 1 / factor >= needed)
    return sum(pyramid.entries[cut.name].size for cut in tiling.level_tiles(pyramid.width, pyramid.height, factor))


def _milliseconds(fetch: Callable[[str], object], names: list[str]) -> float:
    """The median time of one call per name, after a first round to warm up."""
    for name in names[:20]:
        fetch(name)
    return percentile([_timed(partial(fetch, name))[0] * 1000 for name in names], 0.5)


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


MEASURES = {"tiling": tiling_speed, "tiles": tile_speed}
