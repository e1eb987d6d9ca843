"""The process that finds out what libvips and Pillow are like here: `python -m annotation.images.probe` prints JSON.

On some builds blocking the untrusted loaders did nothing, so it is tried and not believed.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import PIL
import pyvips

from annotation.images import decoding  # noqa: F401 - it blocks the loaders, as it does for pictures

UNTRUSTED = {
    "SVG": b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    "PDF": b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%%EOF\n",
    "BMP": b"BM" + bytes.fromhex("3a000000000000003600000028000000010000000100000001001800000000000400000000000000") + bytes(20),
}


def looked() -> dict[str, Any]:
    """Versions of the libraries, and which of the untrusted formats can be opened all the same."""
    versions = {"libvips": [pyvips.version(part) for part in range(3)], "Pillow": _numbers(PIL.__version__)}
    with tempfile.TemporaryDirectory() as folder:
        opened = [name for name, content in UNTRUSTED.items() if _opens(Path(folder) / name, content)]
    return {"versions": versions, "opened": opened}


def _opens(path: Path, content: bytes) -> bool:
    path.write_bytes(content)
    try:
        pyvips.Image.new_from_file(str(path))
    except pyvips.Error:
        return False
    return True


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")[:3] if part.isdigit()]


if __name__ == "__main__":
    print(json.dumps(looked()))
