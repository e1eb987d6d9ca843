"""People come in: a log-in with its roles, and the pseudonym that acts for it."""

import secrets
from collections.abc import Iterable

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict, Invalid
from annotation.models import Person, Role, User


class PersonKnown(Conflict):
    """Somebody has this log-in or pseudonym already."""

    code = "person-known"


class BadPerson(Invalid):
    """A log-in, pseudonym, role or password cannot be used."""

    code = "bad-person"


def made_up_password() -> str:
    """A password for the first log-in: 96 random bits, shown once."""
    return secrets.token_urlsafe(12)


@transaction.atomic
def add_person(
    *, log_in: str, password: str, roles: Iterable[str], by: Person | None, pseudonym: str = "", name: str = ""
) -> Person:
    """A log-in and its person; `by` is None where the installation itself acts. Raises BadPerson, PersonKnown.

    The pseudonym is made up where none is given. It stays for ever in votes and journal, so it must not be the log-in.
    """
    user = User(username=log_in, first_name=name, roles=sorted(set(roles)))
    _check(user, pseudonym, password)
    _refuse_known(log_in, pseudonym)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            person = Person.objects.create(user=user, pseudonym=pseudonym or f"person-{secrets.token_hex(3)}")
    except IntegrityError as error:
        raise PersonKnown(_("Somebody took this log-in or pseudonym just now. Choose another.")) from error
    journal.record(event="person.added", actor=by, subject=person, after={"roles": user.roles})
    return person


def _check(user: User, pseudonym: str, password: str) -> None:
    if not user.roles or not set(user.roles) <= set(Role.values):
        raise BadPerson(_("Give at least one role of: %(roles)s.") % {"roles": ", ".join(Role.values)}, field="roles")
    if pseudonym.casefold() == user.username.casefold():
        raise BadPerson(_("The pseudonym outlives the log-in, so it must not be the same."), field="pseudonym")
    try:
        user.clean_fields(exclude=["password"])
        Person(pseudonym=pseudonym or "-").clean_fields(exclude=["user"])
        validate_password(password, user)
    except ValidationError as fault:
        raise BadPerson(" ".join(fault.messages)) from fault


def _refuse_known(log_in: str, pseudonym: str) -> None:
    """Letter case does not tell people apart; nor may a pseudonym be somebody else's log-in, nor a log-in a pseudonym."""
    for name in filter(None, (log_in, pseudonym)):
        if User.objects.filter(username__iexact=name).exists() or Person.objects.filter(pseudonym__iexact=name).exists():
            raise PersonKnown(_("Somebody is called %(name)s already. Choose another.") % {"name": name})
