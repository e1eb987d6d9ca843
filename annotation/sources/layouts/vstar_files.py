"""V*Bench's files beside its pictures: one small JSON object per picture, with the targets' boxes. Pure: paths in."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.sources.faults import EmptyFile, Problem, Unreadable, WrongLayout, problem
from annotation.sources.rows import Record

MOST_BYTES = 1 << 20
PICTURES = (".jpg", ".jpeg", ".png", ".JPG", ".webp")


class Broken(Exception):
    """A file that is no JSON object; the text says why."""


def beside(path: Path) -> dict[str, Any]:
    """The object in a file. Raises Broken, OSError."""
    with path.open("rb") as stream:
        raw = stream.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise Broken(f"The file is larger than {MOST_BYTES >> 10} KiB.")
    try:
        found = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise Broken(f"The file is no JSON: {error}.") from error
    if not isinstance(found, dict):
        raise Broken("The file holds no object.")
    return found


def is_beside(path: Path) -> bool:
    """Whether a path is a folder of such files, or one of them."""
    if path.is_dir():
        return True
    if path.suffix.lower() != ".json" or not path.is_file() or path.stat().st_size > MOST_BYTES:
        return False
    try:
        return "target_object" in beside(path)
    except (Broken, OSError):
        return False


def records(path: Path, after: int) -> Iterator[Record | Problem]:
    """One record per file, in the order of their paths; `line` is the file's number, from 1.

    Every record carries the `image` that lies beside it and the folder it lies in as its `category`.
    Raises Unreadable, EmptyFile, WrongLayout.
    """
    top = path if path.is_dir() else path.parent
    try:
        files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}.") from error
    if not files:
        raise EmptyFile(f"{path.name} holds no JSON file.")
    sound = after > 0
    for number, file in enumerate(files[after:], after + 1):
        found = _record(number, file, top)
        sound = sound or isinstance(found, Record)
        yield found
    if not sound:
        raise WrongLayout("No file is a JSON object.")


def _record(number: int, file: Path, top: Path) -> Record | Problem:
    name = file.relative_to(top).as_posix()
    try:
        found = beside(file)
    except Broken as broken:
        return problem(number, str(broken), "file", name)
    except OSError as error:
        return problem(number, f"The file cannot be read: {error.strerror}.", "file", name)
    ending = next((one for one in PICTURES if file.with_suffix(one).is_file()), ".jpg")
    picture = file.with_suffix(ending).relative_to(top).as_posix()
    return Record(number, {**found, "image": picture, "category": file.parent.name})


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands twice in one object")
    return found


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON number")
