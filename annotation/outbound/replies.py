"""What an answer of a host means for a picture: stored, gone, throttled, refused, mismatch, or a failure that may pass. Pure."""

from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from enum import StrEnum

LONGEST_WAIT = 3600  # seconds; a host that asks for more is asked again after an hour
USUAL_WAIT = 60  # seconds, where a host asks us to wait and does not say how long
REDIRECTS = {301, 302, 303, 307, 308}
GONE = {404, 410, 451}
PASSING = {408, 425}


class Outcome(StrEnum):
    FETCHED = "fetched"
    GONE = "gone"
    THROTTLED = "throttled"
    REFUSED = "refused"
    MISMATCH = "mismatch"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Reply:
    """How one request ended.

    `status` is HTTP's (None where no answer came), `bytes` and `sha256` tell what was received, `wait` is how many
    seconds a throttling host asks us to leave it alone. `reason` is for people.
    """

    outcome: Outcome
    reason: str = ""
    status: int | None = None
    bytes: int = 0
    sha256: str = ""
    wait: int = 0


def judged(status: int, headers: Message) -> Reply | None:
    """What a status other than a redirect says before any body is read; None if there is a body to read."""
    if status == 200:
        return _flaw_of_headers(headers)
    if status in GONE:
        return Reply(Outcome.GONE, f"The host answered {status}: the picture is not there any more.", status)
    if status == 429 or (status == 503 and "Retry-After" in headers):
        wait = waits(headers.get("Retry-After", ""), headers.get("Date", ""))
        return Reply(Outcome.THROTTLED, f"The host answered {status} and asks us to wait {wait} seconds.", status, wait=wait)
    if status >= 500 or status in PASSING:
        return Reply(Outcome.FAILED, f"The host answered {status}.", status)
    return Reply(Outcome.REFUSED, f"The host answered {status} and does not hand the picture out.", status)


def waits(retry_after: str, date: str) -> int:
    """Seconds to wait by a Retry-After header: a number, or a date, which is read against the reply's own Date."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return _bounded(int(text[:9]))
    until, now = _moment(text), _moment(date)
    return _bounded(int((until - now).total_seconds())) if until and now else USUAL_WAIT


def declared_length(headers: Message) -> int | None:
    """The Content-Length, or None where there is none; -1 for one that is no number."""
    text = headers.get("Content-Length")
    if text is None:
        return None
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1


def _flaw_of_headers(headers: Message) -> Reply | None:
    coding = headers.get("Content-Encoding", "identity").strip().lower()
    if coding not in {"", "identity"}:
        return Reply(Outcome.REFUSED, f"The host packs the picture ({coding[:40]}) although it was asked not to.", 200)
    if declared_length(headers) == -1:
        return Reply(Outcome.REFUSED, "The host announces a length that is no number.", 200)
    return None


def _bounded(seconds: int) -> int:
    return max(1, min(seconds, LONGEST_WAIT))


def _moment(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo else None
