"""Content hashes and the canonical forms they are taken over. Standard library only; imports nothing of ours.

Two people who hash the same facts on two machines must get the same hex string, so every function here is
independent of locale, dict order, PYTHONHASHSEED and operating system.
"""

import hashlib
import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path

CHUNK = 1 << 20

LEAF_PREFIX = b"\x00"
NODE_PREFIX = b"\x01"


def sha256_hex(data: bytes) -> str:
    """The sha256 of some bytes, as 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def sha256_file(path: Path | str) -> str:
    """The sha256 of a file's content, read in chunks so that a large file needs no memory. OSError if unreadable."""
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def canonical_json(value: object) -> bytes:
    """One value, one byte string: keys sorted, no blanks, UTF-8, as RFC 8785 asks.

    Two things differ from RFC 8785 on purpose: keys sort by code point, and a float is written as Python writes it
    (shortest form that reads back equal). Raises ValueError for NaN, infinities and lone surrogates, TypeError for
    anything JSON has no word for, including keys that are not text (``json`` would quietly turn 1 into "1").
    """
    _refuse_foreign_keys(value)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


def merkle_root(leaves: Iterable[bytes]) -> str:
    """The root of a Merkle tree over the leaves in their order, as hex (RFC 6962, section 2.1).

    Leaf and inner nodes are hashed with different prefixes, so that an inner node cannot pass for a leaf. The tree of
    nothing has the hash of the empty string. Needs memory for one hash per level only.
    """
    stack: list[tuple[int, bytes]] = []
    for leaf in leaves:
        level, digest = 0, hashlib.sha256(LEAF_PREFIX + leaf).digest()
        while stack and stack[-1][0] == level:
            digest = _node(stack.pop()[1], digest)
            level += 1
        stack.append((level, digest))
    if not stack:
        return sha256_hex(b"")
    _, root = stack.pop()
    while stack:
        root = _node(stack.pop()[1], root)
    return root.hex()


def normalised_text(text: str) -> str:
    """Text as compared for equality: compatibility forms folded (NFKC), case folded, blanks collapsed.

    Applying it twice changes nothing. Case folding may undo composition, hence the second normalisation.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(NODE_PREFIX + left + right).digest()


def _refuse_foreign_keys(value: object) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError(f"canonical JSON needs text keys, got {key!r}")
            _refuse_foreign_keys(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_foreign_keys(inner)
