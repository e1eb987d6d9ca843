#!/usr/bin/env python3
"""Check that a release is what its manifest says: every byte, every row, every count.

    python3 verify_release.py FOLDER [--expect SHA256] [--json]

Needs this file, the folder and Python's standard library (3.10 or newer), nothing else: it is copied into every release.
It writes nothing. Each check ends as `passed`, `failed` or `not checked`; the exit code is 0 if none failed, else 1.

A folder proves only that it agrees with itself: somebody who replaces the manifest and all files consistently has made
another release. Compare the manifest's sha256 with the one that was published (`--expect`).
"""

import argparse
import hashlib
import json
import os
import re
import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = "hardbench-release/1"
MANIFEST = "manifest.json"
SIGNATURE = "manifest.json.sig"
PLAIN_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*")
SHA256 = re.compile(r"[0-9a-f]{64}")
SHOWN = 5


@dataclass
class Check:
    """One line of the report. `state` is passed, failed or not checked."""

    name: str
    state: str
    detail: str = ""


@dataclass
class Report:
    """All checks in the order in which they were made."""

    checks: list[Check] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return all(check.state != "failed" for check in self.checks)

    def judge(self, name: str, faults: list[str]) -> bool:
        """Note a check: passed without faults, failed with them."""
        shown = "; ".join(faults[:SHOWN]) + (f"; and {len(faults) - SHOWN} more" if len(faults) > SHOWN else "")
        self.checks.append(Check(name, "failed" if faults else "passed", shown))
        return not faults

    def skip(self, name: str, why: str) -> None:
        self.checks.append(Check(name, "not checked", why))


class Unreadable(ValueError):
    """The text is not JSON as we write it."""


def verify(folder: Path, *, expect: str | None = None) -> Report:
    """Check a release's folder; `expect` is the published sha256 of its manifest."""
    report = Report()
    manifest = _check_manifest(folder, expect, report)
    if manifest is None:
        report.skip("files and rows", "the manifest cannot be used")
        return report
    if _check_files(folder, manifest, report):
        _check_rows(_read_rows(folder, manifest, report), manifest, report)
    else:
        report.skip("rows", "the files are not those of the manifest")
    report.skip("errata", f"{folder.resolve().name}.errata.json beside it, if there, names rows not to be used")
    report.skip("signature", "no tool for it here" if (folder / SIGNATURE).exists() else "there is none")
    report.skip("journal", "its checkpoint can be compared only with the journal itself")
    return report


def _check_manifest(folder: Path, expect: str | None, report: Report) -> dict[str, Any] | None:
    path = folder / MANIFEST
    there = path.is_file() and not path.is_symlink()
    if not report.judge("manifest is there", [] if there else [f"{MANIFEST} is missing or not a plain file"]):
        return None
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if expect is None:
        report.skip("manifest is the published one", f"compare its sha256 yourself: {digest}")
    else:
        report.judge("manifest is the published one", [] if digest == expect.lower() else [f"its sha256 is {digest}"])
    try:
        manifest = _parse(content)
    except Unreadable as fault:
        report.judge("manifest can be read", [str(fault)])
        return None
    usable = report.judge("manifest has the right shape", _shape_faults(manifest))
    canonical = usable and _canonical(manifest) == content
    report.judge("manifest is canonical", [] if canonical else ["its bytes are not the canonical form of its content"])
    return manifest if usable else None


def _shape_faults(manifest: Any) -> list[str]:
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        return [f"the schema is not {SCHEMA}"]
    kinds = {"version": str, "plan": dict, "counts": dict, "rows": dict, "files": list}
    wrong = [key for key, kind in kinds.items() if not isinstance(manifest.get(key), kind)]
    if wrong:
        return [f"{key} is missing or of the wrong kind" for key in wrong]
    rows, files = manifest["rows"], manifest["files"]
    faults = [f"files[{index}] has the wrong shape" for index, entry in enumerate(files) if not _is_file_entry(entry)]
    names = rows.get("files")
    if not isinstance(rows.get("count"), int) or not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        faults.append("rows needs a count and a list of files")
    elif not set(names) <= {entry["path"] for entry in files if _is_file_entry(entry)} or len(set(names)) < len(names):
        faults.append("rows names a file twice, or one that is not listed")
    return faults


def _is_file_entry(entry: Any) -> bool:
    kinds = {"path": str, "size": int, "sha256": str}
    return isinstance(entry, dict) and {key: type(value) for key, value in entry.items()} == kinds


def _check_files(folder: Path, manifest: dict[str, Any], report: Report) -> bool:
    entries = manifest["files"]
    listed = [entry["path"] for entry in entries]
    # Only plain ASCII names: no way out of the folder, no two spellings of one name, no look-alike letters.
    strange = [repr(path) for path in listed if not PLAIN_PATH.fullmatch(path) or path in (MANIFEST, SIGNATURE)]
    folded = Counter(path.lower() for path in listed)
    ok = report.judge("paths are plain", strange)
    ok &= report.judge("paths are listed once", [f"{path} is listed {n} times" for path, n in folded.items() if n > 1])
    found, links = _walk(folder)
    ok &= report.judge("no links or special files", links)
    ok &= report.judge("no file is missing", [f"{path} is missing" for path in sorted(set(listed) - found)])
    ok &= report.judge("no file is extra", [f"{path} is not listed" for path in sorted(found - set(listed))])
    if not ok:
        report.skip("sizes and hashes", "the list of files is wrong")
        return False
    faults = [fault for entry in entries for fault in _content_faults(folder, entry)]
    return report.judge("sizes and hashes", faults)


def _walk(folder: Path) -> tuple[set[str], list[str]]:
    """Paths of plain files below the folder, and names of whatever else is there."""
    found, others = set(), []
    for place, folders, names in os.walk(folder):
        for name in folders + names:
            path = Path(place, name)
            relative = path.relative_to(folder).as_posix()
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                others.append(f"{relative} is a link or no plain file")
            elif path.is_file() and relative not in (MANIFEST, SIGNATURE):
                found.add(relative)
    return found, others


def _content_faults(folder: Path, entry: dict[str, Any]) -> list[str]:
    path = folder / entry["path"]
    size = path.stat().st_size
    if size != entry["size"]:
        return [f"{entry['path']} has another size: {size} instead of {entry['size']}"]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return [] if digest == entry["sha256"] else [f"{entry['path']} has another sha256"]


def _read_rows(folder: Path, manifest: dict[str, Any], report: Report) -> list[dict[str, Any]]:
    """All rows in the manifest's order; notes rows that are not canonical, misplaced, or have a wrong hash."""
    rows, unreadable, misplaced, wrong = [], [], [], []
    for name in manifest["rows"]["files"]:
        for number, line in enumerate((folder / name).read_bytes().splitlines(keepends=True), start=1):
            place = f"{name}:{number}"
            try:
                row = _parse(line)
            except Unreadable as fault:
                unreadable.append(f"{place}: {fault}")
                continue
            if not _is_row(row) or _canonical(row) + b"\n" != line:
                unreadable.append(f"{place}: it is not a canonical row")
                continue
            rows.append(row)
            if name != f"data/{row['split']}.jsonl":
                misplaced.append(f"{place} says it is in {row['split']}")
            if row["row_hash"] != _row_hash(row):
                wrong.append(place)
    report.judge("rows can be read", unreadable)
    report.judge("rows are in their split's file", misplaced)
    report.judge("row hashes", wrong)
    return rows


ROW_TEXTS = ("id", "split", "role", "pair", "original", "question", "row_hash")


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and all(isinstance(row.get(key), str) for key in ROW_TEXTS)
        and isinstance(row.get("is_unanswerable"), bool)
        and isinstance(row.get("image"), dict)
        and all(isinstance(row["image"].get(key), str) for key in ("sha256", "cluster"))
        and SHA256.fullmatch(row["row_hash"]) is not None
    )


def _check_rows(rows: list[dict[str, Any]], manifest: dict[str, Any], report: Report) -> None:
    root = _merkle_root([bytes.fromhex(row["row_hash"]) for row in rows])
    report.judge("Merkle root", [] if root == manifest["rows"].get("merkle_root") else [f"the rows give {root}"])
    found: dict[str, dict[str, int]] = {}
    for (split, role), number in Counter((row["split"], row["role"]) for row in rows).items():
        found.setdefault(split, {})[role] = number
    same = found == manifest["counts"] and len(rows) == manifest["rows"]["count"]
    report.judge("counts", [] if same else [f"the rows give {json.dumps(found, sort_keys=True)}"])
    report.judge("labels fit roles", [row["id"] for row in rows if (row["role"] == "edit") != row["is_unanswerable"]])
    report.judge("no row twice", _repeats(rows))
    report.judge("pairs are whole", _pair_faults(rows))
    report.judge("nothing straddles two splits", _straddling(rows))


def _repeats(rows: list[dict[str, Any]]) -> list[str]:
    ids = Counter(row["id"] for row in rows)
    asked = Counter((row["image"]["sha256"], " ".join(row["question"].casefold().split())) for row in rows)
    faults = [f"id {key} stands {number} times" for key, number in ids.items() if number > 1]
    return faults + [f"{text!r} is asked {number} times of one image" for (_, text), number in asked.items() if number > 1]


def _pair_faults(rows: list[dict[str, Any]]) -> list[str]:
    pairs: dict[str, list[str]] = {}
    for row in rows:
        if row["pair"]:
            pairs.setdefault(row["pair"], []).append(row["role"])
    return [f"pair {key} has {', '.join(sorted(roles))}" for key, roles in pairs.items() if sorted(roles) != ["edit", "original"]]


def _straddling(rows: list[dict[str, Any]]) -> list[str]:
    where: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        image = row["image"]
        for kind, key in (("original", row["original"]), ("image", image["sha256"]), ("cluster", image["cluster"])):
            where.setdefault((kind, key), set()).add(row["split"])
    return [f"{kind} {key} is in {', '.join(sorted(s))}" for (kind, key), s in where.items() if len(s) > 1]


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except (ValueError, RecursionError) as fault:
        raise Unreadable(f"it is not JSON: {fault}") from fault


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key stands twice")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


# The three functions below say again what annotation/hashing.py says: this file must stand alone. A test compares them.
def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def _row_hash(row: dict[str, Any]) -> str:
    return hashlib.sha256(_canonical({key: value for key, value in row.items() if key != "row_hash"})).hexdigest()


def _merkle_root(leaves: list[bytes]) -> str:
    if not leaves:
        return hashlib.sha256(b"").hexdigest()
    level = [hashlib.sha256(b"\x00" + leaf).digest() for leaf in leaves]
    while len(level) > 1:
        joined = [hashlib.sha256(b"\x01" + one + two).digest() for one, two in zip(level[::2], level[1::2])]  # noqa: B905
        level = joined + level[len(joined) * 2 :]
    return level[0].hex()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check that a release is what its manifest says.")
    parser.add_argument("folder", type=Path, help="the release's folder, with its manifest.json")
    parser.add_argument("--expect", metavar="SHA256", help="the published sha256 of the manifest")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    options = parser.parse_args(arguments)
    report = verify(options.folder, expect=options.expect)
    if options.json:
        print(json.dumps({"sound": report.sound, "checks": [asdict(check) for check in report.checks]}))
    else:
        for check in report.checks:
            print(f"{check.state:>11}  {check.name}{': ' if check.detail else ''}{check.detail}")
        print("The release is what its manifest says." if report.sound else "This is NOT the release its manifest describes.")
    return 0 if report.sound else 1


if __name__ == "__main__":
    sys.exit(main())
