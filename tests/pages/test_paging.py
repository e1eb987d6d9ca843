"""Lists go by cursor: each row once, in order, forwards and backwards, also while rows are added."""

import pytest
from django.test import RequestFactory

from annotation.models import Person
from annotation.pages.paging import CursorUnknown, Slice, page_of

SIZE = 10


@pytest.fixture
def people(db: None) -> list[str]:
    return [Person.objects.create(pseudonym=f"person {number:02}").pseudonym for number in range(25)]


def page(cursor: str | None = None, *, oldest_first: bool = False) -> Slice:
    request = RequestFactory().get("/", {"cursor": cursor} if cursor else {})
    return page_of(Person.objects.all(), request, oldest_first=oldest_first, size=SIZE)


def names(slice_: Slice) -> list[str]:
    return [person.pseudonym for person in slice_.rows]


@pytest.mark.parametrize("oldest_first", [False, True])
def test_max_walks_through_a_list_and_back(people: list[str], oldest_first: bool) -> None:
    expected = people if oldest_first else people[::-1]
    first = page(oldest_first=oldest_first)
    second = page(first.next_cursor, oldest_first=oldest_first)
    third = page(second.next_cursor, oldest_first=oldest_first)
    assert names(first) + names(second) + names(third) == expected
    assert (first.prev_cursor, third.next_cursor) == (None, None)
    assert names(page(third.prev_cursor, oldest_first=oldest_first)) == names(second)
    back = page(second.prev_cursor, oldest_first=oldest_first)
    assert (names(back), back.prev_cursor) == (names(first), None)
    assert names(page(back.next_cursor, oldest_first=oldest_first)) == names(second)


def test_a_new_row_does_not_move_the_pages_behind_it(people: list[str]) -> None:
    first = page()
    before = names(page(first.next_cursor))
    Person.objects.create(pseudonym="new")
    assert names(page(first.next_cursor)) == before


def test_a_list_that_fits_one_page_has_no_further_one(people: list[str]) -> None:
    Person.objects.filter(pseudonym__gte=f"person {SIZE:02}").delete()
    only = page()
    assert len(only.rows) == SIZE
    assert (only.next_cursor, only.prev_cursor) == (None, None)


@pytest.mark.parametrize("cursor", ["x", "Pg", "é", "PjEy'--", "PDEyMzQ1Njc4OTAxMjM0NTY3ODkw"])
def test_a_cursor_that_was_not_made_here_is_refused(people: list[str], cursor: str) -> None:
    with pytest.raises(CursorUnknown):
        page(cursor)
