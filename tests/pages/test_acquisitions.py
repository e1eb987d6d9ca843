"""Max watches pictures come in, sees why some did not, asks again, and lets a host rest; Ada only looks."""

import re

import pytest
from django.db.models.functions import Now
from django.test import Client

from annotation.images.operations import want
from annotation.models import Acquisition, FetchHost, JournalEntry, Person, Source, WorkUnit
from annotation.sources.rows import Wanted
from tests import factories
from tests.conftest import browser_of, counted_statements
from tests.moments import ago, ahead

HOST = "pictures.example"


@pytest.fixture
def source(max_: Person) -> Source:
    """One of each: wanted, gone, refused, stored, and a path."""
    source = factories.make_source()
    addresses = [f"https://{HOST}/{name}.jpg" for name in ("wanted", "gone", "refused", "stored")]
    want(source=source, wanted=[Wanted(name) for name in [*addresses, "photos/path.jpg"]])
    Acquisition.objects.filter(name=addresses[1]).update(state="gone", reason="The host answered 404.", last_status=404)
    Acquisition.objects.filter(name=addresses[2]).update(state="refused", reason="<b>no</b> picture")
    Acquisition.objects.filter(name=addresses[3]).update(
        state="stored", image=factories.make_image(source=source), fetched_at=Now()
    )
    return source


@pytest.fixture
def browser(max_: Person) -> Client:
    return browser_of(max_)


def page(browser: Client, **query: str) -> str:
    answer = browser.get("/acquisitions/", query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_ada_sees_how_far_each_picture_came_and_why_but_no_button(source: Source, ada: Person) -> None:
    told = page(browser_of(ada))
    assert "The host answered 404." in told
    assert "&lt;b&gt;no&lt;/b&gt; picture" in told
    assert "HTTP 404" in told
    assert "Ask again" not in told
    assert "Fetch the wanted" not in told


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"state": "gone"}, {"gone"}),
        ({"host": HOST.upper()}, {"wanted", "gone", "refused", "stored"}),
        ({"source": "demo-photos", "state": "wanted"}, {"wanted", "path"}),
        ({"host": "other.example"}, set()),
        ({"text": "PHOTOS/"}, {"path"}),
        ({"text": "%"}, set()),
        ({"reason": "404"}, {"gone"}),
    ],
)
def test_the_list_is_filtered_by_source_state_and_host(
    source: Source, browser: Client, query: dict[str, str], names: set[str]
) -> None:
    told = page(browser, **query)
    assert {name for name in ("wanted", "gone", "refused", "stored", "path") if f"/{name}.jpg" in told} == names


@pytest.mark.parametrize("query", [{"state": "lost"}, {"source": "nobody"}, {"host": "x" * 261}])
def test_a_filter_that_does_not_exist_is_a_400(source: Source, browser: Client, query: dict[str, str]) -> None:
    assert browser.get("/acquisitions/", query).status_code == 400


def test_the_rest_is_told_in_time_while_something_comes_in(source: Source, browser: Client) -> None:
    assert "the rest takes" in page(browser)
    Acquisition.objects.filter(state="stored").update(fetched_at=ago(60))
    assert "about 2 min" in page(browser)  # two are left, one came in a minute
    Acquisition.objects.update(fetched_at=None)
    assert "Nothing came in" in page(browser)
    told = browser.get("/acquisitions/progress/", {"host": HOST}).content.decode()
    assert "hx-get" in told
    assert "<html" not in told


def test_max_hands_the_wanted_addresses_to_the_workers(source: Source, browser: Client) -> None:
    answer = browser.post("/acquisitions/fetch/", {"source": source.key}, follow=True)
    assert "1 more address will be fetched" in answer.content.decode()
    assert answer.redirect_chain == [("/acquisitions/?source=demo-photos", 302)]
    assert WorkUnit.objects.get().kind == "fetch"


def test_max_asks_again_for_one_picture(source: Source, browser: Client, max_: Person) -> None:
    name = f"https://{HOST}/gone.jpg"
    browser.post("/acquisitions/again/", {"source": source.key, "name": name, "state": "gone"})
    assert set(Acquisition.objects.filter(state="wanted").values_list("name", flat=True)) >= {name}
    assert Acquisition.objects.filter(state="refused").exists()
    assert JournalEntry.objects.get(event="pictures.asked-again").actor == max_


def test_max_asks_again_for_all_that_a_filter_shows(source: Source, browser: Client) -> None:
    assert "Ask again for all of these" in page(browser, state="gone")
    assert "Ask again for all of these" not in page(browser, state="stored")
    browser.post("/acquisitions/again/", {"host": HOST})
    assert set(Acquisition.objects.values_list("state", flat=True)) == {"wanted", "stored"}
    assert browser.post("/acquisitions/again/", {"state": "stored"}).status_code == 400


def test_asking_again_means_no_more_than_the_filter_shows(source: Source, browser: Client) -> None:
    told = page(browser, state="refused", text="refused", reason="picture")
    assert '<input type="hidden" name="text" value="refused">' in told
    assert '<input type="hidden" name="reason" value="picture">' in told
    browser.post("/acquisitions/again/", {"text": "refused", "reason": "404"})
    assert Acquisition.objects.filter(state__in=["gone", "refused"]).count() == 2
    browser.post("/acquisitions/again/", {"reason": "404"})
    assert Acquisition.objects.filter(state="gone").count() == 0
    assert Acquisition.objects.get(state="refused")
    entries = JournalEntry.objects.filter(event="pictures.asked-again")
    assert list(entries.values_list("after__reason", flat=True)) == ["404"]


def test_the_figures_count_what_the_filter_shows(source: Source, browser: Client) -> None:
    told = browser.get("/acquisitions/progress/", {"text": "gone"}).content.decode()
    assert [int(count) for count in re.findall(r'">(\d+)</a>', told)] == [0, 0, 0, 1, 0, 0, 0]
    assert "text=gone" in told


def test_max_pauses_a_host_sets_its_manners_and_resumes_it(source: Source, browser: Client) -> None:
    FetchHost.objects.create(host=HOST, paused_until=ahead(600), reason="The host answered 429.")
    told = page(browser)
    assert "The host answered 429." in told
    browser.post("/acquisitions/host/", {"host": HOST, "deed": "resume"})
    browser.post("/acquisitions/host/", {"host": HOST, "deed": "pause"})
    browser.post("/acquisitions/host/", {"host": HOST, "deed": "manners", "spacing_ms": "1000", "at_once": "2"})
    host = FetchHost.objects.get()
    assert (host.held, host.paused_until, host.spacing_ms, host.at_once) == (True, None, 1000, 2)
    assert "paused" in page(browser)
    events = list(JournalEntry.objects.order_by("pk").values_list("event", flat=True))
    assert events == ["host.resumed", "host.paused", "host.manners-set"]


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"deed": "pause"}, 404),
        ({"deed": "burn"}, 400),
        ({"deed": "manners"}, 400),
        ({"deed": "manners", "spacing_ms": "-1", "at_once": "1"}, 400),
        ({"deed": "manners", "spacing_ms": "5", "at_once": "1000"}, 400),
    ],
)
def test_what_makes_no_sense_for_a_host_is_refused(browser: Client, values: dict[str, str], status: int) -> None:
    assert browser.post("/acquisitions/host/", {"host": HOST, **values}).status_code == status


def test_a_long_list_costs_as_many_statements_as_a_short_one(source: Source, browser: Client) -> None:
    with counted_statements() as short:
        page(browser)
    want(source=source, wanted=[Wanted(f"{number}.jpg") for number in range(200)])
    with counted_statements() as long:
        page(browser)
    assert len(long) == len(short) <= 9


def test_an_empty_list_says_what_to_do(browser: Client) -> None:
    assert "No row names a picture yet" in page(browser)
    assert "fits these filters" in page(browser, state="gone")
