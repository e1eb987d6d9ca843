"""Pictures for viewers: the IIIF Image API 3 below `/iiif/<grant>/<key>/`, without one database query for pixels.

The grant in the address is the whole permission (see `signing`), so neither session nor user is looked at. That is also
why every other site may read the answers: they are the same for everybody who has the address. The browser may keep
what it got. Refusals are one plain line: they are read by programs and by people who debug.
"""

import hashlib
import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps

from csp.utils import build_policy
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import Resolver404, URLResolver, path, re_path
from django.urls.resolvers import RegexPattern
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext as _

from annotation import signing
from annotation.images import crops, iiif, queries, tiling
from annotation.images.archive import DamagedPyramid, Pyramid, directories
from annotation.images.operations import pyramid_key
from annotation.models import Image, PyramidState
from annotation.pages.byte_ranges import Unsatisfiable, part_asked
from annotation.storage import NoSuchKey, StorageFault, store

log = logging.getLogger(__name__)

TOLD_RIGHTS = "staff"  # licences tell sources apart, so those who review blindly are not told
OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Accept-Ranges, Content-Range, ETag, Link",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
}
LASTING = {**OPEN, "Cache-Control": f"private, max-age={signing.BUCKET_SECONDS}, immutable"}
REFUSED = {**OPEN, "Cache-Control": "private, no-store"}
METHODS = "GET, HEAD, OPTIONS"
PREFLIGHT = {
    **OPEN,
    "Allow": METHODS,
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": "Accept, If-Match, If-None-Match, If-Range, Range",
    "Access-Control-Max-Age": "86400",
}
JSON = "application/json"
JSON_LD = "application/ld+json"
DESCRIPTION = f'{JSON_LD};profile="{iiif.CONTEXT}"'
PROFILE_LINK = f'<{iiif.PROFILE}>;rel="profile"'

View = Callable[..., HttpResponse]


class SeeOther(HttpResponseRedirect):
    """What is asked for is described elsewhere."""

    status_code = 303


def granted(view: View) -> View:
    """Lets a view answer only for a good grant, and turns what can go wrong with a picture into one plain line.

    The view gets the grant's role and the picture's own address without host.
    """

    @login_not_required
    @wraps(view)
    def answer(request: HttpRequest, grant: str, key: str, **rest: str) -> HttpResponse:
        if request.method == "OPTIONS":
            return HttpResponse(status=204, headers=PREFLIGHT)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={**REFUSED, "Allow": METHODS})
        secrets = [settings.SECRET_KEY, *map(str, settings.SECRET_KEY_FALLBACKS)]
        try:
            role = signing.granted_role(secrets=secrets, grant=grant, image_key=key, at=datetime.now(UTC))
            return view(request, key, role=role, own=f"{request.path.partition('/iiif/')[0]}/iiif/{grant}/{key}", **rest)
        except (signing.BadGrant, NoSuchKey, StorageFault, DamagedPyramid, tiling.NotOffered) as error:
            with override(get_language_from_request(request)):
                return _refusal(key, error)

    return answer


@granted
def base(request: HttpRequest, key: str, *, role: str, own: str) -> HttpResponse:
    """The image's own address leads to its description."""
    return SeeOther(f"{own}/info.json", headers=REFUSED)


@granted
def info(request: HttpRequest, key: str, *, role: str, own: str) -> HttpResponse:
    """The description of a picture: its size, its levels, and what may be asked for."""
    pyramid = directories.get(store(), pyramid_key(key))
    rights = queries.rights_of(key) if role == TOLD_RIGHTS else ""
    described = iiif.info_json(request.build_absolute_uri(own), pyramid.width, pyramid.height, rights)
    content = json.dumps(described).encode()
    kind = JSON if request.get_preferred_type([DESCRIPTION, JSON_LD, JSON]) == JSON else DESCRIPTION
    headers = {"ETag": _tag([kind, described]), "Link": PROFILE_LINK, "Vary": "Accept"}
    return _answer(request, kind, headers, lambda: content)


@granted
def picture(
    request: HttpRequest, key: str, *, role: str, own: str, region: str, size: str, rotation: str, form: str
) -> HttpResponse:
    """A tile, or a crop put together from tiles."""
    pyramid = directories.get(store(), pyramid_key(key))
    wanted = iiif.wanted(region, size, rotation, form, pyramid.width, pyramid.height)
    canonical = request.build_absolute_uri(f"{own}/{wanted.name}")
    headers = {"ETag": _picture_tag(wanted, pyramid), "Link": f'<{canonical}>;rel="canonical",{PROFILE_LINK}'}
    return _answer(request, iiif.FORMATS[wanted.format], headers, lambda: _pixels(key, wanted, pyramid))


@granted
def unread(request: HttpRequest, key: str, *, role: str, own: str, rest: str) -> HttpResponse:
    """All other addresses below a picture: too many parts or too few, perhaps by slashes that were encoded."""
    raise tiling.NotOffered("Write info.json or <region>/<size>/<rotation>/<quality>.<format> behind the picture's address.")


def _answer(request: HttpRequest, kind: str, headers: dict[str, str], make: Callable[[], bytes]) -> HttpResponse:
    """What was asked for, or a part of it, or that nothing changed; only then nothing is made."""
    headers = {**LASTING, "Accept-Ranges": "bytes", **headers}
    early = get_conditional_response(request, etag=headers["ETag"])
    if early is not None:
        for name, value in headers.items():
            early[name] = value
        return early
    content = make()
    try:
        part = part_asked(_range(request, headers["ETag"]), len(content))
    except Unsatisfiable:
        return HttpResponse(status=416, headers={**headers, "Content-Range": f"bytes */{len(content)}"})
    if part is None:
        return HttpResponse(content, content_type=kind, headers=headers)
    asked = content[part.start : part.start + part.length]
    return HttpResponse(asked, status=206, content_type=kind, headers={**headers, "Content-Range": part.content_range})


def _range(request: HttpRequest, tag: str) -> str:
    """The Range header, unless it is about something else than what there is now."""
    counts = request.method == "GET" and request.headers.get("If-Range", tag) == tag
    return request.headers.get("Range", "") if counts else ""


def _pixels(key: str, wanted: iiif.Wanted, pyramid: Pyramid) -> bytes:
    if wanted.is_plain and wanted.cut.name in pyramid.entries:
        return directories.tile(store(), pyramid_key(key), wanted.cut.name)
    return crops.render(store(), pyramid_key(key), wanted)


def _picture_tag(wanted: iiif.Wanted, pyramid: Pyramid) -> str:
    """A strong tag from the checksums of the tiles that the answer is made of; nothing is read for it."""
    if wanted.is_plain and (tile := pyramid.entries.get(wanted.cut.name)):
        return f'"{tile.crc:08x}-{tile.size:x}"'
    return _tag([wanted.name, crops.RECIPE, *crops.made_of(pyramid, wanted.cut)])


def _tag(made_of: object) -> str:
    return f'"{hashlib.sha256(repr(made_of).encode()).hexdigest()[:24]}"'


def _refusal(key: str, error: Exception) -> HttpResponse:
    """What went wrong, for people who debug."""
    if isinstance(error, signing.BadGrant):
        return _line(403, _("This picture's address has run out. Reload the page to get a new one."))
    if isinstance(error, NoSuchKey):
        return _not_here(key)
    if isinstance(error, tiling.NotOffered):
        return _line(400, error.message)
    if isinstance(error, StorageFault):
        log.error("Tiles cannot be read: %s", error)
        return _line(503, _("The pictures cannot be reached just now. Try again in a minute."))
    log.error("A pyramid cannot be served: %s", error)
    return _line(500, _("The tiles of this picture are damaged. A maintainer has to tile it again."))


def _not_here(key: str) -> HttpResponse:
    """Only this answer asks the database: nothing is stored, and it matters why."""
    if Image.objects.filter(key=key, pyramid_state=PyramidState.ERASED).exists():
        return _line(410, _("This picture was taken down."))
    return _line(404, _("This picture has no tiles yet."))


def _line(status: int, text: str) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8", headers=REFUSED)


urlpatterns = [
    path("iiif/<str:grant>/<str:key>/<str:region>/<str:size>/<str:rotation>/<str:form>", picture, name="iiif-picture"),
    path("iiif/<str:grant>/<str:key>/info.json", info, name="iiif-info"),
    path("iiif/<str:grant>/<str:key>", base, name="iiif-base"),
    re_path(r"^iiif/(?P<grant>[^/]+)/(?P<key>[^/]+)/(?P<rest>[\s\S]*)$", unread, name="iiif-unread"),
]


class Pictures:
    """Answers for pictures before everything that only pages need: sessions, forms, languages, one line of log each.

    That part costs more than reading a tile. It stands behind SecurityMiddleware, so that TLS is asked for here too.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.addresses = URLResolver(RegexPattern(r"^/"), urlpatterns)
        self.promised = {"Content-Security-Policy": build_policy(), "X-Frame-Options": settings.X_FRAME_OPTIONS}

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith("/iiif/"):
            return self.get_response(request)
        try:
            found = self.addresses.resolve(request.path_info)
        except Resolver404:
            return self.get_response(request)
        answer = found.func(request, *found.args, **found.kwargs)
        for name, value in self.promised.items():
            answer.headers[name] = value
        if answer.status_code not in (204, 304):
            answer.headers["Content-Length"] = str(len(answer.content))
        # Django would log the address of each refusal, and a grant stands in it.
        answer._has_been_logged = True
        return answer
