"""System checks: what an installation gets wrong, each with the remedy. `manage.py check` runs them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.db import DatabaseError, connections

from annotation.images import decoders
from annotation.outbound.addresses import policy
from annotation.storage import store
from annotation.storage.probing import Finding, probe
from annotation.storage_urls import EXAMPLES, BadStorageUrl, Folder, place


def storage_is_usable(**_: Any) -> list[CheckMessage]:
    """STORAGE_URL names a storage; where it is a folder, the nearest one that exists is a folder."""
    try:
        found = place(settings.STORAGE_URL)
    except BadStorageUrl as refusal:
        return [Error(str(refusal), hint=f"Write {EXAMPLES}.", id="hardbench.E001")]
    if not isinstance(found, Folder):
        return []
    nearest = next(folder for folder in (found.root, *found.root.parents) if folder.exists())
    if not nearest.is_dir():
        hint = "Move that file away, or choose another folder in STORAGE_URL."
        return [Error(f"{nearest} is a file; pictures need a folder there.", hint=hint, id="hardbench.E002")]
    return []


def storage_is_private(**_: Any) -> list[CheckMessage]:
    """The storage can be written and read by us, and by nobody else. It is tried out, so this belongs to a deployment."""
    if storage_is_usable():
        return []  # said already
    found = place(settings.STORAGE_URL)
    if isinstance(found, Folder) and any(found.root.is_relative_to(served) for served in _served()):
        hint = "Choose a folder in STORAGE_URL that no web server serves."
        return [Error(f"{found.root} lies among the static files, which everybody gets.", hint=hint, id="hardbench.E008")]
    return [_storage_message(finding) for finding in probe(store())]


def _served() -> list[Path]:
    return [Path(folder) for folder in (settings.STATIC_ROOT, *settings.STATICFILES_DIRS)]


def _storage_message(finding: Finding) -> CheckMessage:
    if finding.kind in ("unusable", "public"):
        number = "hardbench.E007" if finding.kind == "unusable" else "hardbench.E008"
        return Error(finding.what, hint=finding.remedy, id=number)
    return Warning(finding.what, hint=finding.remedy, id="hardbench.W003" if finding.kind == "open" else "hardbench.W004")


def decoders_are_sound(**_: Any) -> list[CheckMessage]:
    """The libraries for pictures have no known holes, and refuse SVG, PDF and BMP. It is tried out."""
    hint = "Install the versions that requirements.txt names."
    return [Error(flaw, hint=hint, id="hardbench.E009") for flaw in decoders.look()]


def broker_is_named(**_: Any) -> list[CheckMessage]:
    """REDIS_URL has a scheme that Celery's Redis transport knows."""
    if urlsplit(settings.REDIS_URL).scheme in ("redis", "rediss", "redis+socket"):
        return []
    hint = "Write redis://host:6379/0, rediss://…, or redis+socket:///path/valkey.sock?virtual_host=0."
    return [Error(f"REDIS_URL is {settings.REDIS_URL!r}.", hint=hint, id="hardbench.E003")]


def product_owns_nothing(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """The product's role is neither a superuser nor the owner of votes: otherwise append-only is only a habit."""
    if "default" not in (databases or []):
        return []
    try:
        with connections["default"].cursor() as cursor:
            cursor.execute(
                "SELECT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)"
                " OR EXISTS (SELECT 1 FROM pg_tables WHERE tablename = 'vote' AND tableowner = current_user)"
            )
            too_mighty = cursor.fetchone()[0]
    except DatabaseError as error:
        hint = "Check DATABASE_URL, and that the server runs."
        return [Error(f"The database cannot be asked: {error}", hint=hint, id="hardbench.E004")]
    if not too_mighty:
        return []
    hint = "Let DATABASE_URL use the role `app` and DATABASE_OWNER_URL the role `owner` (hardbench_web/embedded/provision.sql)."
    return [Error("The product runs as a role that could change votes.", hint=hint, id="hardbench.E005")]


def hosts_are_named(**_: Any) -> list[CheckMessage]:
    """A deployment answers to named hosts only."""
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    return [Warning("ALLOWED_HOSTS allows every name.", hint="Name your hosts, separated by commas.", id="hardbench.W001")]


def door_is_shut(**_: Any) -> list[CheckMessage]:
    """OUTBOUND_ALLOW names addresses, and outside of debugging none: each is a hole into the own network."""
    try:
        policy(own_hosts=[], allow=settings.OUTBOUND_ALLOW)
    except ValueError as error:
        hint = "Write addresses with or without a port, separated by commas: 127.0.0.1:8099."
        return [Error(f"OUTBOUND_ALLOW cannot be read: {error}.", hint=hint, id="hardbench.E006")]
    if not settings.OUTBOUND_ALLOW or settings.DEBUG:
        return []
    hint = "Unset it: whoever writes rows of a source could make this server ask these addresses."
    return [Warning("OUTBOUND_ALLOW lets addresses of the own network through.", hint=hint, id="hardbench.W002")]
