"""Adding sources."""

import re

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict, Invalid
from annotation.models import UNKNOWN_LICENCE, Person, Source

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
    name: str,
    by: Person,
    licence: str = UNKNOWN_LICENCE,
    homepage: str = "",
    citation: str = "",
    images_redistributable: bool = False,
) -> Source:
    """A new source. `licence` is an SPDX identifier or `unknown`. Raises BadSource, SourceKnown."""
    if len(key) > 40 or not KEY.fullmatch(key):
        raise BadSource(_("A key has small letters, digits and hyphens, such as pixmo-count."), field="key")
    if not name.strip():
        raise BadSource(_("Give the source a name."), field="name")
    values = {"homepage": homepage, "citation": citation, "images_redistributable": images_redistributable}
    licence = licence.strip() or UNKNOWN_LICENCE
    source, made = Source.objects.get_or_create(key=key, defaults={"name": name.strip(), "licence": licence, **values})
    if not made:
        raise SourceKnown(_("There is a source %(key)s already.") % {"key": key}, field="key")
    journal.record(event="source.added", actor=by, subject=source, after={"key": key, "licence": licence})
    return source
