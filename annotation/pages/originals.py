"""Original bytes: asked for, written down, and then fetched by an address that is good for one person and two minutes."""

import hashlib
from collections.abc import Iterator
from typing import BinaryIO

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation import access, signing
from annotation.images import operations
from annotation.models import Image
from annotation.pages.addresses import path
from annotation.pages.byte_ranges import Part, Unsatisfiable, part_asked
from annotation.storage import store
from annotation.storage.door import check_sum

CHUNK = 1 << 18


class GrantRunOut(access.NotAllowed):
    """The address is too old, was changed, or was made for somebody else; which of these is not said."""

    code = "download-run-out"


@require_POST
def original(request: HttpRequest, key: str) -> HttpResponse:
    """Hand out the original: the browser is led to its signed address."""
    by = access.require(request.user, "download-originals")
    image = get_object_or_404(access.originals_open_to(request.user), key=key)
    operations.hand_out_original(image=image, by=by)
    return redirect(access.original_url(image_key=image.key, person=by, at=timezone.now()))


@require_safe
def original_file(request: HttpRequest, key: str, grant: str) -> HttpResponseBase:
    """The original bytes, for whom the grant was made and while it holds."""
    by = access.require(request.user, "download-originals")
    _check(grant, person=by.pk, key=key)
    image = get_object_or_404(access.originals_open_to(request.user), key=key)
    file_name = f"{image.sha256[:16]}.{image.format}"
    if elsewhere := store().signed_address(image.storage_key, file_name=file_name, seconds=signing.DOWNLOAD_SECONDS):
        return HttpResponseRedirect(elsewhere, headers={"Referrer-Policy": "no-referrer"})
    return _answer(request, image, file_name)


def _check(grant: str, *, person: int, key: str) -> None:
    secrets = [settings.SECRET_KEY, *map(str, settings.SECRET_KEY_FALLBACKS)]
    try:
        signing.check_download(secrets=secrets, grant=grant, person=person, image_key=key, at=timezone.now())
    except signing.BadGrant as error:
        raise GrantRunOut(_("This download's address has run out. Ask for the original again on the picture's page.")) from error


def _answer(request: HttpRequest, image: Image, file_name: str) -> HttpResponseBase:
    tag = f'"{image.sha256}"'
    headers = {
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, no-store",
        "Content-Disposition": f'attachment; filename="{file_name}"',
        "Cross-Origin-Resource-Policy": "same-origin",
        "ETag": tag,
        "X-Content-Type-Options": "nosniff",
    }
    if tag in parse_etags(request.headers.get("If-None-Match", "")):
        return HttpResponseNotModified(headers=headers)
    try:
        part = _part(request, image.byte_size, tag)
    except Unsatisfiable:
        return HttpResponse(status=416, headers={**headers, "Content-Range": f"bytes */{image.byte_size}"})
    if part is None:
        return _streamed(image, Part(0, image.byte_size, image.byte_size), 200, headers)
    return _streamed(image, part, 206, {**headers, "Content-Range": part.content_range})


def _part(request: HttpRequest, size: int, tag: str) -> Part | None:
    if request.headers.get("If-Range", tag) != tag:
        return None  # they have the beginning of something else
    return part_asked(request.headers.get("Range", ""), size)


def _streamed(image: Image, part: Part, status: int, headers: dict[str, str]) -> StreamingHttpResponse:
    pieces = _pieces(store().open(image.storage_key), image.storage_key, part)
    return StreamingHttpResponse(
        pieces,
        status=status,
        content_type="application/octet-stream",
        headers={**headers, "Content-Length": str(part.length)},
    )


def _pieces(stream: BinaryIO, key: str, part: Part) -> Iterator[bytes]:
    """The bytes of a part. Of the whole, the last piece is held back until the sum is right: a damaged file stays cut off."""
    digest, left = hashlib.sha256(), part.length
    with stream:
        stream.seek(part.start)
        while left and (piece := stream.read(min(CHUNK, left))):
            left -= len(piece)
            digest.update(piece)
            if part.is_whole and not left:
                check_sum(key, digest.hexdigest())
            yield piece


urlpatterns = [
    path("images/<key:key>/original/", original, name="image-original"),
    path("images/<key:key>/original/<str:grant>/", original_file, name="image-original-file"),
]
