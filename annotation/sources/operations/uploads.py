"""Files that maintainers bring by a page: kept under their sum until and after they are imported."""

from pathlib import Path

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Invalid
from annotation.models import Person, Source, UploadedFile
from annotation.sources.fingerprints import fingerprint
from annotation.storage import store

MOST_BYTES = 64 << 20


class FileTooLarge(Invalid):
    """The file is for the command, not for a page."""

    code = "file-too-large"


def keep_upload(*, source: Source, path: Path, file_name: str, by: Person) -> UploadedFile:
    """The file, stored; the same bytes for the same source are the same file. Raises FileTooLarge, Unreadable."""
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise FileTooLarge(
            _("A page takes files of at most %(most)s MiB: use the command import_source.") % {"most": MOST_BYTES >> 20},
            field="file",
        )
    print_ = fingerprint(path)
    key = f"imports/{print_.sha256[:2]}/{print_.sha256}"
    store().write(key, path)
    values = {"file_name": file_name[:255], "byte_size": size, "storage_key": key, "by": by}
    with transaction.atomic():
        kept, made = UploadedFile.objects.get_or_create(source=source, sha256=print_.sha256, defaults=values)
        if made:
            after = {"source": source.key, "sha256": kept.sha256, "bytes": size}
            journal.record(event="file.uploaded", actor=by, subject=kept, after=after)
    return kept
