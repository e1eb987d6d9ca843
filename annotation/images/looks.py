"""When do two pictures look alike? Hamming distances between 64 bit hashes of their look. Pure.

Strict on purpose: pictures of one cluster share a split and count once, so a wrong cluster wastes originals, while a
missed pair leaks. Hashes that are nearly all zeros or ones (a blank page, a chart on white) say too little to judge by.
"""

MOST_BITS_APART = 5  # of 64, for each of the two hashes
LEAST_BITS = 8  # ones and zeros that a hash needs to say something


def says_something(look: str) -> bool:
    """Whether a hash (16 hex digits) has enough of both bits."""
    ones = int(look, 16).bit_count()
    return LEAST_BITS <= ones <= 64 - LEAST_BITS


def apart(one: str, other: str) -> int:
    """How many of the 64 bits of two hashes differ."""
    return (int(one, 16) ^ int(other, 16)).bit_count()
