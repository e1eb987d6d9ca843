"""A download that broke off goes on where it was: which part a request asks for."""

import pytest

from annotation.pages.byte_ranges import Part, Unsatisfiable, part_asked


@pytest.mark.parametrize(
    ("header", "start", "length"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=2-5", 2, 4),
        ("bytes=8-", 8, 2),
        ("bytes=-3", 7, 3),
        ("bytes=-99", 0, 10),
        ("bytes=5-99", 5, 5),
    ],
)
def test_one_part_is_understood(header: str, start: int, length: int) -> None:
    part = part_asked(header, 10)
    assert part == Part(start, length, 10)
    assert part.content_range == f"bytes {start}-{start + length - 1}/10"


@pytest.mark.parametrize("header", ["", "bytes=", "bytes=-", "bytes=5-2", "bytes=0-1,4-5", "rows=1-2", "bytes=a-b", "bytes=٣-٤"])
def test_what_is_not_one_part_is_answered_whole(header: str) -> None:
    assert part_asked(header, 10) is None


@pytest.mark.parametrize("header", ["bytes=10-", "bytes=99-100", "bytes=-0"])
def test_a_part_behind_the_end_is_refused(header: str) -> None:
    with pytest.raises(Unsatisfiable):
        part_asked(header, 10)


def test_nothing_has_no_parts() -> None:
    with pytest.raises(Unsatisfiable):
        part_asked("bytes=0-", 0)
