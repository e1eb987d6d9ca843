"""What became of a picture that a source names, written down. A picture that is here stays here, whoever comes later.

Why a picture did not come is stored beside it, so these reasons are written in one language, English.
"""

from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from annotation.images import names
from annotation.images.operations.tiling import enqueue_tiling
from annotation.models import Acquisition, AcquisitionState, Image, Source

ANSWERED = {AcquisitionState.GONE, AcquisitionState.REFUSED, AcquisitionState.MISMATCH}


@transaction.atomic
def settle_stored(*, source: Source, name: str, image: Image, **facts: Any) -> None:
    """The picture is here: it is queued for tiling."""
    values = {"state": AcquisitionState.STORED, "image": image, "reason": "", **facts}
    row, waited = _row(source, name, values)
    if waited:
        Acquisition.objects.filter(pk=row.pk).update(**values, fetched_at=Now(), received_bytes=image.byte_size)
    enqueue_tiling(image)


@transaction.atomic
def settle_refusal(
    *, source: Source, name: str, state: AcquisitionState, reason: str, asked: int | None = None, **facts: Any
) -> None:
    """The picture did not come: for good, until somebody asks again, or until it is tried again.

    `asked` is the round whose answer this is; the answer to an older one changes nothing.
    """
    values = {"state": state, "reason": reason, **facts}
    row, waited = _row(source, name, values)
    if waited and asked in {None, row.round}:
        stamp = {"fetched_at": Now()} if state in ANSWERED else {}
        Acquisition.objects.filter(pk=row.pk).update(**values, **stamp)


def _row(source: Source, name: str, values: dict[str, Any]) -> tuple[Acquisition, bool]:
    """The locked row, and whether it waits for this answer: not if it was made with it, or its picture is here."""
    defaults = {"host": names.judged(name)[0], **values}
    row, made = Acquisition.objects.select_for_update().get_or_create(source=source, name=name, defaults=defaults)
    return row, not made and row.state != AcquisitionState.STORED
