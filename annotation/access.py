"""Who may do what, object by object. Pages and API ask here and nowhere else.

Answers come from roles on the User, memberships, and the object itself; nothing is inferred from URLs.
"""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation import signing
from annotation.errors import Forbidden
from annotation.models import Assignment, Campaign, Image, Person, PyramidState, Question, Role, User

Viewer = User | AnonymousUser


class NotAllowed(Forbidden):
    """This person's roles do not include the deed."""

    code = "not-allowed"


class PersonBackend(ModelBackend):
    """Log-in by password; a request loads user and person in one query."""

    def get_user(self, user_id: int) -> User | None:
        user = User.objects.select_related("person").filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None


# Each deed, and the roles that may do it. An administrator does what a maintainer and an auditor do.
DEEDS: dict[str, frozenset[str]] = {
    "review": frozenset({Role.ANNOTATOR, Role.ADJUDICATOR}),
    "adjudicate": frozenset({Role.ADJUDICATOR}),
    "maintain": frozenset({Role.MAINTAINER, Role.ADMINISTRATOR}),
    "download-originals": frozenset({Role.MAINTAINER, Role.ADMINISTRATOR}),
    "see-candidates": frozenset({Role.MAINTAINER, Role.ADMINISTRATOR, Role.AUDITOR}),
    "see-quality": frozenset({Role.AUDITOR, Role.MAINTAINER, Role.ADMINISTRATOR}),
    "see-journal": frozenset({Role.AUDITOR, Role.ADMINISTRATOR, Role.MAINTAINER}),
    "see-releases": frozenset({Role.MAINTAINER, Role.ADMINISTRATOR, Role.AUDITOR}),
    "evaluate": frozenset({Role.MAINTAINER, Role.ADMINISTRATOR, Role.AUDITOR}),
}


def may(user: Viewer, deed: str) -> bool:
    """Whether any of the user's roles includes the deed. Unknown deeds are a programming error (KeyError)."""
    roles = DEEDS[deed]
    return user.is_authenticated and user.is_active and not roles.isdisjoint(user.roles)


def require(user: Viewer, deed: str) -> Person:
    """The acting person, if they may; raises NotAllowed otherwise."""
    if not may(user, deed):
        raise NotAllowed(_("Your roles do not allow this. Ask a maintainer if you need it."))
    return person_of(user)


def person_of(user: Viewer) -> Person:
    """The pseudonym that acts for this log-in; raises NotAllowed for a log-in without one."""
    person = getattr(user, "person", None) if user.is_authenticated else None
    if person is None:
        raise NotAllowed(_("This log-in has no person to act as. Ask a maintainer to add one."))
    return person


def may_know_truth(user: Viewer) -> bool:
    """Whether kinds, twins, controls, other votes and model verdicts may be sent to this person at all.

    Whoever reviews must stay blind, also when they hold another role.
    """
    return may(user, "see-candidates") and not may(user, "review")


def campaigns_open_to(person: Person) -> QuerySet[Campaign]:
    """Open campaigns on whose roster the person is."""
    return Campaign.objects.filter(state="open", memberships__person=person, memberships__active=True)


def assignments_of(person: Person) -> QuerySet[Assignment]:
    """A person's own assignments: all that they may vote on, skip, renew or draft for."""
    return Assignment.objects.filter(person=person)


def questions_visible_to(user: Viewer) -> QuerySet[Question]:
    """All questions for those who may know the truth, none for others."""
    return Question.objects.all() if may_know_truth(user) else Question.objects.none()


def originals_open_to(user: Viewer) -> QuerySet[Image]:
    """The pictures whose original bytes this person may have: all that stand for those who maintain, none for others."""
    standing = Image.objects.exclude(pyramid_state=PyramidState.ERASED)
    return standing if may(user, "download-originals") else standing.none()


def original_url(*, image_key: str, person: Person, at: datetime) -> str:
    """The address from which one person may fetch one original for two minutes (see `signing`)."""
    grant = signing.download_grant(secret=settings.SECRET_KEY, person=person.pk, image_key=image_key, at=at)
    return f"/images/{image_key}/original/{grant}/"


def image_info_url(*, image_key: str, role: str, at: datetime) -> str:
    """The address of a picture's info.json for one role, good for at most an hour (see `signing`)."""
    grant = signing.image_grant(secret=settings.SECRET_KEY, role=role, image_key=image_key, at=at)
    return f"/iiif/{grant}/{image_key}/info.json"


def roles_of(user: Any) -> list[str]:
    return list(user.roles) if user.is_authenticated else []
