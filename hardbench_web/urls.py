"""The address tree of the whole site, and who says that something went wrong where no view could."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from annotation.api.errors import outside_views
from annotation.pages import errors

FOR_SCRIPTS = "/api/"


def _told(status: int, page: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """A handler that tells scripts in their own form, and everybody else on a page."""

    def handler(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
        return outside_views(status) if request.path_info.startswith(FOR_SCRIPTS) else page(request)

    return handler


urlpatterns = [path("", include("annotation.urls"))]
handler400 = _told(400, errors.bad_request)
handler403 = _told(403, errors.forbidden)
handler404 = _told(404, errors.not_found)
handler500 = _told(500, errors.server_error)
