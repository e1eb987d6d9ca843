"""How a row names its picture: a path below the image root, an address, or the bytes themselves. Pure."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from annotation.hashing import sha256_hex
from annotation.sources.layouts.checks import only_one, text
from annotation.sources.layouts.shape import Unfit
from annotation.sources.rows import Wanted

MOST_ADDRESS = 2000
MOST_PATH = 400
DRIVE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
SHA256 = re.compile(r"[0-9a-f]{64}")
UNSAFE = re.compile(r"[\s\\<>\"{}|^`]")
ENDING = re.compile(r"\.[a-z0-9]{2,5}")
NO_PATH = "An image is a relative path below the image folder, such as photos/a.jpg."

path_text = text(MOST_PATH)
address_text = text(MOST_ADDRESS)


def image_path(value: Any) -> str:
    """A path below the image folder, in the source's own spelling without a leading "./"."""
    path: str = path_text(value).removeprefix("./")
    parts = path.split("/")
    if path.startswith(("/", "~")) or "\\" in path or DRIVE.match(path) or any(part in {"", ".", ".."} for part in parts):
        raise Unfit(NO_PATH)
    return path


def address(value: Any) -> str:
    """An http or https address with a host and without a password; the scheme in small letters."""
    found: str = address_text(value)
    try:
        parts = urlsplit(found)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        sound = False
    if not sound or UNSAFE.search(found):
        raise Unfit("An address starts with http:// or https:// and holds no blanks.")
    if parts.username is not None or parts.password is not None:
        raise Unfit("An address must not carry a user name or a password.")
    return parts.scheme + found[len(parts.scheme) :]


def path_or_address(value: Any) -> Wanted:
    """A picture by its path or by its address."""
    named = isinstance(value, str) and value.strip().lower().startswith(("http://", "https://"))
    return Wanted(address(value) if named else image_path(value))


def picture(value: Any) -> Wanted:
    """A picture as tables and lists hold it: a path, an address, bytes, {"bytes", "path"} or {"image"}, or a list of
    one of these."""
    value = only_one(value, "picture")
    if isinstance(value, Mapping):
        content = value.get("bytes")
        named = value.get("path") or value.get("image") or ""
        return carried(content, named) if isinstance(content, bytes) and content else path_or_address(named)
    return carried(value) if isinstance(value, bytes) else path_or_address(value)


def carried(content: bytes, path: object = "") -> Wanted:
    """A picture whose bytes stand in the row. It is named after them, since tables repeat names such as image.png."""
    if not content:
        raise Unfit("The picture has no bytes.")
    sha256 = sha256_hex(content)
    ending = PurePosixPath(str(path)).suffix.lower()
    return Wanted(f"embedded/{sha256}{ending if ENDING.fullmatch(ending) else ''}", sha256, len(content), content)


def sha256(value: Any) -> str:
    """A sha256 in hex digits, in small letters."""
    found = value.strip().lower() if isinstance(value, str) else ""
    if not SHA256.fullmatch(found):
        raise Unfit("A sha256 has 64 hex digits.")
    return found
