"""What every page's shell needs: where this person may go, and who they are."""

from typing import Any, TypedDict

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation import access
from annotation.models import User

# In the order work flows: (url name, label, deed that opens it).
PAGES = [
    ("review", _("Review"), "review"),
    ("adjudication", _("Adjudication"), "adjudicate"),
    ("sources", _("Sources"), "see-candidates"),
    ("images", _("Images"), "see-candidates"),
    ("candidates", _("Candidates"), "see-candidates"),
    ("runs", _("Generation"), "see-candidates"),
    ("campaigns", _("Campaigns"), "see-candidates"),
    ("quality", _("Quality"), "see-quality"),
    ("releases", _("Releases"), "see-releases"),
    ("evaluation", _("Evaluation"), "evaluate"),
    ("journal", _("Journal"), "see-journal"),
]

# Pages with an address of their own that stand below another one: (their url name, the entry they belong to).
BELOW = [("acquisitions", "images"), ("clusters", "images")]


class Entry(TypedDict):
    """`current` is the value of aria-current: the page itself, `true` for a page below it, nothing for others."""

    label: Any
    url: str
    current: str


def shell(request: HttpRequest) -> dict[str, Any]:
    """Context processor: navigation, viewer_name, viewer_pseudonym, version."""
    user = getattr(request, "user", AnonymousUser())
    name = (user.get_full_name() or user.get_username()) if isinstance(user, User) else ""
    return {
        "navigation": navigation(user, request.path),
        "viewer_name": name,
        "viewer_pseudonym": getattr(getattr(user, "person", None), "pseudonym", ""),
        "version": settings.VERSION,
    }


def navigation(user: User | AnonymousUser, path: str) -> list[Entry]:
    return [_entry(name, label, path) for name, label, deed in PAGES if access.may(user, deed)]


def _entry(name: str, label: Any, path: str) -> Entry:
    url = reverse(name)
    within = [url, *(reverse(below) for below, entry in BELOW if entry == name)]
    below = "true" if path.startswith(tuple(within)) else ""
    return {"label": label, "url": url, "current": "page" if path == url else below}
