"""What a machine lacks for `make demo` or `make test`, each with the one command that helps.

Run by the system's Python before there is a virtual environment: standard library only, no import of the project,
and syntax that an old Python still reads, because telling its owner so is the point.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST, NEWEST = (3, 11), (3, 13)
OLDEST_GLIBC = (2, 28)
LEAST_DISK = 2_000_000_000  # bytes
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
INSTALLERS = {
    "apt-get": "apt-get install --no-install-recommends",
    "dnf": "dnf install",
    "zypper": "zypper install",
    "pacman": "pacman -S",
    "apk": "apk add",
}
GIVEN = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL")


def main(purpose: str) -> int:
    """Print what is missing for `demo` or `test`; 1 if anything is."""
    problems = [*platform_problems(), *python_problems(), *tool_problems(), *disk_problems(Path.cwd())]
    if purpose == "test" and not problems:
        problems += browser_problems()
    for problem in problems:
        print(f"- {problem}", file=sys.stderr)
    if problems:
        print(f"\nMend this, then run `make {purpose}` again.", file=sys.stderr)
    return 1 if problems else 0


def servers_given() -> bool:
    return all(os.environ.get(name) for name in GIVEN)


def platform_problems() -> list[str]:
    """The embedded servers are Linux x86-64 programs; elsewhere the environment has to name servers that run."""
    if servers_given():
        return []
    remedy = f"Elsewhere, run Postgres and Redis yourself and set {', '.join(GIVEN)}."
    if sys.platform != "linux" or platform.machine() not in ("x86_64", "AMD64"):
        return [f"The embedded Postgres and Valkey need Linux x86-64; this is {sys.platform} {platform.machine()}. {remedy}"]
    library, version = platform.libc_ver()
    if library != "glibc" or numbers(version) < OLDEST_GLIBC:
        oldest = ".".join(map(str, OLDEST_GLIBC))
        found = f"this system has {library or 'another C library'} {version}"
        return [f"The embedded servers need glibc {oldest} or newer; {found}. {remedy}"]
    return []


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def python_problems() -> list[str]:
    here = sys.version_info[:2]
    if platform.python_implementation() != "CPython" or not OLDEST <= here <= NEWEST:
        found = f"{platform.python_implementation()} {here[0]}.{here[1]} ({sys.executable})"
        return [
            f"CPython 3.11 to 3.13 is needed, found {found}. {install('python3.11')} or name one: make PYTHON=/path/to/python3.11"
        ]
    if not works([sys.executable, "-c", "import venv, ensurepip"]):
        return [f"This Python cannot make virtual environments. {install(f'python{here[0]}.{here[1]}-venv')}"]
    return []


def tool_problems() -> list[str]:
    """Without --pdeathsig a killed launcher would leave servers behind; root needs a user namespace or somebody else."""
    if servers_given() or sys.platform != "linux":
        return []
    missing = [] if works(["setpriv", "--pdeathsig", "TERM", "true"]) else ["setpriv"]
    if os.geteuid() == 0 and not shutil.which("unshare"):
        missing.append("unshare")
    return [f"{' and '.join(missing)} of util-linux cannot be used. {install('util-linux')}"] if missing else []


def disk_problems(folder: Path) -> list[str]:
    free = shutil.disk_usage(folder).free
    if free > LEAST_DISK:
        return []
    return [f"{free / 1e9:.1f} GB are free at {folder}, {LEAST_DISK / 1e9:.0f} GB are needed. Free some space: df -h {folder}"]


def browser_problems() -> list[str]:
    """The browser tests drive a real one; Debian's is installed where we may."""
    if find_browser() or (may_install() and install_browser() and find_browser()):
        return []
    return [f"No Chrome or Chromium is on PATH. {install('chromium')}"]


def find_browser() -> str | None:
    """The path of a Chrome or Chromium, which the browser tests use."""
    return next((path for path in map(shutil.which, BROWSERS) if path), None)


def may_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install_browser() -> bool:
    print("Installing chromium for the browser tests (apt-get)", flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    package = ["apt-get", "install", "--yes", "-qq", "--no-install-recommends", "chromium"]
    return works(["apt-get", "update", "-qq"], env) and works(package, env)


def works(command: list[str], env: dict[str, str] | None = None) -> bool:
    """Whether a command exists and succeeds; its output is shown only if it fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, check=False)
    except FileNotFoundError:
        return False
    if done.returncode:
        sys.stderr.write(done.stdout.decode(errors="replace"))
    return done.returncode == 0


def install(package: str) -> str:
    """The one command that installs a package here, as far as we know the system's installer."""
    known = next((line for name, line in INSTALLERS.items() if shutil.which(name)), None)
    if known is None:
        return f"Install {package}"
    return f"Run: {'' if os.geteuid() == 0 else 'sudo '}{known} {package}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "demo"))
