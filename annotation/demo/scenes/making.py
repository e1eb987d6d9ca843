"""Folders of scenes: pictures, `truth.json` and `questions.jsonl`, made once and found again.

The folder says what it is for in `scenes.json`, written first: other wishes for the same folder, and folders with other
things in them, are refused. Every file appears whole or not at all, so a run that was stopped goes on where it was.
"""

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from annotation.demo.scenes import VERSION, drawing
from annotation.demo.scenes.asking import questions
from annotation.demo.scenes.families import FAMILIES
from annotation.demo.scenes.planning import plan
from annotation.demo.scenes.records import SCHEMA, name_of, question_rows, truth_record
from annotation.demo.scenes.scene import Scene
from annotation.errors import Conflict, Invalid
from annotation.hashing import sha256_file

PIXELS = (400, 16_000)
MOST_SCENES = 1000
MOST_SEED = 2**32 - 1
ORDER, TRUTH, QUESTIONS, HALF = "scenes.json", "truth.json", "questions.jsonl", ".part"

Progress = Callable[[int, int], None]


class ImpossibleScenes(Invalid):
    """The number, the seed or the size is out of bounds."""

    code = "impossible-scenes"


class UnusableFolder(Conflict):
    """The folder cannot be written to, or holds something else."""

    code = "unusable-folder"


@dataclass(frozen=True, slots=True)
class Order:
    """What a folder is for: `count` scenes of all families in turn, the first from `seed`, `pixels` wide."""

    count: int
    seed: int
    pixels: int
    version: int = VERSION
    schema: int = SCHEMA

    def scenes(self) -> Iterator[tuple[str, int]]:
        """Family and seed of every scene."""
        families = list(FAMILIES)
        for number in range(self.count):
            yield families[number % len(families)], self.seed + number // len(families)


def make(folder: Path, order: Order, progress: Progress) -> dict[str, Any]:
    """Make what is missing of a folder; calls `progress` with (scenes there, scenes in all).

    Raises ImpossibleScenes and UnusableFolder. The outcome counts what was drawn and what was there already.
    """
    _checked(order)
    _claim(folder, order)
    drawn = 0
    records, rows = [], []
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), max_tasks_per_child=1) as painters:
        for number, (family, seed) in enumerate(order.scenes()):
            progress(number, order.count)
            scene = plan(family, seed, order.pixels)
            drawn += _painted(folder, scene, painters)
            record, its = _described(folder, scene)
            records.append(record)
            rows += its
    _write(folder / TRUTH, _pretty({"schema": SCHEMA, "version": VERSION, "scenes": records}))
    _write(folder / QUESTIONS, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    progress(order.count, order.count)
    return {"scenes": order.count, "drawn": drawn, "kept": order.count - drawn, "questions": len(rows), "folder": str(folder)}


def _checked(order: Order) -> None:
    if not 1 <= order.count <= MOST_SCENES:
        raise ImpossibleScenes(f"Ask for 1 to {MOST_SCENES} scenes, not {order.count}.", field="count")
    if not 0 <= order.seed <= MOST_SEED:
        raise ImpossibleScenes(f"A seed is a whole number from 0 to {MOST_SEED}, not {order.seed}.", field="seed")
    if not PIXELS[0] <= order.pixels <= PIXELS[1]:
        least, most = PIXELS
        raise ImpossibleScenes(f"Scenes are {least} to {most} pixels wide, not {order.pixels}.", field="pixels")


def _claim(folder: Path, order: Order) -> None:
    """Make the folder this order's, or find that it is."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = {path.name for path in folder.iterdir() if not path.name.endswith(HALF)}
        if ORDER not in there and there:
            raise UnusableFolder(f"{folder} holds other files, such as {min(there)}. Name a new or an empty folder.")
        if ORDER in there and _ordered(folder) != asdict(order):
            raise UnusableFolder(f"{folder} holds other scenes, as its {ORDER} says. Name another folder, or ask for the same.")
        _write(folder / ORDER, _pretty(asdict(order)))
    except OSError as error:
        raise UnusableFolder(f"{folder} cannot be written to: {error.strerror}. Name a folder that can.") from error


def _ordered(folder: Path) -> Any:
    try:
        return json.loads((folder / ORDER).read_text(encoding="utf-8"))
    except ValueError:
        return None


def _painted(folder: Path, scene: Scene, painters: ProcessPoolExecutor) -> bool:
    """Draw the picture unless it is there as it was drawn before; whether it was drawn."""
    path = folder / name_of(scene)
    if path.exists() and _digest(path) == sha256_file(path):
        return False
    half = path.with_name(path.name + HALF)
    painters.submit(drawing.save, scene, str(half)).result()
    digest = sha256_file(half)
    _replace(half, path)
    _write(path.with_suffix(".sha256"), f"{digest}  {path.name}\n")
    return True


def _digest(path: Path) -> str:
    """What was noted when the picture was drawn; empty where nothing was."""
    note = path.with_suffix(".sha256")
    return note.read_text(encoding="utf-8").partition(" ")[0] if note.exists() else ""


def _described(folder: Path, scene: Scene) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    asked, digest = questions(scene), _digest(folder / name_of(scene))
    return truth_record(scene, asked, digest), list(question_rows(scene, asked, digest))


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _write(path: Path, text: str) -> None:
    half = path.with_name(path.name + HALF)
    half.write_text(text, encoding="utf-8")
    _replace(half, path)


def _replace(half: Path, path: Path) -> None:
    with half.open("rb") as written:
        os.fsync(written.fileno())
    half.replace(path)
