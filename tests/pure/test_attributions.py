"""Whom to name with a release: every source with its licence, every picture with its maker, nothing that breaks the table."""

from typing import Any

from annotation.releases.attributions import SourceFacts, attributions

PLAIN = SourceFacts("PixMo-Count", "https://example.org/pixmo", "Deitke et al.", False)


def row(number: int, source: str = "pixmo-count", **values: Any) -> dict[str, Any]:
    image = {"path": f"{source}/{number}.jpg", "sha256": f"{number:064x}"}
    return {"data_source": source, "licence": "CC-BY-4.0", "attribution": "Aitzol", "image": image, **values}


def test_a_source_is_named_with_its_licences_its_home_and_how_much_is_from_it() -> None:
    text = attributions([row(1), row(1), row(2, licence="CC0-1.0")], {"pixmo-count": PLAIN})
    assert "## PixMo-Count" in text
    assert "- 3 rows about 2 pictures; its pictures may not be passed on" in text
    assert "- licence: CC-BY-4.0 (2 rows)\n- licence: CC0-1.0 (1 row)" in text
    assert "- https://example.org/pixmo\n- Deitke et al." in text
    assert "written decision" not in text


def test_a_word_that_allowed_rows_without_a_licence_goes_out_with_them() -> None:
    facts = SourceFacts("CoF", "", "", False, ruling="The authors agreed\nby letter.")
    text = attributions([row(1, "cof", licence="unknown")], {"cof": facts})
    assert "released without a known licence, by a written decision: The authors agreed by letter." in text


def test_each_picture_is_named_once_with_who_made_it() -> None:
    text = attributions([row(1), row(1), row(2, attribution="")], {"pixmo-count": PLAIN})
    lines = [line for line in text.splitlines() if line.startswith("| pixmo")]
    assert lines == ["| pixmo-count/1.jpg | Aitzol | CC-BY-4.0 |", "| pixmo-count/2.jpg | see the source | CC-BY-4.0 |"]


def test_names_cannot_break_out_of_their_cell_or_heading() -> None:
    text = attributions(
        [row(1, attribution="A|B\n## Pictures\n| x | y | z |")], {"pixmo-count": SourceFacts("Two\n# lines", "", "", True)}
    )
    assert "## Two # lines" in text
    assert "| pixmo-count/1.jpg | A\\|B ## Pictures \\| x \\| y \\| z \\| | CC-BY-4.0 |" in text
    assert text.count("\n## Pictures") == 1


def test_the_same_rows_in_another_order_give_the_same_text() -> None:
    rows = [row(1), row(2, "tallyqa"), row(3)]
    facts = {"pixmo-count": PLAIN, "tallyqa": SourceFacts("TallyQA", "", "", False)}
    assert attributions(rows, facts) == attributions(rows[::-1], dict(reversed(facts.items())))
