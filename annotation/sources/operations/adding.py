"""Adding sources."""

import re

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict, Invalid
from annotation.models import UNKNOWN_LICENCE, Person, Source
from annotation.sources.cards import card_of

KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class SourceKnown(Conflict):
    """There is a source of this key already."""

    code = "source-known"


class BadSource(Invalid):
    """The key or the name of a source is none."""

    code = "bad-source"


@transaction.atomic
def add_source(
    *,
    key: str,
    by: Person,
    name: str = "",
    licence: str = "",
    homepage: str = "",
    citation: str = "",
    images_redistributable: bool = False,
) -> Source:
    """A new source. `licence` is an SPDX identifier or `unknown`. What is left empty is taken from the card of a source
    that we know by its key (see `cards`). Raises BadSource, SourceKnown.
    """
    if len(key) > 40 or not KEY.fullmatch(key):
        raise BadSource(_("A key has small letters, digits and hyphens, such as pixmo-count."), field="key")
    card = card_of(key)
    name = name.strip() or (card.name if card else "")
    if not name:
        raise BadSource(_("Give the source a name."), field="name")
    licence = licence.strip() or (card.licence if card else UNKNOWN_LICENCE)
    values = {
        "name": name,
        "licence": licence,
        "homepage": homepage or (card.homepage if card else ""),
        "citation": citation or (card.citation if card else ""),
        "images_redistributable": images_redistributable or bool(card and card.images_redistributable),
    }
    source, made = Source.objects.get_or_create(key=key, defaults=values)
    if not made:
        raise SourceKnown(_("There is a source %(key)s already.") % {"key": key}, field="key")
    journal.record(event="source.added", actor=by, subject=source, after={"key": key, "licence": licence})
    return source
