"""Who asks: the log-in of the pages. Whoever has none is told so with 401, which a 403 would not say."""

from django.utils.translation import gettext as _
from drf_spectacular.authentication import SessionScheme
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request


class SessionLogIn(SessionAuthentication):
    """The session's cookie; whatever is written with it needs the CSRF token too."""

    def authenticate_header(self, request: Request) -> str:
        """What a 401 must name (RFC 9110, 11.6.1); DRF answers 403 without it."""
        return "Session"

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as refusal:
            message = _("The CSRF token is missing, or older than your log-in. Reload the page, or read its cookie again.")
            raise PermissionDenied(message, code="csrf-failed") from refusal


class SessionLogInScheme(SessionScheme):
    """How the schema describes it."""

    target_class = "annotation.api.authentication.SessionLogIn"
    priority = 0
