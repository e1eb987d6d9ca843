"""Lists in pages of fifty by key, never by number: page 20,000 costs what page 1 costs, and nothing is counted."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from annotation.errors import Missing

PAGE_SIZE = 50
POSITION = re.compile(r"([<>])(\d{1,18})", re.ASCII)


class CursorUnknown(Missing):
    """The cursor of an address was not made here."""

    code = "cursor-unknown"


@dataclass(frozen=True, slots=True)
class Slice:
    """One page of rows. A cursor is None where there is nothing further in its direction."""

    rows: list[Any]
    next_cursor: str | None
    prev_cursor: str | None

    def context(self, name: str) -> dict[str, Any]:
        """What `partials/pagination.html` and a table need; the rows are called `name`."""
        return {name: self.rows, "next_cursor": self.next_cursor, "prev_cursor": self.prev_cursor}


def page_of(rows: QuerySet[Any], request: HttpRequest, *, oldest_first: bool = False, size: int = PAGE_SIZE) -> Slice:
    """The page of `rows` that the request's `?cursor=` names, in one statement; newest first unless told otherwise.

    Rows are ordered by primary key. Raises CursorUnknown.
    """
    cursor = request.GET.get("cursor", "")
    backwards, position = _position(cursor) if cursor else (False, None)
    ascending = oldest_first != backwards
    if position is not None:
        rows = rows.filter(pk__gt=position) if ascending else rows.filter(pk__lt=position)
    found = list(rows.order_by("pk" if ascending else "-pk")[: size + 1])
    kept = found[:size][::-1] if backwards else found[:size]
    more = len(found) > size
    return Slice(
        rows=kept,
        next_cursor=_cursor(">", kept[-1]) if kept and (more or backwards) else None,
        prev_cursor=_cursor("<", kept[0]) if kept and (more if backwards else position is not None) else None,
    )


def _cursor(direction: str, row: Any) -> str:
    """`>` asks for what comes after the row in the list's order, `<` for what comes before it."""
    return urlsafe_b64encode(f"{direction}{row.pk}".encode()).decode().rstrip("=")


def _position(cursor: str) -> tuple[bool, int]:
    try:
        text = urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)).decode("ascii", "replace")
    except (BadBase64, UnicodeEncodeError):
        text = ""
    match = POSITION.fullmatch(text)
    if match is None:
        raise CursorUnknown(_("This page of the list does not exist. Start again from its first page."))
    return match[1] == "<", int(match[2])
