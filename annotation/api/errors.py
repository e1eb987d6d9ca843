"""The one place where a refusal becomes an API answer: RFC 9457 problem details."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation.errors import DomainError

STATUS = {"invalid": 400, "conflict": 409, "missing": 404, "forbidden": 403, "mismatch": 422}
CONTENT_TYPE = "application/problem+json"


def problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: every error has type, title, status, detail, code and, per field, errors."""
    if isinstance(error, DomainError):
        errors = {error.field: [error.message]} if error.field else {}
        return answer(STATUS[error.kind], error.code, error.message, errors)
    if isinstance(error, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return answer(413, "body-too-large", _("The body is larger than %(most)d bytes.") % {"most": most}, {})
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, ValidationError):
        return answer(400, "invalid", "Some fields are missing or wrong.", response.data)
    detail = response.data.get("detail", "") if isinstance(response.data, dict) else ""
    return answer(response.status_code, getattr(detail, "code", "error"), str(detail), {}, headers=response.headers)


def answer(status: int, code: str, detail: str, errors: Any, headers: Any = None) -> Response:
    body = {
        "type": f"/errors/{code}",
        "title": code.replace("-", " ").replace("_", " ").capitalize(),
        "status": status,
        "detail": detail,
        "code": code,
        "errors": errors,
    }
    kept = {
        name: value for name, value in (headers or {}).items() if name.lower() in ("allow", "retry-after", "www-authenticate")
    }
    return Response(body, status=status, content_type=CONTENT_TYPE, headers=kept)
