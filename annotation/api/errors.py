"""The one place where a refusal becomes an API answer: RFC 9457 problem details."""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation.errors import DomainError
from annotation.storage import StorageFault

log = logging.getLogger(__name__)

STATUS = {"invalid": 400, "conflict": 409, "missing": 404, "forbidden": 403, "mismatch": 422}
CONTENT_TYPE = "application/problem+json"
OUTSIDE_VIEWS = {
    400: ("bad-request", gettext_lazy("The request cannot be read. Check its host, address and headers.")),
    403: ("not-allowed", gettext_lazy("This is not allowed.")),
    404: ("not-found", gettext_lazy("The API has no such address. /api/v1/schema lists all of them.")),
    500: ("server-error", gettext_lazy("Something broke on our side. It has been logged. Try again in a moment.")),
}


def outside_views(status: int) -> JsonResponse:
    """The answer where no view could give one: no such address, a request that cannot be read, a fault of ours."""
    code, detail = OUTSIDE_VIEWS[status]
    return JsonResponse(_body(status, code, str(detail), {}), status=status, content_type=CONTENT_TYPE)


def problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: every error has type, title, status, detail, code and, per field, errors.

    None for what nobody foresaw: it is logged as a fault, and answered by `outside_views`.
    """
    context["request"].accepted_renderer = JSONRenderer()  # whatever else the view would answer in
    context["request"].accepted_media_type = CONTENT_TYPE
    if isinstance(error, DomainError):
        errors = {error.field: [error.message]} if error.field else {}
        return answer(STATUS[error.kind], error.code, error.message, errors)
    if isinstance(error, StorageFault):
        log.error("The storage does not answer: %s", error)
        detail = _("The pictures cannot be reached just now. Try again in a minute.")
        return answer(503, "storage-away", detail, {}, headers={"Retry-After": "60"})
    if isinstance(error, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return answer(413, "body-too-large", _("The body is larger than %(most)d bytes.") % {"most": most}, {})
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, ValidationError):
        return answer(400, "invalid", "Some fields are missing or wrong.", response.data)
    detail = response.data.get("detail", "") if isinstance(response.data, dict) else ""
    code = str(getattr(detail, "code", "error")).replace("_", "-")
    return answer(response.status_code, code, str(detail), {}, headers=response.headers)


def answer(status: int, code: str, detail: str, errors: Any, headers: Any = None) -> Response:
    kept = {
        name: value for name, value in (headers or {}).items() if name.lower() in ("allow", "retry-after", "www-authenticate")
    }
    return Response(_body(status, code, detail, errors), status=status, content_type=CONTENT_TYPE, headers=kept)


def _body(status: int, code: str, detail: str, errors: Any) -> dict[str, Any]:
    return {
        "type": f"/errors/{code}",
        "title": code.replace("-", " ").capitalize(),
        "status": status,
        "detail": detail,
        "code": code,
        "errors": errors,
    }
