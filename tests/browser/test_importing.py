"""Max brings a file with words of its own, maps its columns, looks, and imports it."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import ImportBatch, WorkUnit
from annotation.tasks.handlers import do_import
from tests import factories
from tests.browser.conftest import log_in
from tests.people import make_person


@pytest.fixture
def table(tmp_path: Path, settings: Any) -> Path:
    settings.STORAGE_URL = f"file://{tmp_path}/storage"
    path = tmp_path / "fragen.csv"
    path.write_text("bild;frage;antwort\n" + "".join(f"{n}.jpg;What is number {n}?;{n}\n" for n in range(30)) + "x.jpg;;1\n")
    return path


def test_max_maps_the_columns_of_a_file_looks_at_its_rows_and_imports_them(page: Page, site: str, table: Path) -> None:
    max_ = make_person("max")
    factories.make_source("custom")
    log_in(page.context, site, max_)
    page.goto(f"{site}/sources/custom/")
    page.get_by_label("File", exact=True).set_input_files(table)
    page.get_by_role("button", name="Look at it first").click()
    for column, field in (("bild", "image"), ("frage", "question"), ("antwort", "answer")):
        page.get_by_label(column, exact=True).select_option(field)
    page.get_by_role("button", name="Look at it so").click()
    expect(page.get_by_role("cell", name="What is number 19?")).to_be_visible()
    expect(page.get_by_role("cell", name="What is number 20?")).to_have_count(0)
    expect(page.get_by_role("cell", name="This must not be empty.")).to_be_visible()
    assert not ImportBatch.objects.exists()
    page.get_by_role("button", name="Import", exact=True).click()
    batch = ImportBatch.objects.get()
    expect(page).to_have_url(f"{site}/sources/custom/imports/{batch.key}/")
    do_import(WorkUnit.objects.get().payload)
    page.reload()
    expect(page.get_by_role("link", name="30").first).to_be_visible()
    page.get_by_role("link", name="30").first.click()
    expect(page.get_by_role("row", name="What is number 7?")).to_contain_text("wanted")
