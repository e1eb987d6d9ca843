"""Names of pictures as sources write them: which can be looked for at all, and which host an address belongs to. Pure."""

import re

from annotation.outbound.addresses import RefusedAddress, target

ADDRESS = ("http://", "https://")
LONGEST_BYTES = 2000
LONGEST_PATH = 500
DRIVE = re.compile(r"[A-Za-z]:")


def is_address(name: str) -> bool:
    """Whether the picture is fetched from a host; every other name is a path below an image folder."""
    return name[:8].lower().startswith(ADDRESS)


def fits(name: str) -> bool:
    """Whether the name can be kept: not empty, no NUL, at most 2,000 bytes of UTF-8."""
    return bool(name) and "\x00" not in name and len(name.encode("utf-8", "surrogatepass")) <= LONGEST_BYTES


def judged(name: str) -> tuple[str, str]:
    """The host of an address (with its port unless that is the scheme's own; empty for paths), and why no picture will
    ever be found under this name (empty if one may)."""
    if not is_address(name):
        return "", _flaw_of_path(name)
    try:
        return target(name).authority, ""
    except RefusedAddress as refusal:
        return "", refusal.message


def _flaw_of_path(name: str) -> str:
    parts = name.split("/")
    if name.startswith("~") or "\\" in name or DRIVE.match(name) or any(part in {"", ".", ".."} for part in parts):
        return "The name is no relative path below the image folder."
    return "The path is longer than 500 characters." if len(name) > LONGEST_PATH else ""
