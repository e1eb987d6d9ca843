"""The cast of every test: Ann annotates, Rae adjudicates, Max maintains, Ada audits, Otto is outside."""

from annotation.models import Person, Role, User

CAST = {
    "ann": [Role.ANNOTATOR],
    "ben": [Role.ANNOTATOR],
    "cleo": [Role.ANNOTATOR],
    "rae": [Role.ADJUDICATOR],
    "max": [Role.MAINTAINER],
    "ada": [Role.AUDITOR],
    "otto": [],
}
PASSWORD = "correct horse battery"


def make_person(name: str) -> Person:
    """The person of this name with their usual roles and a log-in."""
    known = Person.objects.filter(pseudonym=name).select_related("user").first()
    if known:
        return known
    user = User(username=name, roles=CAST[name])
    user.set_unusable_password()
    user.save()
    return Person.objects.create(user=user, pseudonym=name)


def with_password(person: Person) -> Person:
    """The same person, able to log in by form."""
    assert person.user is not None
    person.user.set_password(PASSWORD)
    person.user.save()
    return person
