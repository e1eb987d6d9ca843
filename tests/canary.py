"""Hidden truth is planted with a mark, and every response that the suite makes is searched for it.

Factories put `canary()` into each hidden field: reasons of edits, reference answers, controls, comments of other
voters, screening details. Whoever may not know the truth must never receive the mark.
"""

import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from annotation.access import may_know_truth

MARK = "canary-7d1f"
leaks: list[str] = []
seen_by_those_who_may: list[str] = []


def canary(what: str) -> str:
    """A hidden value that can be recognised wherever it turns up."""
    return f"{MARK}-{what}-{secrets.token_hex(4)}"


class CanaryMiddleware:
    """Notes each response that carries the mark, with who received it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if MARK in carried_text(response):
            user = getattr(request, "user", None)
            allowed = user is not None and (may_know_truth(user) or "adjudicator" in getattr(user, "roles", []))
            (seen_by_those_who_may if allowed else leaks).append(f"{request.method} {request.path} -> {user}")
        return response


def carried_text(response: HttpResponse) -> str:
    """Body and headers as text; a streamed body is read whole and put back."""
    if response.streaming:
        parts = [bytes(part) for part in response.streaming_content]  # type: ignore[attr-defined]
        response.streaming_content = iter(parts)  # type: ignore[attr-defined]
        body = b"".join(parts)
    else:
        body = response.content
    headers = " ".join(f"{name}: {value}" for name, value in response.items())
    return body.decode("utf-8", "replace") + headers
