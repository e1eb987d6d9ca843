"""The files and the manifest of a release: the same facts give the same bytes."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from annotation.hashing import canonical_json, merkle_root, sha256_hex
from annotation.releases.export import Row, counts, data_files, hardbench_json, in_order, jsonl, sealed
from annotation.releases.manifest import build_manifest, manifest_bytes

ROOT = Path(__file__).parents[2]


def row(number: int, **changes: Any) -> Row:
    values: dict[str, Any] = {
        "id": f"id-{number}",
        "split": "train",
        "role": "original",
        "pair": "",
        "original": f"id-{number}",
        "image": {
            "path": f"tallyqa/{number}.jpg",
            "origin": "",
            "sha256": "0" * 64,
            "width": 10,
            "height": 20,
            "cluster": str(number),
        },
        "question": "What color is the kettle?",
        "options": [],
        "prompt_setting": "base",
        "answers": ["green", "dark green"],
        "is_unanswerable": False,
        "accepts_refusal": False,
        "reason": "",
        "component": "",
        "operation": "",
        "data_source": "tallyqa",
        "licence": "Apache-2.0",
        "attribution": "",
        "decided_by": "consensus",
    }
    return Row(**(values | changes))  # type: ignore[typeddict-item]


EDIT = row(2, role="edit", is_unanswerable=True, reason="There is no kettle.", answers=[])


def manifest_of(rows: list[Row], **changes: Any) -> dict[str, Any]:
    done = [sealed(each) for each in in_order(rows)]
    values: dict[str, Any] = {
        "version": "1.0",
        "parent": None,
        "plan": {"name": "small"},
        "rows": done,
        "files": data_files(done),
        "journal": {"last_entry": 7, "chained": "ab"},
        "code_version": "0.1",
    }
    return build_manifest(**(values | changes))


def test_a_rows_hash_is_that_of_all_its_other_fields() -> None:
    done = sealed(row(1))
    assert done["row_hash"] == sha256_hex(canonical_json(row(1)))
    assert sealed(row(1, question="Which?"))["row_hash"] != done["row_hash"]


def test_jsonl_holds_one_canonical_row_a_line() -> None:
    lines = jsonl([row(1), EDIT]).split(b"\n")
    assert lines[2:] == [b""]
    assert [json.loads(line)["id"] for line in lines[:2]] == ["id-1", "id-2"]
    assert lines[0] == canonical_json(row(1))


def test_hardbench_files_have_the_published_layout() -> None:
    answerable, refused = json.loads(hardbench_json([row(1), EDIT]))
    assert answerable == {
        "question": "What color is the kettle?",
        "answer": "green",
        "image": "tallyqa/1.jpg",
        "data_source": "tallyqa",
        "is_unanswerable": False,
    }
    assert list(answerable) == ["question", "answer", "image", "data_source", "is_unanswerable"]
    assert refused["answer"] == "unanswerable"
    assert refused["reason"] == "There is no kettle."
    assert refused["is_unanswerable"] is True


def test_each_split_has_its_two_files() -> None:
    rows = [sealed(row(1)), sealed(row(3, split="test"))]
    assert sorted(data_files(rows)) == ["HARDBench_test.json", "HARDBench_train.json", "data/test.jsonl", "data/train.jsonl"]


def test_rows_are_counted_by_split_and_role() -> None:
    assert counts([row(1), EDIT, row(3), row(4, split="val")]) == {"train": {"edit": 1, "original": 2}, "val": {"original": 1}}


def test_the_order_of_a_release_does_not_depend_on_the_order_of_the_cut() -> None:
    rows = [row(number, split="val" if number % 3 else "train") for number in range(20)]
    shuffled = random.Random(1).sample(rows, len(rows))
    assert in_order(shuffled) == in_order(rows)
    assert manifest_bytes(manifest_of(shuffled)) == manifest_bytes(manifest_of(rows))


def test_the_manifest_lists_every_file_with_size_and_hash_in_order_of_path() -> None:
    manifest = manifest_of([row(1), EDIT])
    files = data_files([sealed(row(1)), sealed(EDIT)])
    assert [entry["path"] for entry in manifest["files"]] == sorted(files)
    for entry in manifest["files"]:
        assert entry["size"] == len(files[entry["path"]])
        assert entry["sha256"] == sha256_hex(files[entry["path"]])


def test_the_manifest_counts_rows_and_holds_their_merkle_root_and_origin() -> None:
    parent = {"version": "0.9", "manifest_sha256": "cd"}
    manifest = manifest_of([row(1), EDIT], parent=parent)
    hashes = [sealed(row(1))["row_hash"], sealed(EDIT)["row_hash"]]
    assert manifest["rows"] == {
        "count": 2,
        "files": ["data/train.jsonl"],
        "merkle_root": merkle_root(bytes.fromhex(each) for each in hashes),
    }
    assert manifest["counts"] == {"train": {"edit": 1, "original": 1}}
    assert (manifest["schema"], manifest["version"], manifest["parent"]) == ("hardbench-release/1", "1.0", parent)
    assert (manifest["journal"]["last_entry"], manifest["code_version"], manifest["plan"]) == (7, "0.1", {"name": "small"})


MAKE_IT_AGAIN = """
import json, random, sys
from annotation.hashing import sha256_hex
from annotation.releases.export import data_files, in_order, sealed
from annotation.releases.manifest import build_manifest, manifest_bytes
rows = json.load(sys.stdin)
random.shuffle(rows)
done = [sealed(row) for row in in_order([dict(reversed(row.items())) for row in rows])]
manifest = build_manifest(version="1.0", parent=None, plan={}, rows=done, files=data_files(done), journal=None, code_version="0")
print(sha256_hex(manifest_bytes(manifest)))
"""
MACHINES = [
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kolkata", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "2", "TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "PYTHONUTF8": "0"},
]


def test_two_machines_in_other_time_zones_and_languages_make_the_same_bytes() -> None:
    rows = [
        row(number, question=f"Wie viele Türme №{number} – 塔?", split="val" if number % 3 else "train") for number in range(12)
    ]
    made = [
        subprocess.run(
            [sys.executable, "-c", MAKE_IT_AGAIN],
            input=json.dumps(rows),
            capture_output=True,
            text=True,
            env=machine,
            cwd=ROOT,
            check=True,
        ).stdout
        for machine in MACHINES
    ]
    assert made[0] == made[1] != ""


@pytest.mark.parametrize("change", [{"version": "1.1"}, {"journal": None}, {"code_version": "0.2"}, {"plan": {}}])
def test_any_other_fact_gives_another_identity(change: dict[str, Any]) -> None:
    before, after = manifest_of([row(1)]), manifest_of([row(1)], **change)
    assert sha256_hex(manifest_bytes(before)) != sha256_hex(manifest_bytes(after))
