"""Pictures: the original bytes, for those who may have them."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation import access, signing
from annotation.images import operations


class OriginalView(APIView):
    """Asking for an original is written down; the answer holds an address for this person, good for two minutes."""

    @extend_schema(request=None, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, key: str) -> Response:
        by = access.require(request.user, "download-originals")
        image = get_object_or_404(access.originals_open_to(request.user), key=key)
        operations.hand_out_original(image=image, by=by)
        answer: dict[str, Any] = {
            "url": access.original_url(image_key=image.key, person=by, at=timezone.now()),
            "seconds": signing.DOWNLOAD_SECONDS,
            "sha256": image.sha256,
            "bytes": image.byte_size,
            "format": image.format,
        }
        return Response(answer, status=201)


urlpatterns = [path("<str:key>/original", OriginalView.as_view(), name="api-image-original")]
