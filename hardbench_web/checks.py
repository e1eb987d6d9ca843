"""System checks: what an installation gets wrong, each with the remedy. `manage.py check` runs them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.db import DatabaseError, connections

from annotation.outbound.addresses import policy


def storage_is_usable(**_: Any) -> list[CheckMessage]:
    """STORAGE_URL names an absolute folder whose nearest existing parent is a folder."""
    parts = urlsplit(settings.STORAGE_URL)
    if parts.scheme != "file" or not parts.path.startswith("/"):
        hint = "Set STORAGE_URL to file:///an/absolute/folder."
        return [Error(f"STORAGE_URL is {settings.STORAGE_URL!r}, which is no folder.", hint=hint, id="hardbench.E001")]
    nearest = next(folder for folder in (Path(parts.path), *Path(parts.path).parents) if folder.exists())
    if not nearest.is_dir():
        hint = "Move that file away, or choose another folder in STORAGE_URL."
        return [Error(f"{nearest} is a file; pictures need a folder there.", hint=hint, id="hardbench.E002")]
    return []


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
