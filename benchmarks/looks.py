"""Copies of one picture: how well they are found among five hundred drawn pairs, and how fast among 100,000 pictures."""

import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyvips
from django.db import connection
from rich.console import Console
from rich.table import Table

from annotation.images import decoding
from annotation.images.likeness import Part, best_fits
from annotation.images.looks import VERSION, Look, apart, look_of, mirrored, samples_of
from annotation.images.operations import comparing
from annotation.images.operations.comparing import COLUMNS, MOST_BITS, NEAR, PAIRED, compare
from annotation.models import Image
from benchmarks import databases
from benchmarks.harness import Figure, figure, percentile
from benchmarks.look_pairs import Pair, pairs

SEEDS = (3, 4)  # thresholds were chosen on 1 and 2
ROWS = 100_000
SEARCHES = 30
BANDS = 4  # of 16 bits, for the index that is measured beside the scan


@dataclass(frozen=True, slots=True)
class Seen:
    """A pair, and whether it was taken for copies of one picture."""

    pair: Pair
    same: bool


def quality() -> list[Figure]:
    """Precision and recall, of all pairs and by kind."""
    seen = [Seen(pair, _are_same(pair)) for seed in SEEDS for pair in pairs(seed)]
    _print_kinds(seen)
    right = sum(one.same and one.pair.same for one in seen)
    claimed, there = sum(one.same for one in seen), sum(one.pair.same for one in seen)
    return [
        figure(f"copies found are copies ({len(seen)} pairs)", right / claimed, "precision", target="at least 0.99"),
        figure(f"copies are found ({there} pairs)", right / there, "recall", target="at least 0.95"),
    ]


def search_speed() -> list[Figure]:
    """One search among many pictures: the scan of all hashes, the same through an index of bands, and the whole of it."""
    databases.use(databases.ensure(databases.TEN_THOUSAND))
    with connection.cursor() as cursor:
        _fill(cursor)
        wanted = _probes(cursor)
        scan = [_timed(cursor, NEAR, _parameters(look)) for look in wanted]
        bands = [_timed(cursor, BANDED, {**_parameters(look), "bands": _bands(look)}) for look in wanted]
        found = _shares_found(cursor, wanted)
    stranger = Image(pk=0, width=1200, height=800)
    whole = [_compared(stranger, look) for look in wanted]
    half = percentile(scan, 0.5)
    return [
        figure(f"hashes scanned, {ROWS:,} pictures", half, "ms", target="below 300"),
        figure(
            f"hashes through bands of {64 // BANDS} bits, {ROWS:,} pictures", percentile(bands, 0.5), "ms",
            rival=f"scan: {half:.0f} ms", ratio=percentile(bands, 0.5) / half,
        ),
        figure("copies 12 bits apart that the bands find", found, "share", rival="scan: 1", ratio=found),
        figure(f"one picture compared with {ROWS:,}, all steps", percentile(whole, 0.5), "ms", target="below 1,000"),
    ]  # fmt: skip


def _are_same(pair: Pair) -> bool:
    """As the product decides, without a database."""
    (one, this), (other, that) = (_looked(data) for data in (pair.one, pair.other))
    plain, turned = _bits(one.hashes, other.hashes), _bits([mirrored(value) for value in one.hashes], other.hashes)
    if not (one.telling and other.telling) or min(plain, turned) > MOST_BITS:
        return False
    return best_fits(this, [that.mirrored() if turned < plain else that])[0].same


def _looked(data: bytes) -> tuple[Look, Part]:
    """The look of an encoded picture, by way of the pyramid's smallest level as in tiling."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture"
        path.write_bytes(data)
        found = decoding.tile(path, Path(folder) / "pyramid.zip")
    look = look_of(bytes.fromhex(found["thumb"]))
    return look, Part(samples_of(look.thumb), found["width"], found["height"])


def _bits(ours: Any, theirs: Any) -> int:
    return min(apart(ours[one], theirs[other]) for one, other in PAIRED)


def _print_kinds(seen: list[Seen]) -> None:
    table = Table("kind of pair", "copies", "pairs", "taken for copies")
    pairs_of, taken = Counter((one.pair.kind, one.pair.same) for one in seen), Counter(one.pair.kind for one in seen if one.same)
    for (kind, same), number in pairs_of.items():
        table.add_row(kind, "yes" if same else "no", str(number), str(taken[kind]))
    Console().print(table)


# Searching ------------------------------------------------------------------

BAND_ROWS = """
CREATE TEMPORARY TABLE band AS
SELECT image_id, array_agg((value >> (16 * place)) & 65535 | (place::bigint << 16)) AS bands
FROM image_look, generate_series(0, 3) AS place, LATERAL (VALUES (hash_whole), (hash_trimmed), (hash_inner)) AS hash (value)
GROUP BY image_id;
"""
BANDED = NEAR.replace(
    "WHERE telling", "WHERE image_id IN (SELECT image_id FROM band WHERE bands && %(bands)s::bigint[]) AND telling"
)


def _fill(cursor: Any) -> None:
    """Pictures with random looks; hashes of soft noise, so that bits hang together as in photographs."""
    cursor.execute("CREATE TEMPORARY TABLE image_look (LIKE image_look INCLUDING DEFAULTS INCLUDING STORAGE)")
    dice = np.random.default_rng(1)
    thumb = _noise(dice)
    columns = f"id, image_id, version, thumb, telling, {', '.join(COLUMNS)}"
    with cursor.cursor.copy(f"COPY image_look ({columns}) FROM STDIN") as rows:
        for number in range(1, ROWS + 1):
            base = _hash(dice)
            near = [base ^ _flips(dice, count) for count in (0, 8, 13)]
            rows.write_row([number, 1 + number % 2000, VERSION, thumb, True, *near])
    cursor.execute(BAND_ROWS)
    cursor.execute(
        "CREATE INDEX ON band USING gin (bands); CREATE INDEX ON image_look (id); CREATE INDEX ON image_look (image_id)"
    )
    cursor.execute("ANALYZE band; ANALYZE image_look")


def _noise(dice: Any) -> bytes:
    small = pyvips.Image.new_from_memory(dice.integers(0, 255, (9, 9), np.uint8).tobytes(), 9, 9, 1, "uchar")
    return decoding.thumb_of(small.copy(interpretation="b-w").resize(20))


def _hash(dice: Any) -> int:
    return int(dice.integers(0, 1 << 63))


def _flips(dice: Any, count: int) -> int:
    return sum(1 << int(place) for place in dice.choice(63, count, replace=False))


def _probes(cursor: Any) -> list[Look]:
    """Looks of copies of stored pictures, 12 bits away from each."""
    dice = np.random.default_rng(2)
    cursor.execute(f"SELECT thumb, {', '.join(COLUMNS)} FROM image_look WHERE id %% %s = 0", [ROWS // SEARCHES])
    return [
        Look(bytes(thumb), tuple(value ^ _flips(dice, 12) for value in hashes), True)
        for thumb, *hashes in cursor.fetchall()[:SEARCHES]
    ]


def _parameters(look: Look) -> dict[str, Any]:
    limits = {"version": VERSION, "image": 0, "after": 0, "until": ROWS, "most": MOST_BITS, "limit": comparing.LOOKED_AT}
    plain = {f"plain{place}": value for place, value in enumerate(look.hashes)}
    return limits | plain | {f"turned{place}": mirrored(value) for place, value in enumerate(look.hashes)}


def _bands(look: Look) -> list[int]:
    hashes = [*look.hashes, *(mirrored(value) for value in look.hashes)]
    return [(value >> (16 * place)) & 65535 | (place << 16) for value in hashes for place in range(BANDS)]


def _timed(cursor: Any, statement: str, parameters: dict[str, Any]) -> float:
    start = time.perf_counter()
    cursor.execute(statement, parameters)
    cursor.fetchall()
    return (time.perf_counter() - start) * 1000


def _shares_found(cursor: Any, wanted: list[Look]) -> float:
    """Of the pictures that the scan finds at most 12 bits away, the share that the bands find too."""
    found = missed = 0
    for look in wanted:
        parameters = _parameters(look) | {"most": 12}
        cursor.execute(NEAR, parameters)
        scanned = {row[:3] for row in cursor.fetchall()}
        cursor.execute(BANDED, parameters | {"bands": _bands(look)})
        banded = {row[:3] for row in cursor.fetchall()}
        found, missed = found + len(scanned & banded), missed + len(scanned - banded)
    return found / max(1, found + missed)


def _compared(image: Image, look: Look) -> float:
    start = time.perf_counter()
    compare(image, look)
    return (time.perf_counter() - start) * 1000


MEASURES = {"looks": quality, "look-search": search_speed}
