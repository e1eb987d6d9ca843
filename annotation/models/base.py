"""What many tables share: the database's stamp, random keys, and constraint short-hands."""

import secrets
from typing import Any

from django.db import models
from django.db.models.functions import Now


def random_key() -> str:
    """A public id nobody can guess or count: 22 url-safe characters, 128 bits."""
    return secrets.token_urlsafe(16)


def known(field: str, choices: type[models.TextChoices], name: str) -> models.CheckConstraint:
    """A constraint that keeps `field` among its choices."""
    return models.CheckConstraint(condition=models.Q(**{f"{field}__in": choices.values}), name=name)


def protected(to: Any, related_name: str, **options: Any) -> models.ForeignKey:
    """A foreign key that never cascades: what votes, decisions and releases rest on is not deleted from under them."""
    return models.ForeignKey(to, on_delete=models.PROTECT, related_name=related_name, **options)


class Stamped(models.Model):
    """A row that knows when it was made, by the database's clock."""

    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        abstract = True
