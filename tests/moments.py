"""Times by the database's clock, a given number of seconds away: tests move what is stored instead of waiting."""

from datetime import timedelta
from typing import Any

from django.db.models.functions import Now


def ago(seconds: float) -> Any:
    return Now() - timedelta(seconds=seconds)


def ahead(seconds: float) -> Any:
    return Now() + timedelta(seconds=seconds)
