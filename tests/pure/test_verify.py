"""Anyone can check a release with nothing but Python: every attack on the folder is caught, and a good one passes."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import hashing
from annotation.releases import verify as verifier
from annotation.releases.export import Row, data_files, in_order, sealed
from annotation.releases.manifest import build_manifest, manifest_bytes
from annotation.releases.verify import Report, main, verify

SCRIPT = Path(verifier.__file__)


def row(number: int, split: str = "train", **changes: Any) -> Row:
    values: dict[str, Any] = {
        "id": f"id-{number:02}",
        "split": split,
        "role": "original",
        "pair": "",
        "original": f"id-{number:02}",
        "image": {
            "path": f"i/{number}.jpg",
            "origin": "",
            "sha256": f"{number:064}",
            "width": 10,
            "height": 20,
            "cluster": f"c{number}",
        },
        "question": f"What color is kettle {number}?",
        "options": ["größer", "赤"],
        "prompt_setting": "base",
        "answers": ["green"],
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


def twin(of: Row, **changes: Any) -> Row:
    edited = {
        "id": of["id"] + "e",
        "role": "edit",
        "is_unanswerable": True,
        "answers": [],
        "question": of["question"] + " Really?",
    }
    return Row(**({**of, **edited, "reason": "No kettle."} | changes))  # type: ignore[typeddict-item]


def paired(number: int, split: str) -> list[Row]:
    first = row(number, split, pair=f"id-{number:02}")
    return [first, twin(first)]


ROWS = [*paired(1, "train"), *paired(2, "test"), row(3, "train")]


def write(folder: Path, rows: list[Row], *, version: str = "1.0") -> str:
    """Write a release of these rows, whatever is wrong with them; the manifest's sha256."""
    done = [sealed(each) for each in in_order(rows)]
    files = data_files(done) | {"verify_release.py": SCRIPT.read_bytes()}
    content = manifest_bytes(
        build_manifest(version=version, parent=None, plan={}, rows=done, files=files, journal=None, code_version="0")
    )
    for path, data in (files | {"manifest.json": content}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return hashing.sha256_hex(content)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    write(tmp_path / "release", ROWS)
    return tmp_path / "release"


def failed(report: Report) -> list[str]:
    return [check.name for check in report.checks if check.state == "failed"]


def rewrite_manifest(release: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the manifest as a careful attacker would: canonical, and consistent with itself."""
    manifest = json.loads((release / "manifest.json").read_bytes())
    change(manifest)
    (release / "manifest.json").write_bytes(hashing.canonical_json(manifest))


def test_a_good_release_passes_and_says_what_it_could_not_check(release: Path) -> None:
    report = verify(release)
    assert report.sound
    states = {check.name: check.state for check in report.checks}
    assert {name for name, state in states.items() if state == "not checked"} == {
        "manifest is the published one",
        "errata",
        "signature",
        "journal",
    }
    assert states["Merkle root"] == states["sizes and hashes"] == states["nothing straddles two splits"] == "passed"


def test_the_published_hash_is_checked_where_it_is_given(tmp_path: Path) -> None:
    digest = write(tmp_path, ROWS)
    report = verify(tmp_path, expect=digest.upper())
    assert report.sound
    assert report.checks[1].state == "passed"


def change_a_byte(release: Path) -> None:
    path = release / "data/train.jsonl"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def add_a_file(release: Path) -> None:
    (release / "data/extra.jsonl").write_bytes(b"")


def remove_a_file(release: Path) -> None:
    (release / "HARDBench_test.json").unlink()


def rename_a_file(release: Path) -> None:
    (release / "data/train.jsonl").rename(release / "data/Train.jsonl")


def truncate_a_file(release: Path) -> None:
    path = release / "data/train.jsonl"
    path.write_bytes(path.read_bytes()[:-40])


def swap_two_files(release: Path) -> None:
    one, two = release / "data/train.jsonl", release / "data/test.jsonl"
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)


def link_a_file(release: Path) -> None:
    path = release / "data/train.jsonl"
    shutil.move(path, release.parent / "elsewhere")
    path.symlink_to(release.parent / "elsewhere")


def link_a_folder(release: Path) -> None:
    (release / "more").symlink_to(release.parent)


def list_a_path_twice(release: Path) -> None:
    rewrite_manifest(release, lambda manifest: manifest["files"].append(manifest["files"][0]))


def list_two_spellings(release: Path) -> None:
    rewrite_manifest(release, lambda manifest: manifest["files"].append(manifest["files"][0] | {"path": "hardbench_TEST.json"}))


def look_alike_letter(release: Path) -> None:
    # A Cyrillic "а" in data/trаin.jsonl: looks the same, is another file.
    (release / "data/train.jsonl").rename(release / "data/tr\u0430in.jsonl")

    def rename(manifest: dict[str, Any]) -> None:
        for entry in manifest["files"]:
            entry["path"] = entry["path"].replace("data/train", "data/tr\u0430in")
        manifest["rows"]["files"] = [path.replace("data/train", "data/tr\u0430in") for path in manifest["rows"]["files"]]

    rewrite_manifest(release, rename)


def path_out_of_the_folder(release: Path) -> None:
    outside = release.parent / "outside"
    outside.write_bytes(b"x")
    entry = {"path": "../outside", "size": 1, "sha256": hashing.sha256_hex(b"x")}
    rewrite_manifest(release, lambda manifest: manifest["files"].append(entry))


def no_manifest(release: Path) -> None:
    (release / "manifest.json").unlink()


def manifest_of_another_release(release: Path) -> None:
    write(release.parent / "other", [*paired(1, "train")])
    shutil.copy(release.parent / "other/manifest.json", release / "manifest.json")


def blanks_in_the_manifest(release: Path) -> None:
    path = release / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()), indent=1), encoding="utf-8")


def a_key_twice_in_the_manifest(release: Path) -> None:
    path = release / "manifest.json"
    path.write_bytes(b'{"version":"2.0",' + path.read_bytes()[1:])


def truncated_manifest(release: Path) -> None:
    path = release / "manifest.json"
    path.write_bytes(path.read_bytes()[:-1])


def deep_manifest(release: Path) -> None:
    (release / "manifest.json").write_bytes(b"[" * 100_000)


def infinite_manifest(release: Path) -> None:
    path = release / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"count":5', b'"count":Infinity'))


def list_for_a_manifest(release: Path) -> None:
    (release / "manifest.json").write_bytes(b"[]")


def other_counts(release: Path) -> None:
    rewrite_manifest(release, lambda manifest: manifest["counts"]["train"].update(original=3))


def other_root(release: Path) -> None:
    rewrite_manifest(release, lambda manifest: manifest["rows"].update(merkle_root="0" * 64))


def other_number_of_rows(release: Path) -> None:
    rewrite_manifest(release, lambda manifest: manifest["rows"].update(count=4))


def rows_in_an_unlisted_file(release: Path) -> None:
    rewrite_manifest(release, lambda manifest: manifest["rows"]["files"].append("data/more.jsonl"))


def file_entry_without_a_hash(release: Path) -> None:
    rewrite_manifest(release, lambda manifest: manifest["files"][0].pop("sha256"))


def files_of_the_wrong_kind(release: Path) -> None:
    rewrite_manifest(release, lambda manifest: manifest.update(files={}))


ATTACKS = {
    change_a_byte: "sizes and hashes",
    add_a_file: "no file is extra",
    remove_a_file: "no file is missing",
    rename_a_file: "no file is missing",
    truncate_a_file: "sizes and hashes",
    swap_two_files: "sizes and hashes",
    link_a_file: "no links or special files",
    link_a_folder: "no links or special files",
    list_a_path_twice: "paths are listed once",
    list_two_spellings: "paths are listed once",
    look_alike_letter: "paths are plain",
    path_out_of_the_folder: "paths are plain",
    no_manifest: "manifest is there",
    manifest_of_another_release: "no file is extra",
    blanks_in_the_manifest: "manifest is canonical",
    a_key_twice_in_the_manifest: "manifest can be read",
    truncated_manifest: "manifest can be read",
    deep_manifest: "manifest can be read",
    infinite_manifest: "manifest can be read",
    list_for_a_manifest: "manifest has the right shape",
    other_counts: "counts",
    other_root: "Merkle root",
    other_number_of_rows: "counts",
    rows_in_an_unlisted_file: "manifest has the right shape",
    file_entry_without_a_hash: "manifest has the right shape",
    files_of_the_wrong_kind: "manifest has the right shape",
}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_otto_cannot_tamper_unseen(release: Path, attack: Callable[[Path], None]) -> None:
    attack(release)
    report = verify(release)
    assert not report.sound
    assert ATTACKS[attack] in failed(report)


def test_an_old_but_consistent_release_is_caught_by_the_published_hash(tmp_path: Path) -> None:
    published = write(tmp_path / "new", ROWS, version="1.1")
    write(tmp_path / "old", ROWS, version="1.0")
    assert verify(tmp_path / "old").sound
    assert failed(verify(tmp_path / "old", expect=published)) == ["manifest is the published one"]


STRADDLES = "nothing straddles two splits"
IMAGE_OF_1 = row(1)["image"]


@pytest.mark.parametrize(
    ("rows", "check"),
    [
        ([row(1, pair="p"), twin(row(1, pair="p"), split="test")], STRADDLES),
        ([row(1), row(4, "test", image=IMAGE_OF_1)], STRADDLES),
        ([row(1), row(4, "test", image=row(4)["image"] | {"cluster": "c1"})], STRADDLES),
        ([row(1), row(1)], "no row twice"),
        ([row(1), row(4, image=IMAGE_OF_1, question="what COLOR is  kettle 1?")], "no row twice"),
        ([row(1, pair="p")], "pairs are whole"),
        ([row(1, pair="p"), row(4, pair="p")], "pairs are whole"),
        ([row(1, is_unanswerable=True)], "labels fit roles"),
    ],
)
def test_a_release_built_badly_is_caught_though_all_hashes_are_right(tmp_path: Path, rows: list[Row], check: str) -> None:
    write(tmp_path, rows)
    assert check in failed(verify(tmp_path))


def resealed(release: Path, change: Callable[[list[bytes]], list[bytes]]) -> Report:
    """Change the lines of the training split and fit the file's entry in the manifest to it."""
    path = release / "data/train.jsonl"
    content = b"".join(change(path.read_bytes().splitlines(keepends=True)))
    path.write_bytes(content)

    def refit(manifest: dict[str, Any]) -> None:
        entry = next(entry for entry in manifest["files"] if entry["path"] == "data/train.jsonl")
        entry.update(size=len(content), sha256=hashing.sha256_hex(content))

    rewrite_manifest(release, refit)
    return verify(release)


def test_a_changed_row_is_caught_by_its_hash(release: Path) -> None:
    report = resealed(release, lambda lines: [line.replace(b"green", b"brown") for line in lines])
    assert failed(report) == ["row hashes"]


def test_a_removed_row_and_a_turned_order_are_caught_by_the_root(tmp_path: Path) -> None:
    write(tmp_path / "a", ROWS)
    write(tmp_path / "b", ROWS)
    assert "Merkle root" in failed(resealed(tmp_path / "a", lambda lines: lines[1:]))
    assert failed(resealed(tmp_path / "b", lambda lines: lines[::-1])) == ["Merkle root"]


@pytest.mark.parametrize("line", [b"{}\n", b"[]\n", b"nonsense\n", b'{"id": 1}\n', b"\n", b"\xff\n"])
def test_a_line_that_is_no_row_is_named(release: Path, line: bytes) -> None:
    report = resealed(release, lambda lines: [*lines, line])
    assert failed(report) == ["rows can be read"]
    assert any("data/train.jsonl:4" in check.detail for check in report.checks)


def test_a_row_that_is_not_canonical_is_named(release: Path) -> None:
    report = resealed(release, lambda lines: [lines[0].replace(b'":"', b'": "', 1), *lines[1:]])
    assert "rows can be read" in failed(report)


def test_a_row_in_the_wrong_splits_file_is_named(release: Path) -> None:
    report = resealed(release, lambda lines: [(release / "data/test.jsonl").read_bytes().splitlines(keepends=True)[0]])
    assert "rows are in their split's file" in failed(report)


def test_many_faults_are_counted_not_all_spelt_out(release: Path) -> None:
    for number in range(12):
        (release / f"extra{number}").write_bytes(b"")
    (check,) = [check for check in verify(release).checks if check.name == "no file is extra"]
    assert check.detail.endswith("and 7 more")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the copy inside the release, isolated from everything but the standard library."""
    command = [sys.executable, "-I", "-S", str(folder / "verify_release.py"), str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={"PATH": os.defpath}, check=False)


def test_a_researcher_runs_the_script_of_the_folder_with_nothing_else_installed(release: Path) -> None:
    done = run(release)
    assert done.returncode == 0, done.stderr
    assert "     passed  Merkle root" in done.stdout
    assert "not checked  signature" in done.stdout
    assert done.stdout.endswith("The release is what its manifest says.\n")
    change_a_byte(release)
    again = run(release)
    assert again.returncode == 1
    assert "NOT the release" in again.stdout


def test_a_script_reads_the_report_as_json(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(release), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["sound"] is True
    assert {"name": "Merkle root", "state": "passed", "detail": ""} in report["checks"]


def test_verifying_leaves_no_trace_in_the_folder(release: Path) -> None:
    before = sorted(path.relative_to(release).as_posix() for path in release.rglob("*"))
    run(release)
    assert sorted(path.relative_to(release).as_posix() for path in release.rglob("*")) == before


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(json_values, st.lists(st.binary(max_size=4), max_size=9))
def test_the_script_hashes_as_the_product_does(value: Any, leaves: list[bytes]) -> None:
    assert verifier._canonical(value) == hashing.canonical_json(value)
    assert verifier._merkle_root(leaves) == hashing.merkle_root(leaves)
