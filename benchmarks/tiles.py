"""Tiles: how fast they leave the server beside nginx, what crops cost, and how much of a picture a viewer fetches."""

import logging
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from django.test import Client

from annotation.access import image_info_url
from annotation.images import archive, pixels
from annotation.images.operations import pyramid_key
from annotation.storage import store
from benchmarks.harness import Figure, figure, percentile, wire
from benchmarks.images import MB, picture, timed
from benchmarks.servers import served_by_granian, served_by_nginx
from benchmarks.views import VIEWS, WINDOW, bytes_by_view
from benchmarks.web import served
from benchmarks.wire_load import CLIENTS, rate

WIDTH, HEIGHT = 12_000, 9_000  # 108 megapixels
TILES, ROUNDS = 300, 3
SHARE = 0.05
CROP_MS = 500
HEAVIEST = ["0,0,8000,8000/1448,1448/0/default.png", "pct:1,1,99,99/^max/!90/bitonal.webp", "0,0,12000,9000/1,2048/0/default.jpg"]


def tile_speed() -> list[Figure]:
    """Random tiles of one large picture through the whole application and over HTTP, beside the same bytes from files."""
    with _stored_pyramid() as (key, _):
        pyramid = archive.read_directory(store(), pyramid_key(key))
        own = _own_address(key)
        names = random.Random(1).choices(list(pyramid.entries), k=TILES)
        floor = _milliseconds(lambda name: archive.read_entry(store(), pyramid_key(key), name, pyramid.entries[name]), names)
        logging.disable(logging.INFO)
        browser = Client(headers={"host": "127.0.0.1"})
        took = _milliseconds(lambda name: browser.get(f"{own}{name}/0/default.jpg"), names)
        with wire() as sent:
            browser.get(f"{own}{names[0]}/0/default.jpg")
        crops = max(min(timed(partial(browser.get, own + heavy))[0] for _ in range(ROUNDS)) for heavy in HEAVIEST)
        logging.disable(logging.NOTSET)
        return [
            figure(
                "a tile through the application, p50", took, "ms",
                rival=f"reading its bytes alone: {floor:.3f} ms", ratio=took / floor,
            ),
            figure("statements per tile", len(sent), "statements", target="none"),
            figure("the heaviest crop that may be asked for", crops * 1000, "ms", target=f"at most {CROP_MS} ms"),
            *_rates(key, pyramid, [f"{own}{name}/0/default.jpg" for name in names], names),
        ]  # fmt: skip


def views() -> list[Figure]:
    """Bytes that the product's own viewer fetches of a large JPEG: until it is shown whole, then at three scales."""
    with _stored_pyramid() as (key, size), served(_database()) as port:
        seen = bytes_by_view(f"http://127.0.0.1:{port}", _own_address(key) + "info.json", WIDTH, HEIGHT)
    if seen is None:
        print("There is no Chromium on this machine (apt-get install chromium): what a viewer fetches is not measured.")
        return []
    against = f"sending the original: {size / MB:.1f} MB"
    name = f"{WINDOW[0]} x {WINDOW[1]} viewer, {WIDTH * HEIGHT / MB:.0f} megapixels: bytes"
    total = sum(seen.values())
    return [
        *(figure(f"{name} {view}", seen[view] / MB, "MB", rival=against, ratio=seen[view] / size) for view in VIEWS),
        figure(f"{name} in all", total / MB, "MB", target=f"at most {SHARE:.0%}", rival=against, ratio=total / size),
    ]


def _rates(key: str, pyramid: archive.Pyramid, addresses: list[str], names: list[str]) -> list[Figure]:
    with served(_database()) as port:
        ours = rate(port, addresses)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # nginx may read as somebody else
        numbers = {name: number for number, name in enumerate(pyramid.entries)}
        for name, entry in pyramid.entries.items():
            (Path(folder) / f"{numbers[name]}.jpg").write_bytes(archive.read_entry(store(), pyramid_key(key), name, entry))
        files = [f"/tiles/{numbers[name]}.jpg" for name in names]
        with served_by_granian(Path(folder)) as port:
            bare = rate(port, files)
        nginx = _nginx_rate(Path(folder), files)
    floor = f"nginx: {nginx:.0f}, " if nginx else "no nginx here (apt-get install nginx-light); "
    against = f"{floor}Granian without Python: {bare:.0f}; the same tiles as plain files"
    return [
        figure(f"tiles a second over HTTP, {CLIENTS} clients", ours, "tiles/s", rival=against, ratio=ours / (nginx or bare)),
    ]


def _nginx_rate(folder: Path, addresses: list[str]) -> float:
    """0 where there is no nginx."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        print("There is no nginx on this machine (apt-get install nginx-light): tiles are compared with Granian's own files.")
        return 0.0
    with served_by_nginx(program, folder) as port:
        return rate(port, addresses)


@contextmanager
def _stored_pyramid() -> Iterator[tuple[str, int]]:
    """A pyramid in the product's own storage: its public key, and the size of its original in bytes."""
    key = f"bench-{os.getpid()}"
    with tempfile.TemporaryDirectory() as folder:
        original = picture(Path(folder) / "picture.jpg", WIDTH, HEIGHT)
        pixels.build_pyramid(original, Path(folder) / "pyramid.zip")
        store().write(pyramid_key(key), Path(folder) / "pyramid.zip")
        try:
            yield key, original.stat().st_size
        finally:
            store().delete(pyramid_key(key))
            archive.directories.forget(store(), pyramid_key(key))


def _own_address(key: str) -> str:
    return image_info_url(image_key=key, role="annotator", at=datetime.now(UTC)).removesuffix("info.json")


def _database() -> str:
    return urlsplit(os.environ["DATABASE_URL"]).path.lstrip("/")


def _milliseconds(fetch: Callable[[str], object], names: list[str]) -> float:
    """The median time of one call per name, after a first round to warm up."""
    for name in names[:20]:
        fetch(name)
    return percentile([timed(partial(fetch, name))[0] * 1000 for name in names], 0.5)


MEASURES = {"tiles": tile_speed, "views": views}
