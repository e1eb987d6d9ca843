"""The fast reader agrees on every row with a second one that looks at everything: the scanner in Python, then each value."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.sources.faults import FileFault, Problem
from annotation.sources.records import records
from annotation.sources.rows import Record
from annotation.sources.strictness import MOST_DEPTH

SOUND = [
    *("0", "-0", "1.5", "1E5", "1e308", "true", "null", "999999999999999999", "9223372036854775807", "-9223372036854775808"),
    *('"NaN"', '"a\\":1"', '"[[[[[[[[[[[[[[[[[["', '"\\ud83d\\ude00"', '"\\\\u0000"', '"\\\\ud800"', '"\\u00e9"'),
]
FLAWED = [
    *("NaN", "Infinity", "1e400", "-1e309", "01", "nul", "-", "9223372036854775808", "-9223372036854775809", "9" * 20, "9" * 99),
    *('"\\u0000"', '"\\ud83d"', '"\\uDc00"', '"\\x"', '"\x00"', '"\ud800"', '"\udc80"'),
]
plain = st.text(max_size=5).map(json.dumps) | st.text(max_size=5).map(lambda text: json.dumps(text, ensure_ascii=False))
scalars = st.sampled_from(SOUND) | plain | st.sampled_from(SOUND * 3 + FLAWED)
keys = st.sampled_from([f'"{key}"' for key in "abcdefghijklmnopqrstuvwxyzé"] * 2 + ['"\\u0061"', '"\\ud800"', '"\\u0000"', "a"])
colons = st.sampled_from([":", ": ", " :", "\t:  "])


def listed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(inner, max_size=4).map(lambda values: "[" + ", ".join(values) + "]")


def mapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(keys, colons, inner).map("".join)
    return st.lists(pairs, max_size=4).map(lambda found: "{" + ",".join(found) + "}")


def wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(inner, st.integers(11, 16)).map(lambda one: "[" * one[1] + one[0] + "]" * one[1])


values = st.recursive(scalars, lambda inner: listed(inner) | mapped(inner) | wrapped(inner), max_leaves=8)
sources = st.integers(0, 9).flatmap(lambda one: mapped(values) if one else values)


class Refused(Exception):
    """The other reader refuses the row."""


def strictly(source: str) -> dict[str, Any]:
    """The row as a slow reader sees it, which looks at all. Raises Refused, ValueError."""
    source.encode()
    decoder = json.JSONDecoder(object_pairs_hook=once, parse_constant=refused, parse_float=finite, parse_int=in_64_bits)
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    row = decoder.decode(source)
    if not isinstance(row, dict):
        raise Refused
    for text in walked(row, 1):
        text.encode()
        if "\x00" in text:
            raise Refused
    return row


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(pairs) if len({name for name, _ in pairs}) == len(pairs) else refused("twice")


def refused(word: str) -> Any:
    raise Refused(word)


def finite(digits: str) -> float:
    return refused(digits) if float(digits) in (float("inf"), float("-inf")) else float(digits)


def in_64_bits(digits: str) -> int:
    return int(digits) if -(2**63) <= int(digits) < 2**63 else refused(digits)


def walked(value: Any, depth: int) -> Iterator[str]:
    """All texts in a value, keys included. Raises Refused below MOST_DEPTH."""
    if isinstance(value, str):
        yield value
    if isinstance(value, dict | list):
        if depth > MOST_DEPTH:
            raise Refused
        for inner in value if isinstance(value, list) else [one for pair in value.items() for one in pair]:
            yield from walked(inner, depth + 1)


@settings(max_examples=1500, deadline=None)
@given(sources)
def test_the_fast_reader_agrees_with_one_that_looks_at_everything(tmp_path_factory: pytest.TempPathFactory, source: str) -> None:
    path = tmp_path_factory.getbasetemp() / "fast"
    path.write_bytes(b"{}\n" + source.encode("utf-8", "surrogatepass") + b"\n")
    _, found = records(path, form="jsonl", encoding="utf-8")
    path.write_bytes(b"[{},\n" + source.encode("utf-8", "surrogatepass") + b"\n]")
    try:
        expected = strictly(source)
    except (Refused, ValueError):
        assert isinstance(found, Problem)
        assert found.line == 2
        listed_as = _in_list(path)
        assert listed_as is None or isinstance(listed_as, Problem)
    else:
        assert found == Record(2, expected) == _in_list(path)


def _in_list(path: Path) -> Record | Problem | None:
    """The second row of a list; None where the list is refused as a whole, because the row's end is not known."""
    try:
        return list(records(path, form="json", encoding="utf-8"))[1]
    except FileFault:
        return None
