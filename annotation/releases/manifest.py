"""The manifest of a release: what it holds, where it comes from, and how to check it. Values in, values out.

`manifest.json` is canonical JSON; its sha256 is the release's identity. It holds no time and nothing of the machine that
made it, so that the same cut and plan give the same manifest everywhere. `verify.py` is its reader.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.hashing import canonical_json, merkle_root, sha256_hex
from annotation.releases.export import counts, jsonl_path

SCHEMA = "hardbench-release/1"
MANIFEST = "manifest.json"


def build_manifest(
    *,
    version: str,
    parent: Mapping[str, str] | None,
    plan: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    files: Mapping[str, bytes],
    journal: Mapping[str, Any] | None,
    code_version: str,
) -> dict[str, Any]:
    """The manifest of sealed rows, in their order, and of every file beside it.

    `parent` is {"version", "manifest_sha256"} of the release this one follows; `journal` the last checkpoint
    {"last_entry", "chained"} at the cut, or None before the first seal.
    """
    splits = list(dict.fromkeys(row["split"] for row in rows))
    return {
        "schema": SCHEMA,
        "version": version,
        "parent": None if parent is None else dict(parent),
        "plan": dict(plan),
        "counts": counts(rows),
        "rows": {
            "count": len(rows),
            "files": [jsonl_path(split) for split in splits],
            "merkle_root": merkle_root(bytes.fromhex(row["row_hash"]) for row in rows),
        },
        "files": [{"path": path, "size": len(content), "sha256": sha256_hex(content)} for path, content in sorted(files.items())],
        "journal": None if journal is None else dict(journal),
        "code_version": code_version,
    }


def manifest_bytes(manifest: Mapping[str, Any]) -> bytes:
    """The file's content. Its sha256 is the release's identity."""
    return canonical_json(manifest)
