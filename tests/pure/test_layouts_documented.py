"""Every rule of every layout is written down, and every source has its card."""

from pathlib import Path

import pytest

from annotation.sources.cards import CARDS, UNKNOWN, card_of
from annotation.sources.layouts import LAYOUTS, described
from annotation.sources.layouts.pixmo_count import TEMPLATES
from annotation.sources.layouts.shape import Layout

PAGE = Path(__file__).parents[2] / "docs" / "sources.md"
KEYS = ["generic", "hardbench", "verl", "pixmo-count", "tallyqa", "arxivqa", "cof", "vstar", "realx", "mapped"]


def test_all_layouts_are_there_by_their_keys() -> None:
    assert list(LAYOUTS) == KEYS
    assert [layout.key for layout in LAYOUTS.values()] == KEYS


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=lambda layout: layout.key)
def test_every_rule_of_a_layout_is_documented_once(layout: Layout) -> None:
    names = [rule.field for rule in layout.rules]
    assert len(set(names)) == len(names)
    assert layout.title
    assert layout.version >= 1
    for rule in layout.rules:
        assert len(rule.means) > 10, rule.field
        assert rule.means[0].islower() or not rule.means[0].isalpha(), rule.field
        assert not rule.means.endswith("."), rule.field


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=lambda layout: layout.key)
def test_help_prints_every_rule_and_says_what_is_needed(layout: Layout) -> None:
    lines = described(layout).splitlines()
    assert len(lines) == len(layout.rules)
    needed = {line.split(" (needed)")[0] for line in lines if " (needed): " in line}
    assert needed == {rule.field for rule in layout.rules if rule.required}


def test_every_source_of_a_layout_has_its_card() -> None:
    assert {layout.source_key for layout in LAYOUTS.values()} - {""} == set(CARDS)
    for card in CARDS.values():
        assert LAYOUTS[card.layout].source_key == card.key


def test_cards_say_whose_rows_they_are_and_promise_nothing_about_pictures() -> None:
    for card in CARDS.values():
        assert card.name
        assert card.citation
        assert card.check
        assert card.homepage.startswith("https://")
        assert card.licence
        assert not card.images_redistributable


def test_sources_without_a_licence_are_unknown_not_guessed() -> None:
    assert {key for key, card in CARDS.items() if card.licence == UNKNOWN} == {"mm-adaptive-cof", "vstar"}
    assert card_of("demo-photos") is None


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=lambda layout: layout.key)
def test_the_page_about_sources_says_the_rules_as_they_are(layout: Layout) -> None:
    page = PAGE.read_text(encoding="utf-8")
    part = page.partition(f"\n## `{layout.key}`: {layout.title}\n")[2].partition("\n## ")[0]
    told = [line for line in part.splitlines() if line.startswith("- `") and line.split("`")[1] not in TEMPLATES]
    assert told == [f"- `{rule.field}`{' (needed)' if rule.required else ''}: {rule.means}" for rule in layout.rules]


def test_the_page_about_sources_names_every_card_and_every_wording() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for card in CARDS.values():
        assert f"| `{card.key}` | [{card.name}]({card.homepage}) | {card.licence} | {card.check} |" in page
    for template, wording in TEMPLATES.items():
        assert f"- `{template}`: {wording}\n" in page
