"""Trying a storage out: can it be written and read, and does it keep what it holds to itself?

A small thing is stored, read back, asked for by a stranger, and destroyed again.
"""

import secrets
import stat
from dataclasses import dataclass
from typing import Any, Literal

from botocore.exceptions import BotoCoreError, ClientError

from annotation.errors import DomainError
from annotation.storage.blocks import WithBlocks
from annotation.storage.client import stranger
from annotation.storage.door import Storage
from annotation.storage.local import LocalStorage
from annotation.storage.s3 import S3Storage

Kind = Literal["unusable", "public", "open", "clear-text"]
EVERYBODY = ("/groups/global/AllUsers", "/groups/global/AuthenticatedUsers")
LOOPBACK = ("http://127.", "http://localhost", "http://[::1]")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a storage: what kind of thing, what it is, and the remedy."""

    kind: Kind
    what: str
    remedy: str


def probe(storage: Storage) -> list[Finding]:
    """Everything that is found to be wrong; nothing if it may hold private originals."""
    key, content = f"probes/{secrets.token_hex(16)}", secrets.token_bytes(32)
    try:
        storage.write(key, content)
        try:
            if storage.read_range(key, 0, 64) != content:
                return [Finding("unusable", "The storage gives back other bytes than were stored.", "Replace it.")]
            return _leaks(storage, key)
        finally:
            storage.erase(key)
    except (OSError, DomainError) as fault:
        what = str(fault) if not isinstance(fault, OSError) or fault.errno is None else f"{fault.strerror}: {fault.filename}"
        remedy = "Let the product's user read, write and delete there; see docs/operations.md, storage."
        return [Finding("unusable", f"The storage cannot be used: {what}", remedy)]


def _leaks(storage: Storage, key: str) -> list[Finding]:
    inner = storage.inner if isinstance(storage, WithBlocks) else storage
    if isinstance(inner, S3Storage):
        return [*_seen_by_strangers(inner, key), *_granted_to_everybody(inner), *_in_clear_text(inner)]
    return _open_to_others(inner) if isinstance(inner, LocalStorage) else []


def _seen_by_strangers(bucket: S3Storage, key: str) -> list[Finding]:
    """What somebody without log-in data gets. An answer that is no answer to the question is no proof of anything."""
    client = stranger(bucket.place)
    remedy = "Take the public grants out of its policy and its access list, and block public access."
    tried = {
        "read what is stored": lambda: client.get_object(**bucket.at(key))["Body"].read(),
        "list what is stored": lambda: client.list_objects_v2(Bucket=bucket.place.name, MaxKeys=1),
    }
    return [Finding("public", f"Everybody can {deed}.", remedy) for deed, attempt in tried.items() if _succeeds(attempt)]


def _granted_to_everybody(bucket: S3Storage) -> list[Finding]:
    """What the bucket's own settings say, as far as we may ask: a server may answer strangers elsewhere than here."""
    name, found = bucket.place.name, list[Finding]()
    grants = _asked(lambda: bucket.client.get_bucket_acl(Bucket=name)).get("Grants", [])
    if any(grant.get("Grantee", {}).get("URI", "").endswith(EVERYBODY) for grant in grants):
        found.append(
            Finding("public", "The bucket's access list grants something to everybody.", "Make the access list private.")
        )
    status = _asked(lambda: bucket.client.get_bucket_policy_status(Bucket=name)).get("PolicyStatus", {})
    if status.get("IsPublic"):
        found.append(Finding("public", "The bucket's policy is public.", "Name in it who may do what."))
    return found


def _in_clear_text(bucket: S3Storage) -> list[Finding]:
    endpoint = bucket.place.endpoint
    if not endpoint.startswith("http://") or endpoint.startswith(LOOPBACK):
        return []
    return [Finding("clear-text", "Pictures travel to the bucket unencrypted.", "Write https:// in the endpoint.")]


def _open_to_others(folder: LocalStorage) -> list[Finding]:
    mode = stat.S_IMODE(folder.root.stat().st_mode)
    if not mode & 0o007:
        return []
    return [Finding("open", f"Others on this machine can look into {folder.root}.", f"chmod o= {folder.root}")]


def _succeeds(attempt: Any) -> bool:
    try:
        attempt()
    except (ClientError, BotoCoreError):
        return False
    return True


def _asked(question: Any) -> dict[str, Any]:
    """The answer, or nothing where the server does not know the question or does not answer us."""
    try:
        answer: dict[str, Any] = question()
    except (ClientError, BotoCoreError):
        return {}
    return answer
