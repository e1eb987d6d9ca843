"""The one door outwards: every request that an address from outside asks for goes through it.

An installation's own rules come from settings: its hosts and those of its storage are refused, and OUTBOUND_ALLOW lets
loopback through where tests and demonstrations need it. The storage's own client does not come through here: where it goes
is said by the operator in STORAGE_URL and by nobody else.
"""

from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings

from annotation.outbound.addresses import Policy, RefusedAddress, Target, policy, target
from annotation.outbound.door import Door, Expected, Limits, Resolver
from annotation.outbound.replies import Outcome, Reply
from annotation.storage_urls import hosts

__all__ = ["Door", "Expected", "Limits", "Outcome", "Policy", "RefusedAddress", "Reply", "Resolver", "Target", "door", "target"]


def door() -> Door:
    """The door by the rules of this installation."""
    own = [*settings.ALLOWED_HOSTS, *map(_host, settings.CSRF_TRUSTED_ORIGINS), *hosts(settings.STORAGE_URL)]
    return _door(tuple(own), tuple(settings.OUTBOUND_ALLOW), settings.OUTBOUND_CONTACT)


@lru_cache(maxsize=8)
def _door(own_hosts: tuple[str, ...], allow: tuple[str, ...], contact: str) -> Door:
    agent = f"HARDBench-web/{settings.VERSION}" + (f" ({contact})" if contact else "")
    return Door(policy(own_hosts=list(own_hosts), allow=list(allow)), agent)


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""
