"""STORAGE_URL taken apart: a local folder, or a bucket of an S3-compatible server. Pure.

    file:///var/lib/hardbench
    s3://bucket/prefix?endpoint=https://objects.example.org&region=eu-central-1

Log-in data are never part of it. What is refused is not repeated in the message: it may hold a secret.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
PREFIX = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?")
REGION = re.compile(r"[a-z0-9-]{1,40}")
DEFAULT_REGION = "us-east-1"
CHOICES = {"style": ("path", "virtual"), "downloads": ("stream", "redirect")}
OPTIONS = {"endpoint", "region", *CHOICES}
EXAMPLES = "file:///var/lib/hardbench or s3://bucket/prefix?endpoint=https://objects.example.org&region=eu-central-1"


class BadStorageUrl(ValueError):
    """STORAGE_URL names no storage, or carries what does not belong into it."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of this machine, or one that all machines mount."""

    root: Path

    @property
    def shown(self) -> str:
        return f"file://{self.root}"


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket and the prefix below which everything lies; `endpoint` is "" for Amazon's own servers.

    `style` says whether the bucket is named in the path or in the host; `downloads` whether an original is streamed by
    the product or fetched from the bucket by a signed address.
    """

    name: str
    prefix: str
    endpoint: str
    region: str
    style: str
    downloads: str

    @property
    def shown(self) -> str:
        place = f"s3://{self.name}/{self.prefix}".rstrip("/")
        return f"{place}?endpoint={self.endpoint}&region={self.region}" if self.endpoint else f"{place}?region={self.region}"

    @property
    def hosts(self) -> list[str]:
        """The hosts that answer for the bucket. One that begins with a dot stands for all below it, too."""
        if self.endpoint:
            return [f".{urlsplit(self.endpoint).hostname}"]
        return [f"{self.name}.s3.amazonaws.com", f"{self.name}.s3.{self.region}.amazonaws.com"]

    @property
    def origin(self) -> str:
        """Where a signed address of an object leads."""
        host = self.hosts[-1 if self.region != DEFAULT_REGION else 0]
        own = self.endpoint or (f"https://{host}" if self.style == "virtual" else f"https://s3.{self.region}.amazonaws.com")
        return own if self.style == "path" or not self.endpoint else own.replace("://", f"://{self.name}.")


Place = Folder | Bucket


def place(url: str) -> Place:
    """What a URL names. Raises BadStorageUrl, whose message says what is wrong without repeating it."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise BadStorageUrl(f"STORAGE_URL cannot be read: write {EXAMPLES}.") from error
    if "@" in parts.netloc or ("@" in url and parts.scheme != "file"):  # secrets have slashes in them, too
        raise BadStorageUrl(
            "STORAGE_URL carries log-in data, which end up in logs there: take them out, and set AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY (or AWS_SECRET_ACCESS_KEY_FILE)."
        )
    if parts.scheme == "file":
        return _folder(parts)
    if parts.scheme == "s3":
        return _bucket(parts)
    raise BadStorageUrl(f"STORAGE_URL names no storage: write {EXAMPLES}.")


def hosts(url: str) -> list[str]:
    """The hosts behind a storage, which addresses from outside must not reach; none for a folder or a bad URL."""
    try:
        found = place(url)
    except BadStorageUrl:
        return []
    return found.hosts if isinstance(found, Bucket) else []


def download_origins(url: str) -> list[str]:
    """Where browsers are sent for originals, beside the product itself; nowhere unless the URL says so."""
    try:
        found = place(url)
    except BadStorageUrl:
        return []
    return [found.origin] if isinstance(found, Bucket) and found.downloads == "redirect" else []


def _folder(parts: SplitResult) -> Folder:
    root = Path(unquote(parts.path))
    if parts.netloc or parts.query or parts.fragment or not root.is_absolute() or root == Path("/") or ".." in root.parts:
        raise BadStorageUrl("STORAGE_URL names no folder: write file:// and the absolute path of one, with nothing behind it.")
    return Folder(root)


def _bucket(parts: SplitResult) -> Bucket:
    prefix, options = parts.path.strip("/"), _options(parts)
    if not BUCKET.fullmatch(parts.netloc) or ".." in parts.netloc:
        raise BadStorageUrl("STORAGE_URL names no bucket: s3:// is followed by 3 to 63 small letters, digits, '-' and '.'.")
    if not PREFIX.fullmatch(prefix) or len(prefix) > 200:
        raise BadStorageUrl("STORAGE_URL has a prefix that is none: use letters, digits, '-', '_' and '.', parted by '/'.")
    endpoint = options.get("endpoint", "")
    chosen = {name: options.get(name, allowed[0]) for name, allowed in CHOICES.items()}
    if not endpoint and "style" not in options:
        chosen["style"] = "path" if "." in parts.netloc else "virtual"  # a dot in the bucket does not fit TLS names
    return Bucket(parts.netloc, prefix, endpoint, options.get("region", DEFAULT_REGION), chosen["style"], chosen["downloads"])


def _options(parts: SplitResult) -> dict[str, str]:
    try:
        pairs = parse_qsl(parts.query, strict_parsing=bool(parts.query), keep_blank_values=True)
    except ValueError as error:
        raise BadStorageUrl(f"STORAGE_URL has options that cannot be read: write {EXAMPLES}.") from error
    options = dict(pairs)
    if parts.fragment or len(options) != len(pairs) or not options.keys() <= OPTIONS:
        raise BadStorageUrl(
            f"STORAGE_URL has options that are not {', '.join(sorted(OPTIONS))}, or one twice. Log-in data belong into "
            "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        )
    if "endpoint" in options:
        options["endpoint"] = _endpoint(options["endpoint"])
    if "region" in options and not REGION.fullmatch(options["region"]):
        raise BadStorageUrl("STORAGE_URL has a region that is none: write one such as eu-central-1.")
    for name, allowed in CHOICES.items():
        if options.get(name, allowed[0]) not in allowed:
            raise BadStorageUrl(f"STORAGE_URL has a {name} that is none: write {' or '.join(allowed)}.")
    return options


def _endpoint(text: str) -> str:
    try:
        parts = urlsplit(text)
        plain = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        plain = False
    if not plain or "@" in parts.netloc or parts.path.strip("/") or parts.query or parts.fragment:
        raise BadStorageUrl("STORAGE_URL has an endpoint that is none: write one such as https://objects.example.org:9000.")
    return f"{parts.scheme}://{parts.netloc}"
