"""What waits for a person, in the order to do it: true sentences for the first page."""

from typing import Any, TypedDict

from django.contrib.auth.models import AnonymousUser

from annotation.models import User


class Task(TypedDict):
    title: Any
    detail: Any
    url: str
    action: Any


def tasks_for(user: User | AnonymousUser) -> list[Task]:
    return []
