"""A form that was sent: checked, handed to one verb, and shown again with what was entered when it is refused."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import HttpResponse

from annotation.errors import DomainError
from annotation.pages.middleware import STATUS

ERROR_PAGES = {"missing", "forbidden"}


def submitted(
    form: forms.Form, verb: Callable[..., Any], *, then: Callable[[Any], HttpResponse], again: Callable[[int], HttpResponse]
) -> HttpResponse:
    """Calls `verb` with the form's values by name; answers `then(result)`, or `again(status)` with the errors on the form."""
    if not form.is_valid():
        return again(STATUS["invalid"])
    try:
        result = verb(**form.cleaned_data)
    except DomainError as refusal:
        return again(refused(form, refusal))
    return then(result)


def refused(form: forms.Form, refusal: DomainError) -> int:
    """Put a refusal on its field, or on the form where it has none there; the status to answer with.

    What is no matter of the form (missing, forbidden) is raised again and becomes a page of its own.
    """
    if refusal.kind in ERROR_PAGES:
        raise refusal
    form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
    return STATUS[refusal.kind]
