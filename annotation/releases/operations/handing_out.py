"""Handing out a built release: as a folder, or as a zip that is made while it is sent."""

import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation import gettext as _

from annotation import storage
from annotation.errors import Conflict, Invalid
from annotation.hashing import canonical_json
from annotation.models import Artifact, Release
from annotation.releases import queries

CHUNK = 1 << 18
ERRATA_SUFFIX = ".errata.json"
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The one time a zip knows for "no time", so that the same release gives the same bytes."""


class NotBuilt(Conflict):
    """The release has no files yet."""

    code = "release-not-built"


class FolderNotEmpty(Conflict):
    """The folder holds something already; a release would be mixed with it."""

    code = "folder-not-empty"


class FolderUnwritable(Invalid):
    """The folder cannot be made or written."""

    code = "folder-unwritable"


def export_release(*, release: Release, folder: Path) -> list[Path]:
    """Write the release's files into a new or empty folder, all of them or none, and its errata beside it; all paths.

    The files are frozen and errata come later, so they stand beside the folder: `<folder>.errata.json`.

    Raises NotBuilt, FolderNotEmpty, FolderUnwritable.
    """
    artifacts = _artifacts(release)
    require_new_folder(folder)
    try:
        folder.resolve().parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".release-", dir=folder.resolve().parent) as beside:
            _write(artifacts, Path(beside) / "whole")
            errata = _write_errata(release, Path(beside), folder)
            (Path(beside) / "whole").replace(folder.resolve())
    except OSError as fault:
        message = _("%(folder)s cannot be written: %(reason)s.") % {"folder": folder, "reason": fault.strerror}
        raise FolderUnwritable(message) from fault
    return [*(folder / artifact.path for artifact in artifacts), *errata]


def require_new_folder(folder: Path) -> None:
    """Raises FolderNotEmpty unless the folder is empty, or is still to be made."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderNotEmpty(_("%(folder)s is not an empty folder. Name a new one.") % {"folder": folder})


def errata_bytes(release: Release) -> bytes:
    """The errata of a release as a file; nothing where there are none."""
    found = queries.errata_json(release)
    return canonical_json(found) + b"\n" if found["errata"] else b""


def _write_errata(release: Release, beside: Path, folder: Path) -> list[Path]:
    content, path = errata_bytes(release), folder.with_name(folder.name + ERRATA_SUFFIX)
    if not content:
        return []
    (beside / "errata").write_bytes(content)
    (beside / "errata").replace(path)
    return [path]


def _write(artifacts: list[Artifact], folder: Path) -> None:
    for artifact in artifacts:
        path = folder / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            for chunk in _content(artifact):
                out.write(chunk)


def zip_chunks(*, release: Release) -> Iterator[bytes]:
    """The release as a zip below one folder named by its version; the same bytes each time. Raises NotBuilt at once."""
    return _zipped(f"hardbench-{release.version}", _artifacts(release), errata_bytes(release))


def _zipped(top: str, artifacts: list[Artifact], errata: bytes) -> Iterator[bytes]:
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        for artifact in artifacts:
            with archive.open(_entry(f"{top}/{artifact.path}"), "w") as out:
                for chunk in _content(artifact):
                    out.write(chunk)
                    yield sink.taken()
        if errata:
            archive.writestr(_entry(f"{top}{ERRATA_SUFFIX}"), errata)
    yield sink.taken()


def _entry(path: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, LONG_AGO)
    entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
    return entry


class _Sink:
    """A stream that can only be written; what was written is taken away piece by piece."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _artifacts(release: Release) -> list[Artifact]:
    if not release.manifest_sha256:
        raise NotBuilt(_("Release %(version)s has no files yet. Build it first.") % {"version": release.version})
    return list(queries.artifacts_of(release))


def _content(artifact: Artifact) -> Iterator[bytes]:
    with storage.store().open(artifact.storage_key) as stream:
        while chunk := stream.read(CHUNK):
            yield chunk
