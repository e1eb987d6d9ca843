"""The people of the demonstration, and the one password that this installation made for them."""

import os
import secrets
from pathlib import Path

from django.conf import settings
from django.db import transaction

from annotation.models import Person, Role
from annotation.people.operations import add_person

CAST = {
    "ann": ("Ann", [Role.ANNOTATOR]),
    "ben": ("Ben", [Role.ANNOTATOR]),
    "cleo": ("Cleo", [Role.ANNOTATOR]),
    "rae": ("Rae", [Role.ADJUDICATOR]),
    "max": ("Max", [Role.MAINTAINER]),
    "ada": ("Ada", [Role.AUDITOR]),
}
SIMULATED = [f"simulated-{number}" for number in range(1, 6)]
WORDS = [
    "amber",
    "birch",
    "cedar",
    "coral",
    "ember",
    "fjord",
    "grove",
    "heron",
    "inlet",
    "larch",
    "maple",
    "olive",
    "pearl",
    "river",
]


@transaction.atomic
def seed_people() -> dict[str, Person]:
    """Everybody of the demonstration by name; those who are here already stay as they are."""
    word = password()
    people = {name: _seed(name, first, roles, word) for name, (first, roles) in CAST.items()}
    return people | {name: _simulated(name) for name in SIMULATED}


def password_path() -> Path:
    return Path(settings.STATE_DIR) / "demo-password.txt"


def password() -> str:
    """Made once per installation, readable by its owner only: nothing is guessable from the code."""
    path = password_path()
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        word = "-".join(secrets.choice(WORDS) for _ in range(3)) + f"-{secrets.randbelow(9000) + 1000}"
        with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(word)
    return path.read_text(encoding="utf-8").strip()


def _seed(name: str, first_name: str, roles: list[Role], word: str) -> Person:
    known = Person.objects.filter(user__username=name).first()
    return known or add_person(log_in=name, name=first_name, roles=roles, password=word, by=None)


def _simulated(name: str) -> Person:
    return Person.objects.get_or_create(pseudonym=name, defaults={"simulated": True})[0]
