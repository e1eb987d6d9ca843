"""Whether the libraries that touch untrusted pixels are ones we dare to use: new enough, and shut to what is untrusted."""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from annotation.images import pixels

# Below these are known holes in decoders that we use (CVE-2026-69242 of libvips, CVE-2026-112403 of Pillow).
FLOORS = {"libvips": (8, 18, 3), "Pillow": (13, 0, 0)}


def flaws(found: Mapping[str, Any]) -> list[str]:
    """What is wrong with what `probe.looked` found, each as a sentence; none on a sound installation."""
    old = [
        f"{name} is {'.'.join(map(str, found['versions'][name]))}; {'.'.join(map(str, floor))} is the oldest without known holes."
        for name, floor in FLOORS.items()
        if tuple(found["versions"][name]) < floor
    ]
    return old + [f"libvips opens {name} files, although it is told not to." for name in found["opened"]]


def look() -> list[str]:
    """The flaws of this installation, found out in a process of its own."""
    command = [sys.executable, "-m", "annotation.images.probe"]
    done = subprocess.run(command, cwd=pixels.PROJECT, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != 0:
        return [f"The libraries for pictures cannot be loaded: {done.stderr.strip().splitlines()[-1:] or done.returncode}."]
    return flaws(json.loads(done.stdout))
