"""What pages need to know about the demonstration."""

from django.conf import settings
from django.http import HttpRequest


def demonstration(request: HttpRequest) -> dict[str, bool]:
    """Context processor: is_demo."""
    return {"is_demo": settings.DEMO}
