"""The address tree of the whole site."""

from django.urls import include, path

urlpatterns = [path("", include("annotation.urls"))]
handler400 = "annotation.pages.errors.bad_request"
handler403 = "annotation.pages.errors.forbidden"
handler404 = "annotation.pages.errors.not_found"
handler500 = "annotation.pages.errors.server_error"
