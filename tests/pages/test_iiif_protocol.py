"""What a viewer that knows the IIIF Image API 3 may rely on beside pixels, with the checks that public validators make."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.images import iiif
from annotation.images.operations import pyramid_key
from annotation.models import Image, Person
from annotation.storage import store
from tests.factories import make_image
from tests.squares import KEY, SIDE, address_of, opened

Fetch = Callable[..., Any]


@pytest.mark.parametrize(
    "rest",
    [
        "square-ish/max/0/default.jpg", "1000,0,10,10/max/0/default.jpg", "0,0,0,9/max/0/default.jpg", "full/full/0/default.jpg",
        "full/1001,/0/default.jpg", "full/,1001/0/default.jpg", "full/1001,1001/0/default.jpg", "full/pct:101/0/default.jpg",
        "full/^2049,/0/default.jpg", "full/max/45/default.jpg", "full/max/0/native.jpg", "full/max/0/default.tif", "full/max",
        "full/max/0/default", "full/max/0/default.jpg/more", "info.xml", "full/max//default.jpg", "0%2F0,9,9/max/0/default.jpg",
        "full/%255Emax/0/default.jpg", "full/max%00/0/default.jpg", "%ff%fe/max/0/default.jpg",
        "%F0%9F%98%80/max/0/default.jpg", "full/max/0/default.jpg%0A", "..%2F..%2Fetc/max/0/passwd", "full/" + "9" * 5000 + ",/0/default.jpg",
    ],
)  # fmt: skip
def test_what_is_malformed_or_not_offered_is_a_bad_request_with_a_line_that_says_why(below: Fetch, rest: str) -> None:
    answer = below(rest)
    assert (answer.status_code, answer["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert answer["Cache-Control"] == "private, no-store"
    assert answer.content.count(b"\n") == 1
    assert len(answer.content) < 250, "what was sent is not sent back"


def test_characters_may_come_percent_encoded(below: Fetch, own: str) -> None:
    plain = below("pct:10,10,20,20/^max/0/default.jpg").content
    assert below("pct%3A10%2C10%2C20%2C20/%5Emax/%30/default%2Ejpg").content == plain
    assert Client().get(f"{own.replace('-', '%2D')}/pct:10,10,20,20/^max/0/default.jpg").content == plain


@pytest.mark.parametrize("address", ["{own}x/info.json", "/iiif/annotator.x/[frob]/full/max/0/default.jpg"])
def test_another_identifier_is_refused_like_every_bad_grant(own: str, address: str) -> None:
    answers = [Client().get(address.format(own=own)), Client().get(f"/iiif/annotator.{'A' * 24}/{KEY}/info.json")]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].content == answers[1].content


def test_the_description_has_the_address_it_was_asked_at(below: Fetch, own: str) -> None:
    answer = below("info.json")
    described = answer.json()
    assert described == iiif.info_json(f"http://testserver{own}", SIDE, SIDE)
    for size in described["sizes"]:
        assert opened(below(f"full/{size['width']},{size['height']}/0/default.jpg")).size == (size["width"], size["height"])


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", iiif.CONTEXT),
        ("*/*", iiif.CONTEXT),
        ("application/ld+json", iiif.CONTEXT),
        (f'application/ld+json;profile="{iiif.CONTEXT}"', iiif.CONTEXT),
        ("text/html,application/xhtml+xml,*/*;q=0.8", iiif.CONTEXT),
        ("application/json", "application/json"),
        ("application/json,application/ld+json;q=0.5", "application/json"),
    ],
)
def test_the_description_comes_as_linked_data_unless_plain_json_is_preferred(below: Fetch, accept: str, kind: str) -> None:
    answer = below("info.json", **({"accept": accept} if accept else {}))
    assert answer["Content-Type"] == (kind if kind == "application/json" else f'application/ld+json;profile="{kind}"')
    assert "Accept" in answer["Vary"]
    assert '<http://iiif.io/api/image/3/level0.json>;rel="profile"' in answer["Link"]


@pytest.mark.parametrize("rest", ["0,0,512,512/max/0/default.jpg", "square/^50,60/!180.0/gray.png", "full/max/0/color.jpg"])
def test_a_picture_links_to_its_canonical_address_and_its_profile(below: Fetch, own: str, rest: str) -> None:
    answer = below(rest)
    canonical, profile = answer["Link"].split(",<")
    assert profile == 'http://iiif.io/api/image/3/level0.json>;rel="profile"'
    address = canonical.removeprefix("<http://testserver").removesuffix('>;rel="canonical"')
    assert address.startswith(f"{own}/")
    again = Client().get(address)
    assert (again.content, again["Link"], again["ETag"]) == (answer.content, answer["Link"], answer["ETag"])


def test_the_picture_s_own_address_leads_to_the_description(own: str) -> None:
    answer = Client().get(own)
    assert (answer.status_code, answer["Location"]) == (303, f"{own}/info.json")


@pytest.mark.parametrize(
    "rest", ["info.json", "full/max/0/default.jpg", "full/500,/0/gray.jpg", "nothing", "", "full/max/1/default.jpg"]
)
def test_other_sites_may_read_every_answer_for_they_need_the_grant_for_it(below: Fetch, own: str, rest: str) -> None:
    answers = [below(rest, origin="https://viewer.example"), Client().get(f"{own}x/{rest}"), below(rest, if_none_match="*")]
    for answer in answers:
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer
        assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_a_browser_may_ask_beforehand(below: Fetch) -> None:
    answer = below("full/max/0/default.jpg", "options", origin="https://viewer.example", access_control_request_method="GET")
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "Range" in answer["Access-Control-Allow-Headers"]


RANGED = ["0,0,512,512/max/0/default.jpg", "10,10,500,500/max/90/default.png"]


@pytest.mark.parametrize("rest", RANGED)
def test_a_part_of_an_answer_can_be_asked_for(below: Fetch, rest: str) -> None:
    whole = below(rest)
    assert whole["Accept-Ranges"] == "bytes"
    size = len(whole.content)
    for header, start, end in (("bytes=0-99", 0, 100), ("bytes=100-", 100, size), ("bytes=-7", size - 7, size)):
        part = below(rest, range=header, if_range=whole["ETag"])
        assert (part.status_code, part.content) == (206, whole.content[start:end])
        assert part["Content-Range"] == f"bytes {start}-{end - 1}/{size}"
        assert (part["ETag"], part["Content-Type"]) == (whole["ETag"], whole["Content-Type"])
    behind = below(rest, range=f"bytes={size}-")
    assert (behind.status_code, behind["Content-Range"], behind.content) == (416, f"bytes */{size}", b"")
    for headers in ({"range": "bytes=0-1,5-6"}, {"range": "lines=0-1"}, {"range": "bytes=0-9", "if_range": '"other"'}):
        assert below(rest, **headers).content == whole.content


@pytest.mark.parametrize("rest", ["info.json", *RANGED])
def test_what_did_not_change_is_not_sent_again(below: Fetch, rest: str) -> None:
    whole = below(rest)
    for known in (whole["ETag"], f'"x", {whole["ETag"]}', "*", f"W/{whole['ETag']}"):
        again = below(rest, if_none_match=known)
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", whole["ETag"])
    assert below(rest, if_none_match='"x"').content == whole.content
    assert below(rest, if_match='"x"').status_code == 412
    head = below(rest, "head")
    assert (head.status_code, head.content, int(head["Content-Length"])) == (200, b"", len(whole.content))


def test_tags_tell_apart_all_that_differs(below: Fetch) -> None:
    addresses = [
        f"{region}/{size}/{rotation}/{quality}.{suffix}"
        for region in ("full", "0,0,900,900")
        for size in ("max", "300,")
        for rotation in ("0", "90", "!0")
        for quality in ("default", "gray", "bitonal")
        for suffix in ("jpg", "png", "webp")
    ]
    tags = {below(address, "head")["ETag"] for address in addresses}
    assert len(tags) == len(addresses)
    assert not any(tag.startswith("W/") for tag in tags)


def test_the_licence_is_told_to_staff_and_not_to_those_who_review_blindly(own: str, squares: Path, db: None) -> None:
    image = make_image()
    Image.objects.filter(pk=image.pk).update(licence="CC-BY-SA-4.0", attribution="canary of the maker")
    store().write(pyramid_key(image.key), squares)
    told = {role: Client().get(f"{address_of(image.key, role)}/info.json") for role in ("annotator", "adjudicator", "staff")}
    assert told["staff"].json()["rights"] == "http://creativecommons.org/licenses/by-sa/4.0/"
    for role in ("annotator", "adjudicator"):
        assert "rights" not in told[role].json()
    for answer in told.values():
        text = answer.content.decode() + str(answer.headers)
        for hidden in ("canary of the maker", image.sha256, image.storage_key, image.source.key, image.source.name):
            assert hidden not in text


def test_a_picture_of_unknown_licence_has_no_rights(own: str, squares: Path, db: None, max_: Person) -> None:
    image = make_image()
    store().write(pyramid_key(image.key), squares)
    assert "rights" not in Client().get(f"{address_of(image.key, 'staff')}/info.json").json()


def test_a_refusal_is_told_in_the_reader_s_language_and_its_address_is_not_logged(
    own: str, below: Fetch, caplog: pytest.LogCaptureFixture
) -> None:
    told = {
        language: Client(headers={"accept-language": language}).get(f"{own}x/info.json").content for language in ("en", "zh-CN")
    }
    assert b"Reload the page" in told["en"]
    assert told["zh-CN"] != told["en"]
    assert below("nothing/max/0/default.jpg").status_code == 400
    assert own.split("/")[2] not in caplog.text


def test_pictures_go_without_what_only_pages_need(below: Fetch) -> None:
    answer = below("full/max/0/default.jpg", cookie="sessionid=abc", accept_language="zh")
    assert not answer.cookies
    assert "Vary" not in answer
    assert "Content-Language" not in answer


def test_pictures_too_are_only_sent_over_tls(own: str, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 60
    assert Client().get(f"{own}/info.json")["Location"] == f"https://testserver{own}/info.json"
    answer = Client().get(f"{own}/info.json", secure=True)
    assert answer["Strict-Transport-Security"].startswith("max-age=60")
    assert answer.json()["id"] == f"https://testserver{own}"


def test_an_unknown_host_gets_no_address_made_up_for_it(own: str) -> None:
    assert Client(headers={"host": "evil.example"}).get(f"{own}/info.json").status_code == 400
