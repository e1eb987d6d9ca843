"""The one place where a refusal becomes an HTTP answer on pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.errors import DomainError

STATUS = {"invalid": 400, "conflict": 409, "missing": 404, "forbidden": 403, "mismatch": 422}


class DomainErrorMiddleware:
    """Turns a DomainError that a view let through into a page that says what happened and what to do."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, DomainError):
            return None
        status = STATUS[exception.kind]
        template = f"{status}.html" if status in (403, 404) else "400.html"
        return render(request, template, {"message": exception.message}, status=status)
