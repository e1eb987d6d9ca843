"""Parts of addresses: what cannot be a public key or a file of a release is not found, before any table is asked.

Pages import `path` from here, so that its converters `key` and `file` are known.
"""

import re

from django.urls import path, register_converter
from django.urls.converters import StringConverter

__all__ = ["is_key", "path"]

KEY = r"[A-Za-z0-9_-]{1,22}"


class Key(StringConverter):
    """A random public key (see `models.random_key`)."""

    regex = KEY


class File(StringConverter):
    """A file's path inside a release."""

    regex = r"[A-Za-z0-9_][A-Za-z0-9._/-]{0,199}"


register_converter(Key, "key")
register_converter(File, "file")


def is_key(text: str) -> bool:
    return re.fullmatch(KEY, text) is not None
