"""Pages that show what reviewers must not know: kinds, twins, screening, controls, rows with their labels."""

from django.utils.translation import gettext as _

from annotation import access
from annotation.access import Viewer
from annotation.models import Person


def require_truth(user: Viewer, deed: str) -> Person:
    """The person, if a role includes the deed and none of their roles reviews; raises NotAllowed."""
    person = access.require(user, deed)
    if not access.may_know_truth(user):
        raise access.NotAllowed(
            _("Whoever reviews stays blind to this, also with another role. Ask a person who does not review.")
        )
    return person
