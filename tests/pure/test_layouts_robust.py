"""Whatever stands in a record, a layout answers with rows, problems or rows left out, and each can be stored."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.sources.faults import Problem, WrongLayout
from annotation.sources.layouts import LAYOUTS, Options, reading
from annotation.sources.layouts.shape import Found
from annotation.sources.rows import LeftOut, Record, Row
from tests.rows_read import EXAMPLES

FILES = {
    "generic": "vstar.jsonl",
    "hardbench": "hardbench.json",
    "verl": "verl.json",
    "pixmo-count": "pixmo_count.jsonl",
    "tallyqa": "tallyqa.json",
    "arxivqa": "arxivqa.jsonl",
    "cof": "cof.jsonl",
    "vstar": "vstar.jsonl",
    "realx": "realx.json",
}
MAPPED = Options(mapping={"image": "image", "q.x": "question", "a": "answers", "b": "box", "o": "options", "k": "extra"})

scalars = st.none() | st.booleans() | st.integers(-3, 1 << 62) | st.floats() | st.text(max_size=8) | st.binary(max_size=4)
texts = st.sampled_from(
    ["A", "B. x", "[C]", "-", "### Figure", "a.jpg", "https://[", "1 or 2", "Question:", "user", "x\ny", "\x00"]
)
values = st.recursive(
    scalars | texts,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["x", "y", "bytes", "path", "role", "content"]), inner)
    ),
    max_leaves=6,
)


def sample(key: str) -> dict[str, Any]:
    """The fields of a sound row of each layout."""
    if key not in FILES:
        return {"image": "a.jpg", "q": {"x": "What?"}, "a": "red", "b": [0, 0, 1, 1], "o": ["red", "blue"], "k": 1}
    text = (EXAMPLES / FILES[key]).read_text(encoding="utf-8")
    row: dict[str, Any] = json.loads(text)[0] if text.startswith("[") else json.loads(text.splitlines()[0])
    return row | ({"question": "What?", "answer": "red"} if key == "generic" else {})


def storable(found: Found) -> bool:
    """Whether what came out can be written down."""
    if isinstance(found, Row):
        assert found.question.strip()
        assert found.image.name
        assert found.unanswerable != bool(found.answers)
        assert all(x1 < x2 and y1 < y2 for x1, y1, x2, y2 in found.boxes)
        stored = json.dumps(
            [found.question, found.answers, found.options, found.boxes, found.points, found.extra], allow_nan=False
        )
        assert "\\u0000" not in stored
    if isinstance(found, Problem):
        found.value.encode()
        assert found.reason
    return isinstance(found, Row | Problem | LeftOut)


@pytest.mark.parametrize("key", LAYOUTS)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_value_in_any_field_gives_a_row_or_a_reason(key: str, data: st.DataObject) -> None:
    fields = sample(key)
    changed = data.draw(st.lists(st.sampled_from(sorted(fields)), max_size=2, unique=True))
    for name in changed:
        fields[name] = data.draw(values)
    options = MAPPED if key == "mapped" else Options()
    found = list(LAYOUTS[key].row(Record(1, fields), options))
    assert len(found) == 1
    assert all(storable(one) for one in found)
    if not changed:
        assert isinstance(found[0], Row)


@pytest.mark.parametrize("key", LAYOUTS)
def test_a_row_without_any_field_names_what_it_lacks(key: str) -> None:
    (found,) = LAYOUTS[key].row(Record(1, {}), MAPPED if key == "mapped" else Options())
    assert isinstance(found, Problem)
    assert found.field


def test_a_long_file_in_another_layout_is_given_up_early(tmp_path: Any) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"query": "What?"}\n' * 5000, encoding="utf-8")
    seen: list[Found] = []
    with pytest.raises(WrongLayout, match="Missing: image, question, answer"):
        seen.extend(reading(path, "tallyqa"))
    assert 0 < len(seen) < 1000


def test_reading_goes_on_after_a_line() -> None:
    first, *rest = reading(EXAMPLES / "tallyqa.json", "tallyqa", after=3)
    assert first.line == 4
    assert len(rest) == 3


def test_only_rows_with_listed_ids_come_in() -> None:
    found = list(reading(EXAMPLES / "arxivqa.jsonl", "arxivqa", Options(ids=frozenset({"q-bio-7"}))))
    assert [one.key for one in found if isinstance(one, Row)] == ["q-bio-7"]
    assert sum(isinstance(one, LeftOut) for one in found) == 3
