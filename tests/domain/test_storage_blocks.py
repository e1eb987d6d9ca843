"""Pieces of a bucket's pyramids are kept on the machine: few questions to the bucket, a bound, and nothing that is stale."""

import multiprocessing
from pathlib import Path

import pytest

from annotation.storage import NoSuchKey, S3Storage, blocks
from annotation.storage.blocks import BLOCK, Blocks, WithBlocks
from annotation.storage_urls import Bucket, place
from tests import buckets

KEY = "pyramids/ab/x.zip"


def kept(bucket: str, folder: Path, *, endpoint: str = "", limit: int = 64 * BLOCK) -> WithBlocks:
    found = place(buckets.url_of(bucket, endpoint=endpoint))
    assert isinstance(found, Bucket)
    return WithBlocks(S3Storage(found), Blocks(folder, limit))


def test_tiles_that_lie_together_cost_one_question(bucket: str, tmp_path: Path) -> None:
    with buckets.middleman(lambda method, path, body: body) as between:
        storage = kept(bucket, tmp_path, endpoint=between.url)
        storage.write(KEY, b"x" * (2 * BLOCK))
        before = between.count("HEAD")
        for offset in range(0, BLOCK - 100, 50_000):
            assert storage.read_range(KEY, offset, 100) == b"x" * 100
        assert (between.count("GET"), between.count("HEAD") - before) == (1, 1)
        other_process = kept(bucket, tmp_path, endpoint=between.url)
        assert other_process.read_range(KEY, 5, 100) == b"x" * 100
        assert between.count("GET") == 1


def test_originals_are_never_kept_on_the_machine(bucket: str, tmp_path: Path) -> None:
    storage = kept(bucket, tmp_path)
    storage.write("originals/ab/abc", b"private")
    assert storage.read_range("originals/ab/abc", 0, 7) == b"private"
    with storage.open("originals/ab/abc") as stream:
        assert stream.read() == b"private"
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.read_bytes() == b"private"] == []


def test_a_pyramid_that_was_erased_elsewhere_is_gone_here_when_the_minute_is_over(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = kept(bucket, tmp_path)
    storage.write(KEY, b"picture")
    assert storage.read_range(KEY, 0, 7) == b"picture"
    kept(bucket, tmp_path / "other machine").erase(KEY)
    assert storage.read_range(KEY, 0, 7) == b"picture"
    monkeypatch.setattr(blocks, "FRESH_SECONDS", 0)
    with pytest.raises(NoSuchKey):
        storage.read_range(KEY, 0, 7)


def test_a_pyramid_that_was_made_anew_is_read_anew(bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    storage, other = kept(bucket, tmp_path), kept(bucket, tmp_path)
    storage.write(KEY, b"former")
    assert storage.read_range(KEY, 0, 6) == b"former"
    other.delete(KEY)
    other.write(KEY, b"newest")
    monkeypatch.setattr(blocks, "FRESH_SECONDS", 0)
    assert storage.read_range(KEY, 0, 6) == b"newest"


def test_a_block_that_was_cut_off_on_the_disk_is_fetched_again(bucket: str, tmp_path: Path) -> None:
    storage = kept(bucket, tmp_path)
    storage.write(KEY, b"picture")
    storage.read_range(KEY, 0, 7)
    [block] = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size == 7]
    block.write_bytes(b"pic")
    assert storage.read_range(KEY, 0, 7) == b"picture"


def test_what_was_asked_for_longest_ago_goes_first(tmp_path: Path) -> None:
    few = Blocks(tmp_path, 10_000)
    for number in range(40):
        few.put(f"block {number}", bytes(1000))
        assert few.get("block 0", 0, 10) is not None
        assert few.size() <= 10_000 + 1000
    assert few.get("block 1", 0, 10) is None
    assert few.get("block 39", 990, 1000) == bytes(10)


def test_a_full_disk_costs_speed_and_nothing_else(bucket: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    storage = kept(bucket, tmp_path / "file")
    storage.write(KEY, b"picture")
    assert storage.read_range(KEY, 0, 7) == b"picture"


def fill(folder: Path, name: str) -> None:
    mine = Blocks(folder, 100_000)
    for number in range(300):
        mine.put(f"{name} {number}", name.encode() * 1000)
        assert mine.get(f"{name} {number}", 0, 1000) in (name.encode() * 1000, None)


def test_processes_share_the_folder_and_its_bound(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("fork")
    workers = [spawn.Process(target=fill, args=(tmp_path, name)) for name in "abc"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert Blocks(tmp_path, 100_000).size() <= 100_000 + 3 * (100_000 // 32 + 1000)
