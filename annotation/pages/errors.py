"""Error pages: each says what happened and where to go."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "403.html", status=403)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without its token: sent from elsewhere, or from a page that was opened before the last log-in."""
    message = _("This form is older than your log-in, or was sent from another site. Reload its page and send it again.")
    return render(request, "403.html", {"message": message}, status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, "500.html", status=500)
