"""Counts in words, for lines that are not translated: what commands, cards and plans print."""


def counted(number: int, one: str, many: str = "") -> str:
    """`1 pair`, `2,500 pairs`; `many` is given where an s is not enough."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
