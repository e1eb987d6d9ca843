"""What a source's licence card says, and a maintainer's written word where no licence is known."""

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict, Invalid
from annotation.models import UNKNOWN_LICENCE, LicenceRuling, Person, Source

FEWEST, MOST = 20, 2_000


class RulingUnexplained(Invalid):
    """A ruling goes out with releases, so it has to say something."""

    code = "ruling-unexplained"


class LicenceKnown(Conflict):
    """The source has a licence: nothing has to be ruled."""

    code = "licence-known"


class RuledAlready(Conflict):
    """The newest ruling says the same."""

    code = "ruled-already"


CARD = ("licence", "homepage", "citation", "images_redistributable")


@transaction.atomic
def describe_source(
    *, source_key: str, licence: str, homepage: str, citation: str, images_redistributable: bool, by: Person
) -> Source:
    """Write down what was found out about a source. Releases that are built already keep what they say."""
    source = _held(source_key)
    before = {name: getattr(source, name) for name in CARD}
    after = {
        "licence": licence.strip() or UNKNOWN_LICENCE,
        "homepage": homepage,
        "citation": citation.strip(),
        "images_redistributable": images_redistributable,
    }
    if after == before:
        return source
    for name, value in after.items():
        setattr(source, name, value)
    source.save(update_fields=list(after))
    journal.record(event="source.described", actor=by, subject=source, before=before, after=after)
    return source


@transaction.atomic
def rule_on_licence(*, source_key: str, allowed: bool, reason: str, by: Person) -> LicenceRuling:
    """Allow rows of a source without a known licence into releases, or take that back; in writing.

    Raises RulingUnexplained, LicenceKnown, RuledAlready.
    """
    source, reason = _held(source_key), reason.strip()
    if not FEWEST <= len(reason) <= MOST:
        told = _("Write why, in %(fewest)d to %(most)d characters: it goes out with releases.")
        raise RulingUnexplained(told % {"fewest": FEWEST, "most": MOST}, field="reason")
    if source.licence != UNKNOWN_LICENCE:
        raise LicenceKnown(_("The licence of this source is known; its rows may be released under it."))
    newest = LicenceRuling.objects.filter(source=source).order_by("pk").last()
    if allowed == (newest is not None and newest.allowed):
        raise RuledAlready(_("That is how it stands already."))
    ruling = LicenceRuling.objects.create(source=source, allowed=allowed, reason=reason, by=by)
    journal.record(event="source.licence-ruled", actor=by, subject=source, after={"allowed": allowed, "reason": reason})
    return ruling


def _held(key: str) -> Source:
    return Source.objects.select_for_update().get(key=key)
