"""Taking a picture down: its row becomes a tombstone at once, its bytes are destroyed wherever they are kept.

The sha256 stays, so that the same bytes are refused when they come again. What is written beside acquisitions is in one
language, English.
"""

from datetime import timedelta

from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation import work
from annotation.errors import Conflict, Invalid
from annotation.images import archive, formats
from annotation.images.operations.clusters import forget
from annotation.images.operations.tiling import pyramid_key
from annotation.models import Acquisition, AcquisitionState, Image, Person, PyramidState, Takedown, WorkState, WorkUnit
from annotation.storage import store

REASON_AT_MOST, ASKED_BY_AT_MOST = 2_000, 200
LOOK_AGAIN = timedelta(seconds=30)


class TakedownUnexplained(Invalid):
    """A takedown needs to say why, and who asked for it."""

    code = "takedown-unexplained"


class AlreadyTakenDown(Conflict):
    """The picture was taken down before; that stands."""

    code = "already-taken-down"


def bury(*, image: Image, reason: str, asked_by: str, by: Person) -> Takedown:
    """Make the locked image a tombstone, inside the caller's transaction; the bytes are there until `erase`.

    Raises TakedownUnexplained, AlreadyTakenDown.
    """
    if image.pyramid_state == PyramidState.ERASED:
        raise AlreadyTakenDown(_("This picture was taken down before."))
    keys = [image.storage_key, pyramid_key(image.key)]
    takedown = Takedown.objects.create(
        image=image,
        reason=_words(reason, "reason", REASON_AT_MOST),
        asked_by=_words(asked_by, "asked_by", ASKED_BY_AT_MOST),
        storage_keys=keys,
        by=by,
    )
    Image.objects.filter(pk=image.pk).update(pyramid_state=PyramidState.ERASED, pyramid_key="", pyramid_fault="")
    forget(image)
    wanted = {"state": AcquisitionState.REFUSED, "image": None, "reason": formats.REASONS["taken-down"], "fetched_at": Now()}
    Acquisition.objects.filter(image=image).update(**wanted)
    return takedown


def erase(*, takedown: Takedown) -> list[str]:
    """Destroy the bytes of a picture that was taken down; where they were. Any number of times, also after a backup.

    Raises work.NotYet while a worker may be writing the picture's tiles, work.PassingFailure where the storage fails.
    """
    tiling = WorkUnit.objects.filter(natural_key=f"tile:{takedown.image.key}", state=WorkState.LEASED)
    if tiling.exists():
        raise work.NotYet("A worker is cutting the picture just now.", seconds=LOOK_AGAIN.total_seconds())
    storage = store()
    try:
        for key in takedown.storage_keys:
            storage.erase(key)
    except OSError as error:
        raise work.PassingFailure(f"The storage did not erase the bytes: {error}.") from error
    archive.directories.forget(storage, pyramid_key(takedown.image.key))
    return list(takedown.storage_keys)


def _words(text: str, field: str, most: int) -> str:
    text = " ".join(text.split()) if field == "asked_by" else text.strip()
    if not text or len(text) > most:
        raise TakedownUnexplained(_("Write 1 to %(most)d characters.") % {"most": most}, field=field)
    return text
