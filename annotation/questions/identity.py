"""When two questions of one picture are the same. Pure."""

from collections.abc import Sequence

from annotation.hashing import normalised_text, sha256_hex


def text_hash(text: str, options: Sequence[str] = ()) -> str:
    """The hash of normalised text and options: equal for questions that are the same."""
    return sha256_hex("\n".join(map(normalised_text, (text, *options))).encode())
