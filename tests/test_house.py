"""Max reads the documents: what they say of the code is true."""

import re
from pathlib import Path

import pytest

from hardbench_web import catalogues

ROOT = Path(__file__).parent.parent
FOLDERS_WITHOUT_A_LINE = {"__pycache__", "LC_MESSAGES", "vendor"}


def folders() -> set[str]:
    """Every folder of the project's own that holds tracked kinds of files."""
    found = set()
    for top in ("annotation", "hardbench_web", "static", "templates", "tests", "benchmarks", "docs"):
        for path in [ROOT / top, *(ROOT / top).rglob("*")]:
            parts = path.relative_to(ROOT).parts
            if path.is_dir() and not FOLDERS_WITHOUT_A_LINE & set(parts) and any(child.is_file() for child in path.iterdir()):
                found.add("/".join(parts))
    return found


def test_the_map_has_one_line_for_each_folder() -> None:
    lines = re.findall(r"^- `([^`]+)/`: .+$", (ROOT / "docs" / "map.md").read_text(encoding="utf-8"), re.M)
    assert len(lines) == len(set(lines))
    assert set(lines) == folders()


@pytest.mark.parametrize("language", ["en", "zh_Hans"])
def test_every_message_has_its_translation(language: str) -> None:
    assert catalogues.missing(language) == []


@pytest.mark.parametrize("language", ["en", "zh_Hans"])
def test_the_compiled_catalogue_is_that_of_the_source(language: str) -> None:
    assert catalogues.compiled(language) == catalogues.po_path(language).with_suffix(".mo").read_bytes()


def test_the_readme_opens_with_a_screenshot_and_the_two_commands() -> None:
    head = (ROOT / "README.md").read_text(encoding="utf-8")[:2000]
    picture = re.search(r"!\[.+\]\((.+)\)", head)
    assert picture is not None
    assert (ROOT / picture[1]).is_file()
    assert "make demo" in head
    assert "make test" in head


def test_every_variable_that_is_read_is_explained() -> None:
    code = (ROOT / "hardbench_web" / "settings.py").read_text(encoding="utf-8")
    explained = (ROOT / ".env.example").read_text(encoding="utf-8")
    names = set(re.findall(r'env\.\w+\("([A-Z_]+)"', code))
    assert names
    assert {name for name in names if f"# {name}=" not in explained} == set()
