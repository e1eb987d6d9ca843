"""Folders in the layout of Hugging Face datasets: files of one kind, in shards, whose names or folders tell the split. Pure.

`data/train-00000-of-00002.parquet`, `train.jsonl`, `test/0000.parquet`, or what `save_to_disk` writes. Rows of all shards
are counted through, so that one number tells where to go on; problems also name the file and their line in it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from annotation.sources.faults import EmptyFile, NotRows, Truncated, Unreadable, WrongLayout

KINDS = ((".parquet",), (".arrow",), (".jsonl", ".ndjson"), (".json",), (".csv",), (".tsv",))
ABOUT = {"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json", "croissant.json", "config.json"}
SPLITS = {
    "train": ("train", "training"),
    "validation": ("validation", "valid", "val", "dev"),
    "test": ("test", "testing", "eval", "evaluation"),
}
SPLIT_OF = {word: split for split, words in SPLITS.items() for word in words}
WORD = re.compile(r"[A-Za-z]+")
NUMBERS = re.compile(r"(\d+)")
SHARD = re.compile(r"(.*?)-(\d{3,6})-of-(\d{3,6})")
MOST_FILES = 100_000


@dataclass(frozen=True, slots=True)
class Shard:
    """One file of a dataset: its path, its name below the folder, and its split (empty where nothing tells it)."""

    path: Path
    name: str
    split: str


def shards_of(folder: Path, split: str | None = None) -> list[Shard]:
    """The files of a dataset in the order in which they are read: training, validation, test, others; shards by number.

    Raises EmptyFile, NotRows, Truncated (a shard is missing), Unreadable, WrongLayout (several datasets; no such split).
    """
    found = [Shard(path, name, _split(name)) for path, name in _of_one_kind(_files(folder), folder.name)]
    _refuse_several(found, folder.name)
    _refuse_gaps(found)
    known = sorted({shard.split for shard in found} - {""})
    if split is not None and split not in known:
        raise WrongLayout(f"{folder.name} has no split {split!r}: it has {', '.join(known) or 'none'}.", field="split")
    order = [*SPLITS, ""]
    chosen = [shard for shard in found if split in (None, shard.split)]
    return sorted(chosen, key=lambda shard: (order.index(shard.split), _natural(shard.name)))


def _files(folder: Path) -> list[tuple[Path, str]]:
    """All files that are not hidden and no links out of the folder, with their names below it."""
    found: list[tuple[Path, str]] = []
    try:
        top = folder.resolve(strict=True)
        for path in folder.rglob("*"):
            name = path.relative_to(folder).as_posix()
            if not any(part.startswith(".") for part in name.split("/")) and path.is_file():
                found.append((path, name))
            if len(found) > MOST_FILES:
                raise NotRows(f"{folder.name} has more than {MOST_FILES} files: name the folder or the file with the rows.")
    except OSError as error:
        raise Unreadable(f"{folder.name} cannot be read: {error.strerror}.") from error
    return [(path, name) for path, name in found if path.resolve().is_relative_to(top) or _is_cached(path)]


def _is_cached(path: Path) -> bool:
    """Whether a link leads into a `blobs` folder beside the snapshot, as in the cache that downloads are kept in."""
    return path.is_symlink() and path.resolve().parent.name == "blobs"


def _of_one_kind(files: list[tuple[Path, str]], folder: str) -> list[tuple[Path, str]]:
    """The files with rows; those below `data/` stand for all, where there are any. Raises EmptyFile, NotRows."""
    rows = [(path, name) for path, name in files if _kind(name) and not _is_aside(path.name)]
    rows = [(path, name) for path, name in rows if name.startswith("data/")] or rows
    kinds = sorted({_kind(name)[0] for _, name in rows})
    if not rows:
        raise EmptyFile(f"{folder} holds no Parquet, Arrow, JSON lines, JSON or CSV file.")
    if len(kinds) > 1:
        raise NotRows(f"{folder} holds files of several kinds ({', '.join(kinds)}): name the one with the rows.")
    return rows


def _is_aside(name: str) -> bool:
    return name in ABOUT or name.startswith("cache-")


def _kind(name: str) -> tuple[str, ...]:
    return next((endings for endings in KINDS if name.lower().endswith(endings)), ())


def _split(name: str) -> str:
    """The split that a name tells, the file's own words before those of its folders."""
    for part in reversed(name.rsplit(".", 1)[0].split("/")):
        for word in WORD.findall(part):
            if word.lower() in SPLIT_OF:
                return SPLIT_OF[word.lower()]
    return ""


def _refuse_several(shards: list[Shard], folder: str) -> None:
    """Raises WrongLayout where folders below the folder are datasets of their own."""
    tops = {"/".join(part for part in shard.name.split("/")[:-1] if not _split(f"{part}.")) for shard in shards}
    if len(tops) > 1:
        raise WrongLayout(f"{folder} holds several datasets: name one of {', '.join(sorted(top or '.' for top in tops))}.")


def _refuse_gaps(shards: list[Shard]) -> None:
    """Raises Truncated where names tell of more shards than there are."""
    series: dict[tuple[str, int], set[int]] = {}
    for shard in shards:
        if match := SHARD.match(shard.name):
            series.setdefault((match[1], int(match[3])), set()).add(int(match[2]))
    for (name, count), there in series.items():
        if missing := sorted(set(range(count)) - there):
            raise Truncated(f"Of the {count} files {name}-… number {missing[0]} is missing: fetch it.")


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts part2 before part10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in NUMBERS.split(name)]
