"""What a release writes in HARDBench's layout, the importer reads."""

from pathlib import Path
from typing import Any

from annotation.releases.export import hardbench_json
from annotation.sources.layouts import reading
from annotation.sources.rows import Row, Wanted

ORIGINAL: dict[str, Any] = {
    "question": "What color is the kettle?",
    "answers": ["green", "dark green"],
    "image": {"path": "demo/kettle.jpg"},
    "data_source": "demo-photos",
    "is_unanswerable": False,
    "reason": "",
}
TWIN = {**ORIGINAL, "question": "What color is the teapot?", "is_unanswerable": True, "reason": "There is no teapot."}


def test_a_released_pair_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "HARDBench_train.json"
    path.write_bytes(hardbench_json([ORIGINAL, TWIN]))
    first, second = reading(path, "hardbench")
    assert isinstance(first, Row)
    assert isinstance(second, Row)
    assert (first.question, first.answers, first.data_source) == (ORIGINAL["question"], ("green",), "demo-photos")
    assert (second.unanswerable, second.answers, second.reason) == (True, (), "There is no teapot.")
    assert first.image == second.image == Wanted("demo/kettle.jpg")
