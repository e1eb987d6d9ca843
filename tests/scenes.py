"""Small scenes put together by hand, and a process of its own for drawing."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from annotation.demo.scenes.geometry import Box
from annotation.demo.scenes.scene import Scene, Thing


@contextmanager
def painter() -> Iterator[ProcessPoolExecutor]:
    """The site's processes refuse SVG once the intake is imported, so nothing is drawn in the tests' own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def thing(kind: str, x: int, y: int, width: int = 60, height: int = 60, **more: Any) -> Thing:
    """A thing with its upper left corner at (x, y); the place in the scene comes later."""
    return Thing(id=-1, kind=kind, variant=0, box=Box(x, y, x + width, y + height), ground=y + height, **more)


def scene(*things: Thing, family: str = "market") -> Scene:
    """1,000 by 750 pixels with these things in this order."""
    return Scene(family, 0, 1, 1000, 750, 225, tuple(replace(one, id=number) for number, one in enumerate(things)))
