"""Publishing a built release, and withdrawing it. After publication nothing else can happen to it."""

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation import journal, scratch
from annotation.errors import Conflict, Invalid
from annotation.images.operations import hold_clusters
from annotation.models import Person, Release, ReleaseState
from annotation.releases import queries
from annotation.releases.operations.handing_out import export_release
from annotation.releases.operations.states import locked, move
from annotation.releases.verify import Report, verify


class ReleaseBroken(Conflict):
    """The files in storage are not those of the manifest."""

    code = "release-broken"


class ClustersChanged(Conflict):
    """Since the release was built, pictures of two of its splits were found to be copies of one."""

    code = "clusters-changed"


class LicenceUnclear(Conflict):
    """Since the release was built, the written word on a source without a known licence was taken back."""

    code = "licence-unclear"


class RowsWithdrawn(Conflict):
    """Since the release was built, questions of it were withdrawn, or pictures of it taken down."""

    code = "rows-withdrawn"


class ReasonMissing(Invalid):
    """A withdrawal needs words that researchers can read."""

    code = "reason-missing"


@transaction.atomic
def publish_release(*, release_key: str, by: Person) -> Release:
    """Publish a built release after checking it as a stranger would.

    Raises ReleaseUnknown, WrongState, ReleaseBroken, ClustersChanged, RowsWithdrawn, LicenceUnclear.
    """
    release = locked(release_key)
    before = move(release, ReleaseState.PUBLISHED)
    faults = [f"{check.name}: {check.detail}" for check in check_release(release).checks if check.state == "failed"]
    if faults:
        message = _("The stored files of %(version)s do not pass their own check (%(fault)s). Build a new version.")
        raise ReleaseBroken(message % {"version": release.version, "fault": faults[0]})
    _check_clusters(release)
    _check_withdrawn(release)
    _check_licences(release)
    release.published_at = Now()
    release.save(update_fields=["state", "published_at"])
    after = {"state": release.state, "manifest": release.manifest_sha256}
    journal.record(event="release.published", actor=by, subject=release, before={"state": before}, after=after)
    release.refresh_from_db()
    return release


@transaction.atomic
def withdraw_release(*, release_key: str, reason: str, by: Person) -> Release:
    """Withdraw a published release: its rows and files stay, marked as not to be used.

    Raises ReasonMissing, ReleaseUnknown, WrongState.
    """
    if not reason.strip():
        raise ReasonMissing(_("Say why the release is withdrawn; whoever used it will ask."), field="reason")
    release = locked(release_key)
    before = move(release, ReleaseState.WITHDRAWN)
    release.withdrawn_at = Now()
    release.save(update_fields=["state", "withdrawn_at"])
    after = {"state": release.state, "reason": reason.strip()}
    journal.record(event="release.withdrawn", actor=by, subject=release, before={"state": before}, after=after)
    release.refresh_from_db()
    return release


def _check_clusters(release: Release) -> None:
    hold_clusters()
    if straddling := queries.straddling_clusters(release):
        message = _(
            "Since %(version)s was built, pictures in different splits were found to be copies of one picture "
            "(clusters: %(count)d). Build a new version, so that they are kept together."
        )
        raise ClustersChanged(message % {"version": release.version, "count": straddling})


def _check_withdrawn(release: Release) -> None:
    if count := queries.withdrawn_rows(release):
        message = _(
            "Since %(version)s was built, questions of it were withdrawn or pictures of it taken down (rows: %(count)d). "
            "Build a new version without them."
        )
        raise RowsWithdrawn(message % {"version": release.version, "count": count})


def _check_licences(release: Release) -> None:
    if sources := queries.unlicensed_sources(release):
        named = ", ".join(source.name for source in sources)
        message = _(
            "No licence is known of %(sources)s, and no written word allows their rows any more. Rule on them, or build anew."
        )
        raise LicenceUnclear(message % {"sources": named})


def check_release(release: Release, *, expect: str | None = None) -> Report:
    """The verifier's report on the stored files of a built release. Its manifest should be the recorded one, or the one
    whose sha256 is `expect`. Raises NotBuilt."""
    with scratch.folder("release") as folder:
        export_release(release=release, folder=folder)
        return verify(folder, expect=expect or release.manifest_sha256)
