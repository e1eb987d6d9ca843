"""From which state to which a release may go, and the lock under which it goes."""

from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.models import Release, ReleaseState
from annotation.releases.queries import ReleaseUnknown

MOVES: dict[str, frozenset[str]] = {
    ReleaseState.DRAFT: frozenset({ReleaseState.BUILDING}),
    ReleaseState.BUILDING: frozenset({ReleaseState.BUILT, ReleaseState.DRAFT}),
    ReleaseState.BUILT: frozenset({ReleaseState.PUBLISHED}),
    ReleaseState.PUBLISHED: frozenset({ReleaseState.WITHDRAWN}),
    ReleaseState.WITHDRAWN: frozenset(),
}


class WrongState(Conflict):
    """The release is in a state from which this cannot be done."""

    code = "release-state"


def locked(key: str) -> Release:
    """The release under its row lock; inside a transaction. Raises ReleaseUnknown."""
    release = Release.objects.select_for_update().filter(key=key).first()
    if release is None:
        raise ReleaseUnknown(_("There is no such release. Open the list of releases to see which there are."))
    return release


def move(release: Release, to: ReleaseState) -> str:
    """Set the new state, not saved yet; the state before. Raises WrongState for a move that is not in MOVES."""
    before = str(release.state)
    if to not in MOVES[before]:
        message = _("Release %(version)s is %(state)s; it cannot become %(to)s. Load the page again to see where it stands.")
        raise WrongState(message % {"version": release.version, "state": before, "to": to.value})
    release.state = to
    return before
