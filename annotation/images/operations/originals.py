"""Originals are private: who gets one is written down."""

from annotation import journal
from annotation.models import Image, Person
from annotation.storage import store
from annotation.storage.door import missing


def hand_out_original(*, image: Image, by: Person) -> None:
    """Write down that a person may now fetch the original bytes of a picture.

    Raises NoSuchKey where they are gone; that is written down, too.
    """
    after = {"sha256": image.sha256, "bytes": image.byte_size}
    if not store().exists(image.storage_key):
        journal.record(event="image.original-missing", actor=by, subject=image, after=after)
        raise missing(image.storage_key)
    journal.record(event="image.original-handed-out", actor=by, subject=image, after=after)
