"""What a verb raises when it refuses: the family that pages and API translate in one place.

Every named error is defined beside its verb and derives from one of the five children here; the child says
which kind of answer an interface gives (400, 409, 404, 403, 422).
"""

from typing import ClassVar, Literal

Kind = Literal["invalid", "conflict", "missing", "forbidden", "mismatch"]


class DomainError(Exception):
    """A refusal with a reason a person can act on.

    `message` names the place and the remedy; `field` names the form field it belongs to, if any.
    """

    code: ClassVar[str] = "refused"
    kind: ClassVar[Kind] = "invalid"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class Invalid(DomainError):
    """The input itself is wrong."""

    code = "invalid"
    kind = "invalid"


class Conflict(DomainError):
    """The input is fine, but the thing is in another state by now."""

    code = "conflict"
    kind = "conflict"


class Missing(DomainError):
    """There is no such thing for this person."""

    code = "missing"
    kind = "missing"


class Forbidden(DomainError):
    """The thing exists, and this person may not do that to it."""

    code = "forbidden"
    kind = "forbidden"


class Mismatch(DomainError):
    """The same key came back with another body."""

    code = "mismatch"
    kind = "mismatch"
