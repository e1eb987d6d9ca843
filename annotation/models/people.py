"""User and Person: the log-in, and the pseudonym that votes, decisions and the journal point to."""

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from annotation.models.base import Stamped, random_key


class Role(models.TextChoices):
    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"
    MAINTAINER = "maintainer"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


class User(AbstractUser):
    """A log-in with its roles. Names and mail live only here, so that erasing it erases them."""

    roles = ArrayField(models.TextField(choices=Role.choices), default=list, blank=True)

    class Meta(AbstractUser.Meta):  # type: ignore[name-defined, misc]
        db_table = "person_user"
        constraints = [
            models.CheckConstraint(condition=models.Q(roles__contained_by=Role.values), name="user_roles_known"),
        ]


class Person(Stamped):
    """Who acted, without a name. A Person outlives its User: facts stay, identity can be erased."""

    key = models.CharField(max_length=22, unique=True, default=random_key, editable=False)
    user = models.OneToOneField(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="person")
    pseudonym = models.CharField(max_length=40, unique=True)
    skips_colour = models.BooleanField(default=False, help_text="Colour questions are given to others.")
    reads = ArrayField(models.CharField(max_length=16), default=list, blank=True, help_text="Languages this person reads.")
    simulated = models.BooleanField(default=False, help_text="A program that votes in demonstrations, never a human.")
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "person"

    def __str__(self) -> str:
        return self.pseudonym
