"""Accounts: nobody signs up alone; people are added by a maintainer.

Of allauth's addresses only those below are open. The others need mail or are for people who sign up: their names stay
known, because allauth asks for them, and lead nowhere. What a later version of it adds is closed until it is named.
"""

from typing import NoReturn

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.urls import urlpatterns as offered
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest
from django.urls import URLPattern

OPEN = {"account_login", "account_logout", "account_inactive", "account_change_password"}


class ClosedSignUp(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False


@login_not_required
def closed(request: HttpRequest, **address: str) -> NoReturn:
    """There is no such page; raises Http404, to whomever asks."""
    raise Http404


urlpatterns = [pattern if pattern.name in OPEN else URLPattern(pattern.pattern, closed, name=pattern.name) for pattern in offered]
