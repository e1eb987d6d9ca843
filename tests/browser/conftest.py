"""A real browser on a real server: Chromium from the system, the product in a thread, the database committed."""

import os
import shutil
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.test import Client
from django.test.testcases import LiveServerThread
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from annotation.models import Person

BROWSERS = ("chromium", "google-chrome", "chromium-browser", "google-chrome-stable", "chrome")
# --no-sandbox is for root and containers; the rest keeps the browser from calling home.
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's browser. Playwright runs a loop in this thread, so Django must be told that its queries are meant."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    path = next((found for found in map(shutil.which, BROWSERS) if found), None)
    assert path is not None, "No browser is installed: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def site(committed_db: None) -> Iterator[str]:
    """The address of the product, served from a thread."""
    thread = LiveServerThread("127.0.0.1", StaticFilesHandler)
    thread.daemon = True
    thread.start()
    thread.is_ready.wait()
    assert thread.error is None, thread.error
    yield f"http://127.0.0.1:{thread.port}"
    thread.terminate()


@pytest.fixture
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """A fresh window of 1440 x 900. Errors of scripts and refusals by the CSP fail the test."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, base_url=site)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert not faults, faults


@pytest.fixture
def window(chromium: Browser, site: str) -> Iterator[Page]:
    """A window whose requests may fail; what scripts throw still fails the test."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, base_url=site)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert not faults, faults


def log_in(context: BrowserContext, site: str, person: Person) -> None:
    """The person's session cookie, without going through the form."""
    client = Client()
    client.force_login(person.user)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": site}])
