"""Which addresses may be asked for pictures: the spelling of a URL, and the network behind a host. Pure.

A URL is taken apart here once, by one strict pattern, and put together again from its parts: no second parser can
understand it in another way. Names prove nothing; every address that a name resolves to is checked (`flaw_of_ip`).
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import quote

from annotation.errors import Invalid

PORTS = {"http": 80, "https": 443}
LONGEST = 2000
URL = re.compile(r"(https?)://([^/?#]*)([^#]*)(#.*)?", re.IGNORECASE | re.DOTALL)
PORT = re.compile(r"[0-9]{1,5}")
LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\x9f\\]")
KEPT = "/?:@!$&'()*+,;=~%[]-._|"  # characters of path and query that are sent as they stand
INSIDE = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa", "onion", "test", "invalid")

# What is not for everybody, after the registries for special purposes; and one cloud's host on a public address.
SPECIAL_4 = """
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
"""
CLOSED_4 = [IPv4Network(network) for network in SPECIAL_4.split()]
OPEN_6 = IPv6Network("2000::/3")
# Protocol assignments (Teredo among them), 6to4, documentation. Old tunnels are closed whatever address they hide.
CLOSED_6 = [IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")]
NAT64 = IPv6Network("64:ff9b::/96")

Ip = IPv4Address | IPv6Address


class RefusedAddress(Invalid):
    """The address is not one that may be asked for a picture."""

    code = "address-refused"


@dataclass(frozen=True, slots=True)
class Target:
    """A URL taken apart: scheme, host in lower case without brackets, port, and path with query, percent-encoded."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The host as a Host header names it: with the port unless it is the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"


@dataclass(frozen=True, slots=True)
class Policy:
    """What an installation adds: its own hosts, which are refused, and (address, port) pairs that are let through.

    A host that begins with a dot stands for all below it. Port None lets an address through at any port; this is for
    tests and demonstrations on one machine only.
    """

    own_hosts: frozenset[str] = frozenset()
    allowed: frozenset[tuple[Ip, int | None]] = frozenset()

    def lets_through(self, ip: Ip, port: int) -> bool:
        return (ip, port) in self.allowed or (ip, None) in self.allowed

    def any_port(self, port: int) -> bool:
        """Whether some address is let through at this port."""
        return any(at in (None, port) for _, at in self.allowed)

    def is_own(self, host: str) -> bool:
        return any(host == own.lstrip(".") or (own.startswith(".") and host.endswith(own)) for own in self.own_hosts)


def policy(*, own_hosts: list[str], allow: list[str]) -> Policy:
    """A Policy from settings; `allow` holds entries like 127.0.0.1, 127.0.0.1:8080 or [::1]:8080. Raises ValueError."""
    return Policy(frozenset(host.lower() for host in own_hosts if host != "*"), frozenset(_pair(entry) for entry in allow))


def target(url: str) -> Target:
    """A URL taken apart. Raises RefusedAddress for every spelling that is not plain."""
    if len(url) > LONGEST:
        raise RefusedAddress(f"The address is longer than {LONGEST} characters.")
    if FORBIDDEN.search(url.replace(" ", "x")) or url != url.strip():
        raise RefusedAddress("The address has control characters, a backslash, or blanks around it.")
    match = URL.fullmatch(url)
    if match is None:
        raise RefusedAddress("Only http and https addresses are fetched.")
    scheme, authority, path, fragment = match[1].lower(), match[2], match[3], match[4] or ""
    if "@" in authority or "@" in fragment:
        raise RefusedAddress("The address names a user, or hides one behind its host.")
    host, port = _host_and_port(authority, scheme)
    return Target(scheme, host, port, quote(path if path.startswith("/") else f"/{path}", safe=KEPT))


def check(found: Target, rules: Policy) -> None:
    """Raises RefusedAddress for hosts and ports that are never asked. What a name resolves to is checked later."""
    ip = as_ip(found.host)
    if ip is not None and rules.lets_through(ip, found.port):
        return
    if found.port not in PORTS.values() and not (ip is None and rules.any_port(found.port)):
        raise RefusedAddress(f"Port {found.port} is closed: pictures are fetched from ports 80 and 443.")
    if rules.is_own(found.host):
        raise RefusedAddress("The address is one of this installation itself.")
    if ip is not None:
        check_ip(found.host, found.port, rules)
    elif any(found.host == name or found.host.endswith(f".{name}") for name in INSIDE):
        raise RefusedAddress("The host's name is one for inside a network.")


def check_ip(address: str, port: int, rules: Policy) -> None:
    """Raises RefusedAddress for an IP address that is not for everybody, unless the rules let it through."""
    ip = as_ip(address)
    if ip is None:
        raise RefusedAddress(f"The host resolves to {address!r}, which is no address.")
    if rules.lets_through(ip, port):
        return
    if port not in PORTS.values():
        raise RefusedAddress(f"Port {port} is closed: pictures are fetched from ports 80 and 443.")
    if is_closed(ip):
        raise RefusedAddress("The host leads into a network that is not for everybody.")


def is_closed(ip: Ip) -> bool:
    """Whether an address is private, special, or a tunnel to such a one. NAT64 and mapped addresses are looked into."""
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or (IPv4Address(int(ip) & 0xFFFFFFFF) if ip in NAT64 else None)
        if inner is not None:
            return is_closed(inner)
        return ip.scope_id is not None or ip not in OPEN_6 or any(ip in network for network in CLOSED_6)
    return any(ip in network for network in CLOSED_4)


def as_ip(host: str) -> Ip | None:
    """The host as an IP address, if it is written as one."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _host_and_port(authority: str, scheme: str) -> tuple[str, int]:
    if authority.startswith("["):
        host, closed, rest = authority[1:].partition("]")
        if not closed or not isinstance(as_ip(host), IPv6Address) or "%" in host:
            raise RefusedAddress("Brackets are for IPv6 addresses only.")
    else:
        host, colon, port = authority.partition(":")
        rest = colon + port
        _check_name(host.lower())
    if rest and not (rest.startswith(":") and PORT.fullmatch(rest[1:]) and 0 < int(rest[1:]) < 65536):
        raise RefusedAddress("The address has a port that is none.")
    return host.lower(), int(rest[1:]) if rest else PORTS[scheme]


def _check_name(host: str) -> None:
    """Names in plain ASCII with a dot. One that ends in a number must be four plain decimal numbers: `0x7f.1` is none."""
    if not host.isascii():
        raise RefusedAddress("The host has letters beyond ASCII, which may imitate others: write its xn-- form.")
    labels = host.split(".")
    if len(host) > 253 or len(labels) < 2 or not all(LABEL.fullmatch(label) for label in labels):
        raise RefusedAddress("The host is not a full name such as pictures.example.org.")
    if labels[-1][0].isdigit() and not isinstance(as_ip(host), IPv4Address):
        raise RefusedAddress("The host is a number in a spelling of its own.")


def _pair(entry: str) -> tuple[Ip, int | None]:
    host, colon, port = entry.rpartition(":") if re.fullmatch(r"(?:[0-9.]+|\[.*\]):[0-9]+", entry) else (entry, "", "")
    return ip_address(host.strip("[]")), int(port) if colon else None
