"""Image grants: signed capabilities that let a browser fetch the tiles of one picture without a database query.

A grant names a role and is bound to one image and one half hour of the clock. It holds from its own half hour to the
end of the next, so it is stable for caches and dies by itself: a right that is withdrawn ends after at most one hour.
A download grant is for one person, one original and two minutes; it is asked for each time, and journalled.
Pure: the secret and the time are arguments.
"""

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime

BUCKET_SECONDS = 30 * 60
DOWNLOAD_SECONDS = 2 * 60
PURPOSE = b"hardbench image grant, version 1"
DOWNLOAD_PURPOSE = b"hardbench download grant, version 1"
MAC_BYTES = 18  # 144 bits, 24 characters

ROLE = re.compile(r"[a-z][a-z-]{0,19}")
IMAGE_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
DOWNLOAD_GRANT = re.compile(r"([1-9][0-9]{0,11})\.([A-Za-z0-9_-]{24})", re.ASCII)


class BadGrant(Exception):
    """The grant is forged, belongs to another image, or is too old."""


def image_grant(*, secret: str, role: str, image_key: str, at: datetime) -> str:
    """The grant for `role` on one image at the aware time `at`: `<role>.<24 url-safe characters>`.

    Equal for all times of one half hour. Raises ValueError for a role or key that no address could carry.
    """
    if not ROLE.fullmatch(role) or not IMAGE_KEY.fullmatch(image_key):
        raise ValueError(f"no grant for role {role!r} and image {image_key!r}: both must be plain words.")
    return f"{role}.{_mac(secret, role, image_key, _bucket(at))}"


def granted_role(*, secrets: Sequence[str], grant: str, image_key: str, at: datetime) -> str:
    """The role that a grant carries at the aware time `at`; raises BadGrant where it carries none.

    `secrets` holds the present secret and, after a change, those before it.
    """
    role, _, mac = grant.partition(".")
    if ROLE.fullmatch(role) and IMAGE_KEY.fullmatch(image_key) and mac.isascii():
        bucket = _bucket(at)
        good = [_mac(secret, role, image_key, one) for secret in secrets for one in (bucket, bucket - 1)]
        if sum(hmac.compare_digest(mac, one) for one in good):  # a sum compares all: the time taken tells nothing
            return role
    raise BadGrant("This picture's address has run out or was never valid: reload the page to get a new one.")


def download_grant(*, secret: str, person: int, image_key: str, at: datetime) -> str:
    """The grant for one person (their primary key) to download one original, made at the aware time `at`.

    `<last second it holds>.<24 url-safe characters>`; the person is bound to it and not named in it. Raises ValueError.
    """
    if not IMAGE_KEY.fullmatch(image_key):
        raise ValueError(f"no grant for image {image_key!r}: it must be a plain word.")
    until = int(at.timestamp()) + DOWNLOAD_SECONDS
    return f"{until}.{_download_mac(secret, person, image_key, until)}"


def check_download(*, secrets: Sequence[str], grant: str, person: int, image_key: str, at: datetime) -> None:
    """Raises BadGrant unless the grant is for this person and image and holds at the aware time `at`."""
    parts = DOWNLOAD_GRANT.fullmatch(grant)
    if parts and IMAGE_KEY.fullmatch(image_key):
        until = int(parts[1])
        good = [_download_mac(secret, person, image_key, until) for secret in secrets]
        if sum(hmac.compare_digest(parts[2], one) for one in good) and at.timestamp() <= until:
            return
    raise BadGrant("This download's address has run out or was never valid: ask for a new one.")


def _bucket(at: datetime) -> int:
    return int(at.timestamp() // BUCKET_SECONDS)


def _mac(secret: str, role: str, image_key: str, bucket: int) -> str:
    return _signed(secret, PURPOSE, f"{role}\n{image_key}\n{bucket}")


def _download_mac(secret: str, person: int, image_key: str, until: int) -> str:
    return _signed(secret, DOWNLOAD_PURPOSE, f"{person}\n{image_key}\n{until}")


def _signed(secret: str, purpose: bytes, text: str) -> str:
    # Its own key per purpose: a signature made for something else with the same secret is worth nothing here.
    key = hmac.digest(secret.encode(), purpose, hashlib.sha256)
    mac = hmac.digest(key, text.encode(), hashlib.sha256)
    return urlsafe_b64encode(mac[:MAC_BYTES]).decode()
