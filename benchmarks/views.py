"""What the product's own viewer fetches, in a real browser: the bytes until each of some views is sharp."""

import shutil

from playwright.sync_api import Page, Response, sync_playwright

WINDOW = (1440, 900)
SCALES = {"until it is shown whole": 0.0, "more at 25 %": 0.25, "more at 50 %": 0.5, "more at 100 %": 1.0}
VIEWS = list(SCALES)
BROWSERS = ("chromium", "google-chrome", "chromium-browser", "google-chrome-stable", "chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage"]
QUIET_MS = 1000  # after a view is sharp: what comes later counts, too
OPEN = """async (image) => {
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: "/static/vendor/openseadragon/openseadragon.min.js", onload: resolve, onerror: reject });
    document.head.append(script);
  });
  const { Viewer } = await import("/static/annotation/js/review/viewer.js");
  const element = document.createElement("div");
  document.body.replaceChildren(element);
  Object.assign(element.style, { position: "fixed", inset: "0" });
  window.measured = new Viewer(element);
  await window.measured.open(image);
}"""
GO = "([x, y, scale]) => window.measured.goTo([x, y, x, y], scale)"
IS_SHARP = "() => Boolean(window.measured.look())"


def bytes_by_view(site: str, info_url: str, width: int, height: int) -> dict[str, int] | None:
    """Bytes of all answers below the picture's address, by view; None where no browser is installed."""
    browser_path = next((found for found in map(shutil.which, BROWSERS) if found), None)
    if browser_path is None:
        return None
    got: list[int] = []
    seen: dict[str, int] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": WINDOW[0], "height": WINDOW[1]}, base_url=site)
        page.on("response", lambda response: got.append(_size(response)))
        page.goto("/accounts/login/")
        page.evaluate(OPEN, {"info_url": info_url, "width": width, "height": height})
        for view, scale in SCALES.items():
            _show(page, scale, width, height)
            seen[view] = sum(got) - sum(seen.values())
        browser.close()
    return seen


def _show(page: Page, scale: float, width: int, height: int) -> None:
    """Wait until a view round the middle is sharp; the whole picture for scale 0."""
    if scale:
        page.evaluate(GO, [width / 2, height / 2, scale])
        page.wait_for_timeout(QUIET_MS)  # the viewer is on its way
    page.wait_for_function(IS_SHARP)
    page.wait_for_timeout(QUIET_MS)


def _size(response: Response) -> int:
    return int(response.headers.get("content-length", 0)) if "/iiif/" in response.url else 0
