"""Drafting a release: a version and a plan, nothing read and nothing built yet."""

import re

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict, Invalid
from annotation.models import Person, Release
from annotation.releases import queries
from annotation.releases.plans import plan_from_json, plan_to_json

VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.-]{0,39}")


class VersionInvalid(Invalid):
    """The version cannot name a release."""

    code = "version-invalid"


class VersionTaken(Conflict):
    """Another release has this version."""

    code = "version-taken"


@transaction.atomic
def draft_release(*, version: str, plan: object, by: Person) -> Release:
    """A new release that follows the newest published one. `plan` is JSON, see `releases.plans`.

    Raises VersionInvalid, VersionTaken, PlanInvalid.
    """
    if not VERSION.fullmatch(version):
        raise VersionInvalid(
            _("A version has 1 to 40 letters, digits, dots and hyphens, and begins with a letter or digit."), field="version"
        )
    read = plan_from_json(plan)
    try:
        with transaction.atomic():
            release = Release.objects.create(version=version, plan=plan_to_json(read), parent=queries.newest_published(), by=by)
    except IntegrityError as taken:
        message = _("There is a release %(version)s already. Choose another version.")
        raise VersionTaken(message % {"version": version}, field="version") from taken
    journal.record(event="release.drafted", actor=by, subject=release, after={"version": version, "plan": read.name})
    return release
