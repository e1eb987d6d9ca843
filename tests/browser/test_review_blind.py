"""Whoever reviews sees nothing of kind, twin, control or other votes: not on the page, not in what the browser keeps."""

from playwright.sync_api import Page, Response, expect

from tests import factories
from tests.browser.desk import Desk, tiled_image
from tests.canary import MARK
from tests.people import make_person

KEPT = """async () => {
  const stores = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  for (const {name, version} of await indexedDB.databases()) {
    const database = await new Promise((done) => {
      indexedDB.open(name, version).onsuccess = (event) => done(event.target.result);
    });
    for (const store of database.objectStoreNames) {
      const all = await new Promise((done) => {
        database.transaction(store).objectStore(store).getAll().onsuccess = (event) => done(event.target.result);
      });
      stores.push(JSON.stringify(all));
    }
  }
  return stores.join();
}"""
TOLD = ("kind", "parent", "twin", "edited", "original", "control", "component", "run", "lane")


def test_an_edit_under_control_looks_like_any_question(page: Page, site: str) -> None:
    ann, ben = make_person("ann"), make_person("ben")
    original = factories.make_original("What is the color of the kettle?", image=tiled_image())
    edit = factories.make_edit(original)
    factories.make_control(edit)
    campaign = factories.make_campaign(ann, ben)
    factories.make_vote(factories.make_item(campaign, edit), ben)
    answers: list[Response] = []
    page.on("response", lambda response: answers.append(response) if "/review/next" in response.url else None)
    desk = Desk(page, site, ann).open()
    expect(desk.question).to_have_text("What is the color of the teapot?")
    seen = page.content() + page.evaluate(KEPT)
    assert MARK not in seen
    assert original.text not in seen
    told = answers[0].json()
    assert not set(TOLD) & {*told, *told["item"], *told["assignment"], *told["image"], *told["policy"]}
    page.goto("about:blank")
