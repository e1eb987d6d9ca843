"""Taking a picture down: everything that rests on it, in one transaction; its bytes right after it."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import journal, work
from annotation.errors import Missing
from annotation.images.operations import bury, erase
from annotation.models import Erratum, Image, Person, Release, ReleaseRow, ReleaseState, Takedown, WorkUnit
from annotation.questions.operations import withdraw_of_image
from annotation.releases import queries
from annotation.review.operations import withdraw_items

ERASE_KIND = "erase"
# In one language, English: it goes out with releases.
TOLD = "The picture of these rows was taken down on request. Do not use the rows, and delete the picture if you have it."


class NoSuchPicture(Missing):
    """No picture has this key."""

    code = "no-such-picture"


@transaction.atomic
def take_down(*, image_key: str, reason: str, asked_by: str, by: Person) -> tuple[Takedown, WorkUnit]:
    """Take a picture out of review, generation and coming releases for good; the unit that destroys its bytes.

    Published releases stay as they are and get an erratum each. Raises NoSuchPicture, TakedownUnexplained,
    AlreadyTakenDown.
    """
    image = Image.objects.select_for_update().filter(key=image_key).first()
    if image is None:
        raise NoSuchPicture(_("There is no picture of this key. Copy it from the list of images."))
    _hold_releases(image)
    takedown = bury(image=image, reason=reason, asked_by=asked_by, by=by)
    after: dict[str, Any] = {"takedown": takedown.key, "sha256": image.sha256, **_withdraw(takedown)}
    errata = _note_errata(takedown)
    journal.record(event="image.taken-down", actor=by, subject=image, after={**after, "errata": [one.key for one in errata]})
    payload = {"takedown_id": takedown.pk}
    unit = work.enqueue(kind=ERASE_KIND, natural_key=f"{ERASE_KIND}:{image.key}", payload=payload, queue="io")
    return takedown, unit


def finish_takedown(*, takedown: Takedown) -> dict[str, Any]:
    """Destroy the bytes of a picture that was taken down, and withdraw what came in while that was being done.

    May be called any number of times: also after a backup was restored that still has the bytes. Raises work.NotYet,
    work.PassingFailure.
    """
    erased = erase(takedown=takedown)
    with transaction.atomic():
        late = _withdraw(takedown)
        journal.record(event="image.erased", actor=None, subject=takedown.image, after={"takedown": takedown.key, **late})
    return {"erased": len(erased), **late}


def _hold_releases(image: Image) -> None:
    """A release is either published before, and gets its erratum, or after, and its check finds the withdrawn rows."""
    with_rows = ReleaseRow.objects.filter(question__image=image).values("release")
    list(Release.objects.select_for_update().filter(pk__in=with_rows).order_by("pk"))


def _withdraw(takedown: Takedown) -> dict[str, int]:
    image, by = takedown.image, takedown.by
    reason = f"takedown {takedown.key}"
    return {"items": withdraw_items(image=image, by=by), "questions": withdraw_of_image(image=image, by=by, reason=reason)}


def _note_errata(takedown: Takedown) -> list[Erratum]:
    out = (ReleaseState.PUBLISHED, ReleaseState.WITHDRAWN)
    errata = [
        Erratum(release=release, takedown=takedown, row_ids=rows, text=TOLD, by=takedown.by)
        for release, rows in queries.rows_of_image(takedown.image)
        if release.state in out
    ]
    return Erratum.objects.bulk_create(errata)
