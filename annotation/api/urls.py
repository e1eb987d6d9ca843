"""The addresses of version 1 of the API."""

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from annotation.api import images, review

urlpatterns: list[URLPattern | URLResolver] = [
    path("images/", include(images.urlpatterns)),
    path("review/", include(review.urlpatterns)),
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
]
