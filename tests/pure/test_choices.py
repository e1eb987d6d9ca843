"""What Max chose about a reading is kept with the import, and gives the same reading again."""

import json

import pytest

from annotation.sources.choices import choices, options_of
from annotation.sources.layouts import Options

CHOSEN = (
    Options(),
    Options(ids=frozenset({"b", "a"}), only_without_search=False, templates=("how-many-1",), form="csv", encoding="gb18030"),
    Options(mapping={"pic": "image"}, constants={"answer": "x"}, split={"options": "|"}),
)


@pytest.mark.parametrize("options", CHOSEN)
def test_choices_survive_being_kept(options: Options) -> None:
    assert options_of(json.loads(json.dumps(choices(options)))) == options


def test_asking_for_what_is_usual_is_asking_for_nothing() -> None:
    assert choices(Options(only_without_search=True, encoding=None)) == {}


def test_the_order_in_which_ids_were_listed_makes_no_other_import() -> None:
    assert choices(Options(ids=frozenset({"b", "a"})))["ids"] == ["a", "b"]
