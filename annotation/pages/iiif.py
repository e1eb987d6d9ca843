"""Pictures for viewers: the IIIF Image API 3 below `/iiif/<grant>/<key>/`, without one database query.

The grant in the address is the whole permission (see `signing`), so neither session nor user is looked at, and the
browser may keep what it got. Refusals are one plain line: they are read by programs and by people who debug.
"""

import hashlib
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect, JsonResponse
from django.urls import path
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation import signing
from annotation.images import crops, tiling
from annotation.images.archive import DamagedPyramid, Pyramid, directories
from annotation.images.operations import pyramid_key
from annotation.models import Image, PyramidState
from annotation.storage import NoSuchKey, StorageFault, store

log = logging.getLogger(__name__)

LASTING = {
    "Cache-Control": f"private, max-age={signing.BUCKET_SECONDS}, immutable",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
DESCRIPTION = 'application/ld+json;profile="http://iiif.io/api/image/3/context.json"'
FORMS = {"default.jpg", "color.jpg"}

View = Callable[..., HttpResponse]


def granted(view: View) -> View:
    """Lets a view answer only for a good grant, and turns what can go wrong with a picture into one plain line."""

    @login_not_required
    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, grant: str, key: str, **rest: str) -> HttpResponse:
        secrets = [settings.SECRET_KEY, *map(str, settings.SECRET_KEY_FALLBACKS)]
        try:
            signing.granted_role(secrets=secrets, grant=grant, image_key=key, at=datetime.now(UTC))
            return view(request, key, **rest)
        except signing.BadGrant:
            return _line(403, _("This picture's address has run out. Reload the page to get a new one."))
        except NoSuchKey:
            return _not_here(key)
        except tiling.NotOffered as refusal:
            return _line(404, refusal.message)
        except StorageFault as fault:
            log.error("Tiles cannot be read: %s", fault)
            return _line(503, _("The pictures cannot be reached just now. Try again in a minute."))
        except DamagedPyramid as damage:
            log.error("A pyramid cannot be served: %s", damage.message)
            return _line(500, _("The tiles of this picture are damaged. A maintainer has to tile it again."))

    return answer


@granted
def base(request: HttpRequest, key: str) -> HttpResponse:
    """The image's own address leads to its description."""
    return HttpResponseRedirect(f"{key}/info.json")


@granted
def info(request: HttpRequest, key: str) -> HttpResponse:
    """The description of a picture: its size, its levels, and what may be asked for."""
    pyramid = directories.get(store(), pyramid_key(key))
    identifier = request.build_absolute_uri(request.path.removesuffix("/info.json"))
    described = tiling.info_json(identifier, pyramid.width, pyramid.height)
    return JsonResponse(described, content_type=DESCRIPTION, headers=LASTING)


@granted
def picture(request: HttpRequest, key: str, region: str, size: str, rotation: str, form: str) -> HttpResponse:
    """A tile, or a crop put together from tiles."""
    if rotation != "0" or form not in FORMS:
        raise tiling.NotOffered("Only rotation 0 and default.jpg are offered.")
    pyramid = directories.get(store(), pyramid_key(key))
    cut = tiling.requested(region, size, pyramid.width, pyramid.height)
    headers = {**LASTING, "ETag": _etag(cut, pyramid)}
    if headers["ETag"] in parse_etags(request.headers.get("If-None-Match", "")):
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(_pixels(key, cut, pyramid), content_type="image/jpeg", headers=headers)


def _pixels(key: str, cut: tiling.Cut, pyramid: Pyramid) -> bytes:
    if cut.name in pyramid.entries:
        return directories.tile(store(), pyramid_key(key), cut.name)
    return crops.crop(store(), pyramid_key(key), cut)


def _etag(cut: tiling.Cut, pyramid: Pyramid) -> str:
    """A strong tag from the checksums of the tiles that the answer is made of; nothing is read for it."""
    if tile := pyramid.entries.get(cut.name):
        return f'"{tile.crc:08x}-{tile.size:x}"'
    factor = tiling.crop_factor(cut, pyramid.width, pyramid.height)
    below = [tile.name for tile in tiling.tiles_below(cut, factor, pyramid.width, pyramid.height)]
    made_of = [cut.name, crops.QUALITY, *(pyramid.entries[name].crc for name in below if name in pyramid.entries)]
    return f'"{hashlib.sha256(repr(made_of).encode()).hexdigest()[:24]}"'


def _not_here(key: str) -> HttpResponse:
    """Only this answer asks the database: nothing is stored, and it matters why."""
    if Image.objects.filter(key=key, pyramid_state=PyramidState.ERASED).exists():
        return _line(410, _("This picture was taken down."))
    return _line(404, _("This picture has no tiles yet."))


def _line(status: int, text: str) -> HttpResponse:
    return HttpResponse(
        f"{text}\n", status=status, content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"}
    )


urlpatterns = [
    path("iiif/<str:grant>/<str:key>", base, name="iiif-base"),
    path("iiif/<str:grant>/<str:key>/info.json", info, name="iiif-info"),
    path("iiif/<str:grant>/<str:key>/<str:region>/<str:size>/<str:rotation>/<str:form>", picture, name="iiif-picture"),
]
