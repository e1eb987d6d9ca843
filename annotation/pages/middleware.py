"""The one place where a refusal becomes an HTTP answer on pages."""

import logging
from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django_structlog.middlewares import RequestMiddleware

from annotation.errors import DomainError
from annotation.storage import StorageFault

log = logging.getLogger(__name__)

RETRY_SECONDS = 60
STATUS = {"invalid": 400, "conflict": 409, "missing": 404, "forbidden": 403, "mismatch": 422}


class RequestLog(RequestMiddleware):
    """One line per request, but none for tiles: there are too many, and their addresses carry grants."""

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request) if request.path.startswith("/iiif/") else super().__call__(request)


class Unkept:
    """Neither browsers nor proxies keep what was meant for one person, unless a view says how it may be kept.

    After log-out, on a shared machine, "back" shows nothing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response


class LoginRequired(LoginRequiredMiddleware):
    """Looks at the view first: an address that needs no log-in, such as a tile, costs no query for the session."""

    def process_view(self, request: HttpRequest, view_func: Any, view_args: Any, view_kwargs: Any) -> HttpResponseBase | None:
        if not getattr(view_func, "login_required", True):
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)


class DomainErrorMiddleware:
    """Turns a DomainError that a view let through into a page that says what happened and what to do.

    A storage that does not answer is no error of the page: whoever asks is told to come back.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, StorageFault):
            log.error("The storage does not answer: %s", exception)
            context = {"message": _("The pictures cannot be reached just now. Try again in a minute.")}
            answer = render(request, "503.html", context, status=503)
            answer.headers["Retry-After"] = str(RETRY_SECONDS)
            return answer
        if not isinstance(exception, DomainError):
            return None
        status = STATUS[exception.kind]
        template = f"{status}.html" if status in (403, 404) else "400.html"
        return render(request, template, {"message": exception.message}, status=status)
